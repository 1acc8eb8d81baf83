// SPDX-License-Identifier: Apache-2.0
// The page's own set: its elements, their attributes, and what these may say. Nothing of it comes from a chat.

const CLASS = "[a-z0-9 -]*";
const ID = "[lmr]\\d+|(s\\d+-)?(c\\d+-)*m\\d+";

/** Element -> attribute -> what its value is, as a regular expression for the whole of it. */
export const allowed = {
  html: { lang: "en", class: "js" },
  head: {},
  meta: {
    charset: "utf-8",
    "http-equiv": "Content-Security-Policy",
    name: "viewport|referrer|color-scheme|generator",
    content: '[^<>"&]*',
  },
  title: {},
  style: {},
  body: { class: "thread" },
  script: {},
  a: {
    class: "skip|n",
    href: `#(conversation|s\\d+|${ID})`,
    "aria-label": "message \\d+",
    "aria-current": "true",
    "data-by": "-?\\d+",
  },
  header: {},
  nav: { id: "tools|tree", "aria-label": "[a-z ]+" },
  main: {
    id: "conversation",
    class: "comparison|(looking)?",
    "data-view": "\\d*",
    "aria-label": "conversation|comparison",
  },
  h1: { dir: "auto" },
  h2: {},
  section: { id: "overview", "aria-label": "the checkpoint" },
  template: {
    class: "list|checkpoint",
    "data-sequence": "\\d+",
    "data-chat": "(c\\d+-)*m",
    "data-list": "([bp]\\d+x\\d+)*",
    "data-owns": "(o\\d+x\\d+)*",
  },
  p: { class: CLASS, id: "seen", hidden: "" },
  dl: { class: CLASS },
  dt: {},
  dd: {},
  div: { class: CLASS, dir: "auto", "data-view": "\\d*", id: "chat", "data-shown": "\\d+" },
  table: { class: CLASS },
  caption: {},
  thead: {},
  tbody: {},
  tr: { class: "a\\d+" },
  th: { scope: "row|col" },
  td: {},
  ul: { class: CLASS },
  ol: { class: "tight", start: "\\d+" },
  li: { id: "s\\d+" },
  span: { class: CLASS },
  b: { class: CLASS },
  em: {},
  strong: {},
  hr: {},
  blockquote: {},
  bdi: { class: "u", "data-c": "[0-9A-F]{4,6}" },
  del: {},
  ins: {},
  code: { class: "key|target" },
  pre: { class: "raw|json|string|code|compared", dir: "auto" },
  details: { class: CLASS, open: "" },
  summary: {},
  button: {
    type: "button",
    class: CLASS,
    hidden: "",
    "data-view": "\\d+",
    "data-runs": "([dhlwnu]\\d+)*",
    "aria-pressed": "true|false",
  },
  label: { class: "js" },
  input: { type: "search|checkbox", id: "search|raw", autocomplete: "off", spellcheck: "false" },
  output: { id: "hits", class: "js", for: "search author kind", "aria-live": "polite" },
  select: { id: "author|kind|view" },
  option: { value: "\\d*|[a-z]+", "data-runs": "([dhlwnu]\\d+)*", selected: "", disabled: "" },
  article: {
    class: CLASS,
    id: ID,
    "data-a": "\\d+",
    "data-k": "[a-z ]*",
    "data-own": "\\d+",
    "data-missing": "channels? \\d+(, \\d+)*",
    tabindex: "-1",
    hidden: "",
  },
  img: { alt: "image", loading: "lazy", decoding: "async", src: "data:image/[a-z+]+;base64,[A-Za-z0-9+/]*={0,2}" },
  audio: {
    controls: "",
    preload: "none",
    "aria-label": "sound",
    src: "data:audio/[a-z0-9]+;base64,[A-Za-z0-9+/]*={0,2}",
  },
};

/** Runs in the page: what stands in it and is not allowed. */
export const strangers = (set) => {
  const found = [];
  const values = new Map();
  const isAllowed = (name, attribute) => {
    const pattern = set[name]?.[attribute.name];
    if (pattern === undefined) return false;
    const key = `${name} ${attribute.name}`;
    if (!values.has(key)) values.set(key, new RegExp(`^(?:${pattern})$`));
    return values.get(key).test(attribute.value);
  };
  for (const element of document.getElementsByTagName("*")) {
    if (!set[element.localName] || element.namespaceURI !== "http://www.w3.org/1999/xhtml")
      found.push(`<${element.localName}>`);
    for (const attribute of element.attributes)
      if (!isAllowed(element.localName, attribute))
        found.push(`<${element.localName} ${attribute.name}="${attribute.value.slice(0, 80)}">`);
    if (element.shadowRoot) found.push("a shadow root");
  }
  const comments = document.createNodeIterator(document, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) found.push("a comment");
  if (document.compatMode !== "CSS1Compat") found.push("quirks");
  return found.slice(0, 5);
};
