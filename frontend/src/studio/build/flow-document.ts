// flow.json as the outline and the form see it: the text is the truth, this reads it. While the text is broken, the last state that
// could be read is shown, and nothing but the text can be edited.

import type { Files, Finding } from "../workspace";
import { FLOW } from "./flow-actions";
import { type Outline, outlineOf, pathOfRow, type Row, rowOfPath } from "./flow-outline";
import { JsonMistake, nodeAt, type Path, readTree, resolved, valueOf } from "./json-tree";
import type { Mark } from "./outline";

const NO_OUTLINE: Outline = { conversations: [], entities: [] };

/** A finding, the row that it belongs to and the path that it means, as far as it exists. */
export interface PlacedFinding {
  /** In the list of all. */
  readonly number: number;
  readonly finding: Finding;
  readonly path: Path;
  readonly row: Row | null;
  readonly isError: boolean;
  readonly isFixable: boolean;
}

export class FlowDocument {
  /** Of the last text that could be read. */
  text = "";
  outline: Outline = NO_OUTLINE;
  /** Where the text is broken; null: it is not. */
  mistake: { readonly offset: number; readonly line: number; readonly message: string } | null = null;
  #tried: string | undefined;

  /** Reads the text if it is another one. Returns whether the outline changed. */
  read(text: string | undefined): boolean {
    if (text === this.#tried) return false;
    this.#tried = text;
    try {
      this.outline = text === undefined ? NO_OUTLINE : outlineOf(text);
      this.text = text ?? "";
      this.mistake = null;
    } catch (error) {
      if (!(error instanceof JsonMistake) || text === undefined) throw error;
      this.mistake = { offset: error.offset, line: text.slice(0, error.offset).split("\n").length, message: error.message };
    }
    return true;
  }

  /** Forgets what was read: another bot is shown. */
  clear(): void {
    this.#tried = undefined;
    this.text = "";
    this.outline = NO_OUTLINE;
    this.mistake = null;
  }

  valueOf(row: Row): Readonly<Record<string, unknown>> | null {
    const node = this.text ? nodeAt(readTree(this.text), pathOfRow(row)) : undefined;
    return node?.kind === "object" ? (valueOf(this.text, node) as Readonly<Record<string, unknown>>) : null;
  }

  has(row: Row): boolean {
    const conversation = this.outline.conversations.find(({ key }) => key === row.conversation);
    return conversation !== undefined && (row.index === null || row.index < conversation.steps.length);
  }

  /** Places findings on rows. Of other files they have no row. */
  place(findings: readonly Finding[], files: Files): PlacedFinding[] {
    return findings.map((finding, number) => {
      const text = finding.file === FLOW ? this.text : files[finding.file];
      const path = text ? resolvedIn(text, finding.path) : [];
      return { number, finding, path, row: finding.file === FLOW ? rowOfPath(path) : null, isError: isError(finding), isFixable: isFixable(finding) };
    });
  }
}

function resolvedIn(text: string, path: string): Path {
  try {
    return resolved(readTree(text), path);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    return [];
  }
}

function isError(finding: Finding): boolean {
  return (finding.level ?? "error") === "error";
}

function isFixable(finding: Finding): boolean {
  return finding.isFixable === true;
}

/** Returns what each row shows of its findings. */
export function marksOf(placed: readonly PlacedFinding[], keyOf: (row: Row) => string): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const { row, isError, finding } of placed) {
    if (!row) continue;
    const key = keyOf(row);
    const { count = 0, isError: before = false, message = "" } = marks.get(key) ?? {};
    marks.set(key, { count: count + 1, isError: before || isError, message: message ? `${message}\n${finding.message}` : finding.message });
  }
  return marks;
}
