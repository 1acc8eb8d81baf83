// SPDX-License-Identifier: Apache-2.0
// Chats that hold an attack in every place for a text.
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

/** What a chat has of an attack in every place, each told by what stands before it. from: how many messages it has. */
const attacked = (attack, from) => {
  const at = (place) => `${place}~${attack}`;
  const json = (place) => ({
    [at(`${place}-name`)]: at(place),
    deep: [{ [attack]: [attack, 1, null] }],
    [attack]: attack,
  });
  const extras = (place) => [
    { name: at(`${place}-extra`), value: json(`${place}-extra-value`) },
    { from: "semantic-kernel", name: at(`${place}-foreign`), value: at(`${place}-foreign-value`) },
  ];
  const unknown = (place) => ({ [at(`${place}-unknown`)]: json(`${place}-unknown-value`) });
  const besides = (place) => ({
    model: at(`${place}-model`),
    mimetype: at(`${place}-mimetype`),
    metadata: json(`${place}-metadata`),
    extras: extras(place),
    ...unknown(place),
  });
  const items = (place) => [
    { type: "text", text: attack, ...besides(`${place}-text`) },
    { type: "text", text: at(`${place}-second`) },
    {
      type: "call",
      id: at(`${place}-call-id`),
      plugin: at(`${place}-plugin`),
      function: at(`${place}-function`),
      arguments: json(`${place}-arguments`),
      exception: at(`${place}-exception`),
      ...besides(`${place}-call`),
    },
    {
      type: "call",
      function: at(`${place}-bare`),
      arguments: at(`${place}-bare-arguments`),
      exception: json(`${place}-exception-object`),
    },
    {
      type: "result",
      id: at(`${place}-result-id`),
      plugin: at(`${place}-result-plugin`),
      function: at(`${place}-result-function`),
      result: json(`${place}-result`),
      ...besides(`${place}-result`),
    },
    { type: "result", function: at(`${place}-text-result`), result: at(`${place}-result-text`) },
    { type: "image", uri: at(`${place}-image-uri`), ...besides(`${place}-image`) },
    { type: "audio", uri: attack, mimetype: attack, data: base64(attack) },
    { type: "binary", uri: at(`${place}-binary-uri`), mimetype: at(`${place}-binary-mimetype`), data: base64(attack) },
    {
      type: "annotation",
      kind: at(`${place}-kind`),
      label: at(`${place}-label`),
      reference: at(`${place}-reference`),
      title: at(`${place}-title`),
      start: 1,
      end: 2,
      ...besides(`${place}-annotation`),
    },
    { type: "file", file: at(`${place}-file`), tools: [at(`${place}-tool`)], ...besides(`${place}-file`) },
    {
      type: "reasoning",
      text: at(`${place}-reasoning`),
      signature: at(`${place}-signature`),
      ...besides(`${place}-reasoning`),
    },
    { type: "action", text: at(`${place}-action`), ...besides(`${place}-action`) },
    { type: "opaque", kind: at(`${place}-opaque`), raw: json(`${place}-raw`), ...besides(`${place}-opaque`) },
    { type: at(`${place}-unheard`), beam: json(`${place}-beam`) },
  ];
  const message = (place, more = []) => ({
    role: at(`${place}-role`),
    name: at(`${place}-author`),
    items: [...items(place), ...more],
    ...besides(place),
    id: at(`${place}-id`),
    time: at(`${place}-time`),
  });
  const participants = [
    { id: at("p-id"), name: at("p-name"), type: at("p-type"), extras: extras("p"), ...unknown("p") },
    { name: attack },
  ];
  const channels = (place, first, count) => [
    {
      channelkey: at(`${place}-key`),
      channeltype: at(`${place}-type`),
      statekind: "text",
      channelstate: at(`${place}-state`),
      synced: 1,
      pending: [0],
      extras: extras(place),
      ...unknown(place),
    },
    {
      channelkey: attack,
      channeltype: attack,
      statekind: "messages",
      channelstate: [message(`${place}-own`), [first, count]],
      synced: first + count,
    },
    { channelkey: at(`${place}-bytes`), statekind: "bytes", channelstate: base64(attack) },
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

/** A chat with each of these attacks in every place. */
export const attackedChat = (list) => {
  const whole = { history: [], participants: [], channels: [], values: [], extras: [] };
  const all = {};
  for (const attack of list) {
    const { unknown, ...parts } = attacked(attack, whole.history.length);
    for (const name of Object.keys(whole)) whole[name].push(...parts[name]);
    Object.assign(all, unknown);
  }
  return chat({ ...whole, ...all });
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
