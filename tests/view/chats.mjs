// SPDX-License-Identifier: Apache-2.0
// Chats as documents of the format agentchat, and what a page of one should show of them.

/** A document. JSON.stringify keeps lone surrogates as escapes, as the format wants them. */
export const chat = (parts) =>
  JSON.stringify({ agentchat: { format: 1, reader: 1 }, history: [], participants: [], channels: [], ...parts });

/** Numbers that are the same in every run. */
export const numbers = (seed) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
};

const isText = (value) => typeof value === "string" && value !== "";
const isKnown = (item) =>
  [
    "text",
    "image",
    "audio",
    "binary",
    "call",
    "result",
    "annotation",
    "file",
    "reasoning",
    "action",
    "message",
    "opaque",
  ].includes(item.type);

/** The texts of a message in the order of its items, those of nested messages too. */
export const texts = (message) =>
  (message?.items ?? []).flatMap((item) => {
    if (item === null || !isKnown(item)) return [];
    if (item.type === "message") return texts(item.message);
    return ["text", "reasoning", "action"].includes(item.type) && isText(item.text) ? [item.text] : [];
  });

export const author = (message) =>
  isText(message?.name) ? message.name : isText(message?.role) ? message.role : "(no role)";

const KINDS = {
  text: "text",
  image: "media",
  audio: "media",
  binary: "media",
  call: "call",
  result: "call",
  annotation: "file",
  file: "file",
  reasoning: "reasoning",
  action: "other",
  message: "message",
};
/** What a person finds in a message: the values of the page's filter by kind. */
export const kinds = (message) => new Set((message?.items ?? []).map((item) => KINDS[item?.type] ?? "other"));
