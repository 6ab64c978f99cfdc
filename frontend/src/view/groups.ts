// Arranges a chat for drawing: groups of one speaker, the times between them, and which message may still be answered.

import type { Parcel } from "../chat/outbox";
import type { Message } from "../protocol/wire";

export interface Line {
  readonly key: string;
  readonly message: Message | null;
  readonly parcel: Parcel | null;
}

export interface Group {
  readonly key: string;
  readonly from: "user" | "bot";
  /** Milliseconds since 1970 when a time belongs above the group, else null. */
  readonly time: number | null;
  readonly lines: readonly Line[];
}

/** A silence after which the time is worth saying. */
const GAP = 15 * 60_000;

/** A message as it is drawn: `key` and time are those of the first page where it took the place of another. */
export interface Drawn extends Message {
  readonly key: string;
}

/**
 * The messages with each page of replies in the place of the one before. The user's wish to see it goes with it, unless more
 * was said in between: then the page stands for itself.
 */
export function inPlace(messages: readonly Message[]): readonly Drawn[] {
  const drawn: Drawn[] = [];
  for (const message of messages) {
    const asking = drawn.at(-1)?.from === "user" ? drawn.length - 2 : drawn.length - 1;
    const before = drawn[asking];
    // A message keeps its key when the service's copy replaces the one on its way, so that its element stays.
    if (!before || before.id !== message.replaces) drawn.push({ ...message, key: message.clientId ?? message.id });
    else drawn.splice(asking, 2, { ...message, key: before.key, createdAt: before.createdAt });
  }
  return drawn;
}

/** Puts pages in their places, also while the service has told the wish for one and not yet the page itself. */
export class PagesInPlace {
  /** Of the messages that only asked for another page. */
  #wishes = new Set<string>();

  put(messages: readonly Message[], parcels: readonly Parcel[]): readonly Drawn[] {
    for (const parcel of parcels) if (isPaging(parcel)) this.#wishes.add(parcel.id);
    return inPlace(this.#wishes.has(messages.at(-1)?.clientId ?? "") ? messages.slice(0, -1) : messages);
  }
}

/** Whether the user only asks for another page of the replies, which is no message to look at. */
export function isPaging({ content, state }: Parcel): boolean {
  return state !== "failed" && "option" in content && "key" in content.option && /\.(next|previous)$/.test(content.option.key);
}

/** The last message that was on its way before and has failed since. */
export function newlyFailed(before: readonly Parcel[], after: readonly Parcel[]): Parcel | undefined {
  return after.findLast(({ id, state }) => state === "failed" && before.find((one) => one.id === id)?.state !== "failed");
}

export function groups(messages: readonly Drawn[], parcels: readonly Parcel[]): Group[] {
  const found: { key: string; from: "user" | "bot"; time: number | null; lines: Line[] }[] = [];
  let before = -Infinity;
  const put = (from: "user" | "bot", line: Line, at: number) => {
    const isLater = at - before > GAP;
    before = at;
    const last = found.at(-1);
    if (last?.from === from && last.lines[0]?.message?.person === line.message?.person && !isLater) last.lines.push(line);
    else found.push({ key: line.key, from, time: isLater ? at : null, lines: [line] });
  };
  for (const message of messages) {
    if (!isShown(message)) continue;
    const at = Date.parse(message.createdAt);
    put(message.from, { key: message.key, message, parcel: null }, Number.isNaN(at) ? before : at);
  }
  for (const parcel of parcels) if (isToShow(parcel)) put("user", { key: parcel.id, message: null, parcel }, Math.max(parcel.at, before));
  return found;
}

/** The message whose replies can still be chosen: the bot's newest, as long as nothing of the user follows. */
export function answerable(messages: readonly Drawn[], parcels: readonly Parcel[]): Drawn | null {
  const last = messages.findLast(isShown);
  if (last?.from !== "bot" || parcels.some((parcel) => parcel.state !== "failed" && !isPaging(parcel))) return null;
  return last;
}

/**
 * An opening event of the user's is no message to look at, nor is a choice without words (a card's button, or a reply to a
 * question that was over by then); a kind that is new to this page shows what it can.
 */
function isShown({ from, text, type }: Message): boolean {
  return type !== "event" && (from === "bot" || text !== "" || (type !== "text" && type !== "option"));
}

/** One without words shows only that it did not get through. */
function isToShow(parcel: Parcel): boolean {
  const { files, shown, state } = parcel;
  if (isPaging(parcel)) return false;
  return shown !== "" || Boolean(files?.length) || state === "failed";
}
