// SPDX-License-Identifier: Apache-2.0
// Chats that hold an attack in every field for text.
import { base64, files } from "./attacks.mjs";
import { chat } from "./chats.mjs";

/** Each of the files as each kind of data. */
export const mediaChat = () =>
  chat({
    history: files.flatMap(([mimetype, content]) =>
      ["image", "audio", "binary"].map((type) => ({
        role: "user",
        items: [{ type, mimetype, data: base64(content), uri: "http://evil.test/u" }],
      })),
    ),
  });

/** What a chat has of an attack in every field, each named by what stands before it. from: how many messages it has. */
const attacked = (attack, from) => {
  const at = (field) => `${field}~${attack}`;
  const json = (field) => ({
    [at(`${field}-name`)]: at(field),
    deep: [{ [attack]: [attack, 1, null] }],
    [attack]: attack,
  });
  const extras = (field) => [
    { name: at(`${field}-extra`), value: json(`${field}-extra-value`) },
    { from: "semantic-kernel", name: at(`${field}-foreign`), value: at(`${field}-foreign-value`) },
  ];
  const unknown = (field) => ({ [at(`${field}-unknown`)]: json(`${field}-unknown-value`) });
  const besides = (field) => ({
    model: at(`${field}-model`),
    mimetype: at(`${field}-mimetype`),
    metadata: json(`${field}-metadata`),
    extras: extras(field),
    ...unknown(field),
  });
  const items = (field) => [
    { type: "text", text: attack, ...besides(`${field}-text`) },
    { type: "text", text: at(`${field}-second`) },
    {
      type: "call",
      id: at(`${field}-call-id`),
      plugin: at(`${field}-plugin`),
      function: at(`${field}-function`),
      arguments: json(`${field}-arguments`),
      exception: at(`${field}-exception`),
      ...besides(`${field}-call`),
    },
    {
      type: "call",
      function: at(`${field}-bare`),
      arguments: at(`${field}-bare-arguments`),
      exception: json(`${field}-exception-object`),
    },
    {
      type: "result",
      id: at(`${field}-result-id`),
      plugin: at(`${field}-result-plugin`),
      function: at(`${field}-result-function`),
      result: json(`${field}-result`),
      ...besides(`${field}-result`),
    },
    { type: "result", function: at(`${field}-text-result`), result: at(`${field}-result-text`) },
    { type: "image", uri: at(`${field}-image-uri`), ...besides(`${field}-image`) },
    { type: "audio", uri: attack, mimetype: attack, data: base64(attack) },
    { type: "binary", uri: at(`${field}-binary-uri`), mimetype: at(`${field}-binary-mimetype`), data: base64(attack) },
    {
      type: "annotation",
      kind: at(`${field}-kind`),
      label: at(`${field}-label`),
      reference: at(`${field}-reference`),
      title: at(`${field}-title`),
      start: 1,
      end: 2,
      ...besides(`${field}-annotation`),
    },
    { type: "file", file: at(`${field}-file`), tools: [at(`${field}-tool`)], ...besides(`${field}-file`) },
    {
      type: "reasoning",
      text: at(`${field}-reasoning`),
      signature: at(`${field}-signature`),
      ...besides(`${field}-reasoning`),
    },
    { type: "action", text: at(`${field}-action`), ...besides(`${field}-action`) },
    { type: "opaque", kind: at(`${field}-opaque`), raw: json(`${field}-raw`), ...besides(`${field}-opaque`) },
    { type: at(`${field}-unheard`), beam: json(`${field}-beam`) },
  ];
  const message = (field, more = []) => ({
    role: at(`${field}-role`),
    name: at(`${field}-author`),
    items: [...items(field), ...more],
    ...besides(field),
    id: at(`${field}-id`),
    time: at(`${field}-time`),
  });
  const participants = [
    { id: at("p-id"), name: at("p-name"), type: at("p-type"), extras: extras("p"), ...unknown("p") },
    { name: attack },
  ];
  const channels = (field, first, count) => [
    {
      channelkey: at(`${field}-key`),
      channeltype: at(`${field}-type`),
      statekind: "text",
      channelstate: at(`${field}-state`),
      synced: 1,
      pending: [0],
      extras: extras(field),
      ...unknown(field),
    },
    {
      channelkey: attack,
      channeltype: attack,
      statekind: "messages",
      channelstate: [message(`${field}-own`), [first, count]],
      synced: first + count,
    },
    { channelkey: at(`${field}-bytes`), statekind: "bytes", channelstate: base64(attack) },
  ];
  const values = [
    { name: at("v-name"), value: json("v-value") },
    { name: attack, value: at("v-text") },
    { name: at("v-data"), mediatype: at("v-media"), base64: base64(attack) },
  ];
  const inner = {
    history: [message("inner")],
    participants,
    channels: channels("inner-c", 0, 1),
    values,
    extras: extras("inner"),
    ...unknown("inner"),
  };
  const history = [
    { role: attack, name: attack, items: [{ type: "text", text: attack }] },
    message("m", [{ type: "message", message: message("nested"), ...besides("outer") }]),
    {
      role: "assistant",
      items: [
        {
          type: "call",
          id: attack,
          plugin: at("pair-plugin"),
          function: at("pair-function"),
          arguments: json("pair-arguments"),
        },
      ],
    },
    {
      role: "tool",
      items: [
        {
          type: "result",
          id: attack,
          plugin: at("pair-plugin"),
          function: at("pair-function"),
          result: json("pair-result"),
        },
      ],
    },
  ];
  return {
    history,
    participants,
    values,
    extras: extras("s"),
    unknown: unknown("s"),
    channels: [
      ...channels("c", from, history.length),
      { channelkey: at("chat-key"), channeltype: at("chat-type"), statekind: "chat", channelstate: inner },
    ],
  };
};

/** A chat with each of these attacks in every field. */
export const attackedChat = (list) => {
  const total = { history: [], participants: [], channels: [], values: [], extras: [] };
  const all = {};
  for (const attack of list) {
    const { unknown, ...parts } = attacked(attack, total.history.length);
    for (const name of Object.keys(total)) total[name].push(...parts[name]);
    Object.assign(all, unknown);
  }
  return chat({ ...total, ...all });
};

/** Each attack in every construct of Markdown that takes a text, a message each. */
export const markdownChat = (list) => {
  const wraps = [
    (t) => t,
    (t) => `*${t}*`,
    (t) => `**${t}**`,
    (t) => `[${t}](y)`,
    (t) => `[y](${t})`,
    (t) => `[y](<${t}>)`,
    (t) => `[y](z "${t}")`,
    (t) => `![${t}](y)`,
    (t) => `![y](${t} '${t}')`,
    (t) => `\`${t}\``,
    (t) => "```" + `${t}\n${t}\n` + "```",
    (t) => `~~~ ${t}\nx\n~~~`,
    (t) => `    ${t}`,
    (t) => `# ${t}`,
    (t) => `> ${t}`,
    (t) => `- ${t}`,
    (t) => `1. ${t}`,
    (t) => `<${t}>`,
    (t) => `[r]: ${t} "${t}"\n\n[r]`,
    (t) => `<div ${t}>\n${t}\n</div>`,
  ];
  const texts = list.flatMap((attack) => wraps.map((wrap) => wrap(attack)));
  return chat({ history: texts.map((text) => ({ role: "user", items: [{ type: "text", text }] })) });
};
