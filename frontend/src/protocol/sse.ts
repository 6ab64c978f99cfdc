// Reads an event stream (WHATWG HTML section 9.2.6) from pieces of text. Knows nothing of what the events say.

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** The last id seen, also on events that bring none of their own. */
  readonly id: string;
}

export class EventReader {
  #rest = "";
  #type = "";
  #data: string[] = [];
  #id = "";
  #first = true;

  /** Milliseconds that the server asks to wait before connecting again. */
  retry: number | null = null;

  /** The events that `piece` completes. Lines and events may be cut anywhere between two pieces. */
  push(piece: string): ServerEvent[] {
    if (this.#first && piece) {
      this.#first = false;
      piece = piece.replace(/^\uFEFF/, "");
    }
    this.#rest += piece;
    // A CR at the very end may be the first half of CRLF: it waits for the next piece.
    const complete = this.#rest.endsWith("\r") ? this.#rest.slice(0, -1) : this.#rest;
    const lines = complete.split(/\r\n|\n|\r/);
    this.#rest = lines.pop() + this.#rest.slice(complete.length);
    const events: ServerEvent[] = [];
    for (const line of lines) {
      const event = this.#read(line);
      if (event) events.push(event);
    }
    return events;
  }

  #read(line: string): ServerEvent | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#type = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    return null;
  }

  #dispatch(): ServerEvent | null {
    const event = { type: this.#type || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#type = "";
    this.#data = [];
    return isEmpty ? null : event;
  }
}
