// Reads JSON text into a tree that knows where each value and key stands. Values are taken out of the text when they are asked
// for, so that reading a large file costs one pass over its characters.

export type Path = readonly (string | number)[];

export interface JsonNode {
  readonly kind: "object" | "array" | "string" | "number" | "constant";
  readonly start: number;
  /** After its last character. */
  readonly end: number;
  /** Of an object, in the order of the text. */
  readonly members: readonly Member[];
  /** Of an array. */
  readonly items: readonly JsonNode[];
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** The text is no JSON; `offset` is where reading stopped. */
export class JsonMistake extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

/** Levels of nesting that a file may have, as the service has it. */
const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const CONSTANT = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const NONE: readonly never[] = [];
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Texts whose trees are kept: an edit, the outline and the form read the same ones. */
const MAX_KEPT_TREES = 6;
const kept = new Map<string, JsonNode>();

/** Returns the tree of a text. Raises `JsonMistake`. */
export function readTree(text: string): JsonNode {
  const known = kept.get(text);
  if (known) return known;
  const tree = new Reader(text).read();
  kept.set(text, tree);
  for (const old of kept.keys()) {
    if (kept.size <= MAX_KEPT_TREES) break;
    kept.delete(old);
  }
  return tree;
}

class Reader {
  #at = 0;
  #depth = 0;

  constructor(readonly text: string) {
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  read(): JsonNode {
    this.#space();
    const root = this.#value();
    this.#space();
    if (this.#at < this.text.length) throw this.#mistake("something follows the end of the JSON");
    return root;
  }

  #mistake(message: string): JsonMistake {
    return new JsonMistake(this.#at, message);
  }

  #space(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 9 && code !== 13) return;
      this.#at += 1;
    }
  }

  #value(): JsonNode {
    const code = this.text.charCodeAt(this.#at);
    if (code === QUOTE) {
      const start = this.#at;
      this.#string();
      return { kind: "string", start, end: this.#at, members: NONE, items: NONE };
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw this.#mistake(`more than ${MAX_DEPTH} levels`);
      const node = code === OPEN_OBJECT ? this.#object() : this.#array();
      this.#depth -= 1;
      return node;
    }
    return this.#scalar("number", NUMBER) ?? this.#scalar("constant", CONSTANT) ?? this.#missing();
  }

  #missing(): never {
    throw this.#mistake(this.#at < this.text.length ? "a value is expected here" : "the text ends too early");
  }

  #scalar(kind: "number" | "constant", pattern: RegExp): JsonNode | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    const start = this.#at;
    this.#at += found[0].length;
    return { kind, start, end: this.#at, members: NONE, items: NONE };
  }

  #string(): void {
    const { text } = this;
    this.#at += 1;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        ESCAPE.lastIndex = this.#at;
        const found = ESCAPE.exec(text);
        if (!found) throw this.#mistake("this escape is not known in JSON");
        this.#at += found[0].length;
      } else if (code < 32) throw this.#mistake("a text must end on its line");
      else if (this.#at >= text.length) throw this.#mistake("a text does not end");
      else this.#at += 1;
    }
    this.#at += 1;
  }

  #object(): JsonNode {
    const start = this.#at;
    const members: Member[] = [];
    this.#at += 1;
    this.#space();
    if (this.text.charCodeAt(this.#at) === CLOSE_OBJECT) this.#at += 1;
    else {
      for (;;) {
        this.#space();
        if (this.text.charCodeAt(this.#at) !== QUOTE) throw this.#mistake("a key in quotes is expected here");
        const keyStart = this.#at;
        this.#string();
        const keyEnd = this.#at;
        this.#space();
        if (this.text.charCodeAt(this.#at) !== COLON) throw this.#mistake('":" is expected after the key');
        this.#at += 1;
        this.#space();
        members.push({ key: textOf(this.text, keyStart, keyEnd), keyStart, keyEnd, value: this.#value() });
        if (this.#ends(CLOSE_OBJECT, "}")) break;
      }
    }
    return { kind: "object", start, end: this.#at, members, items: NONE };
  }

  #array(): JsonNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    this.#at += 1;
    this.#space();
    if (this.text.charCodeAt(this.#at) === CLOSE_ARRAY) this.#at += 1;
    else {
      for (;;) {
        this.#space();
        items.push(this.#value());
        if (this.#ends(CLOSE_ARRAY, "]")) break;
      }
    }
    return { kind: "array", start, end: this.#at, members: NONE, items };
  }

  /** Whether the container ends here; else a comma was read. */
  #ends(close: number, sign: string): boolean {
    this.#space();
    const code = this.text.charCodeAt(this.#at);
    if (code !== close && code !== COMMA) throw this.#mistake(`"," or "${sign}" is expected here`);
    this.#at += 1;
    return code === close;
  }
}

function textOf(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  return inside.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inside;
}

/** Returns the value that a node stands for. */
export function valueOf(text: string, node: JsonNode): unknown {
  return node.kind === "string" ? textOf(text, node.start, node.end) : JSON.parse(text.slice(node.start, node.end));
}

/** Returns the text of a string node, else undefined. */
export function stringOf(text: string, node: JsonNode | undefined): string | undefined {
  return node?.kind === "string" ? textOf(text, node.start, node.end) : undefined;
}

/** Returns an object's member; of a doubled key the last one counts, as JSON.parse has it. */
export function memberOf(node: JsonNode | undefined, key: string): Member | undefined {
  return node?.members.findLast((one) => one.key === key);
}

export function childOf(node: JsonNode | undefined, part: string | number): JsonNode | undefined {
  return typeof part === "number" ? node?.items[part] : memberOf(node, part)?.value;
}

export function nodeAt(root: JsonNode | undefined, path: Path): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(childOf, root);
}

/** Returns the path of what stands at an offset, the innermost value. */
export function pathAt(root: JsonNode, offset: number): (string | number)[] {
  const path: (string | number)[] = [];
  let node: JsonNode | undefined = root;
  while (node) {
    const at: JsonNode = node;
    const member: Member | undefined = at.members.find((one) => one.keyStart <= offset && offset <= one.value.end);
    const index: number = at.items.findIndex((one) => one.start <= offset && offset <= one.end);
    if (member) path.push(member.key);
    else if (index >= 0) path.push(index);
    node = member?.value ?? at.items[index];
  }
  return path;
}

/**
 * Returns the path that a finding's or a trace's words mean ("conversations/book/steps/2"): as far as it exists in the tree. Keys may
 * hold a slash, so that the longest key that fits is taken.
 */
export function resolved(root: JsonNode | undefined, words: string): (string | number)[] {
  const path: (string | number)[] = [];
  let node = root;
  let parts = words ? words.split("/") : [];
  while (node && parts.length) {
    const here: JsonNode = node;
    const [first = ""] = parts;
    let used = 0;
    if (here.kind === "array") {
      if (!/^\d+$/.test(first) || !here.items[Number(first)]) break;
      path.push(Number(first));
      used = 1;
    } else {
      for (let count = parts.length; count > 0 && !used; count -= 1) {
        const key = parts.slice(0, count).join("/");
        if (memberOf(here, key)) {
          path.push(key);
          used = count;
        }
      }
      if (!used) break;
    }
    parts = parts.slice(used);
    node = childOf(here, path.at(-1) as string | number);
  }
  return path;
}
