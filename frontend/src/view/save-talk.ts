// Gives the user the talk as a file of plain text.

import type { Message } from "../protocol/wire";
import { fill, type Words } from "../texts";
import { plain } from "./markdown";

/** The talk as text: a line with time and speaker, the words, an empty line. */
export function talkAsText(messages: readonly Message[], bot: string, words: Words, language: string): string {
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return messages
    .filter(({ type, text, files }) => type !== "event" && (text || files?.length))
    .map(({ from, text, createdAt, files }) => {
      const speaker = from === "bot" ? fill(words.said, { name: bot }) : words.youSaid;
      const said = from === "bot" ? text.split("\n").map(plain).join("\n") : text;
      const sent = (files ?? []).map(({ name }) => name).join(", ");
      return `${time.format(new Date(createdAt))} · ${speaker}\n${[said, sent].filter(Boolean).join("\n")}\n`;
    })
    .join("\n");
}

export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // The download has begun by then; Safari needs the address a moment longer.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
