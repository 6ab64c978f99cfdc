// The JSON of one row as a text of its own: without the indentation that it has in the file, and put back with it.

import { type JsonNode, nodeAt, type Path, readTree } from "./json-tree";

export class RowText {
  /** What was shown last, and of which file's text. */
  #path = "";
  #shown = "";
  #isOwn = false;

  /**
   * Returns the text of the value at a path of the file's text; what is being typed and is no JSON yet stays until the file's
   * text is changed otherwise.
   */
  read(text: string, path: Path): string {
    const name = JSON.stringify(path);
    const node = nodeAt(readTree(text), path);
    const read = node ? outdented(text, node) : "";
    if (name === this.#path && this.#isOwn) return this.#shown;
    this.#path = name;
    this.#shown = read;
    return read;
  }

  /** Returns the file's text with the row's text put in; null where that is no JSON object yet. */
  write(text: string, path: Path, typed: string): string | null {
    const node = nodeAt(readTree(text), path);
    this.#shown = typed;
    this.#path = JSON.stringify(path);
    this.#isOwn = true;
    if (!node || !isObject(typed)) return null;
    this.#isOwn = false;
    const indent = indentOf(text, node);
    return text.slice(0, node.start) + (indent ? typed.trim().replaceAll("\n", `\n${indent}`) : typed.trim()) + text.slice(node.end);
  }

  /** Another row is shown, or the file was changed otherwise. */
  forget(): void {
    this.#isOwn = false;
  }
}

function isObject(text: string): boolean {
  try {
    return readTree(text).kind === "object";
  } catch {
    return false;
  }
}

/** What all lines of a value begin with; none where one does not. */
function indentOf(text: string, node: JsonNode): string {
  const line = text.lastIndexOf("\n", node.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line, node.start))?.[0] ?? "";
  const rest = text.slice(node.start, node.end).split("\n").slice(1);
  return rest.every((one) => one.startsWith(indent) || one.trim() === "") ? indent : "";
}

function outdented(text: string, node: JsonNode): string {
  const indent = indentOf(text, node);
  const own = text.slice(node.start, node.end);
  return indent ? own.replaceAll(`\n${indent}`, "\n") : own;
}
