// Finds what is wrong with the options and arguments that a page gives: unknown names, values of another kind, texts
// that are too long. Each finding is a sentence that says what is allowed; what is wrong is left out.

import type { Options, User } from "../loader/options";
import { MAX_CHARS } from "../view/field";

/** A kind of value, the texts that are allowed, or the options below. */
type Rule = "text" | "message" | "context" | "number" | "boolean" | "object" | "texts" | readonly string[] | { readonly [name: string]: Rule };

const USER: Rule = { id: "text", name: "text", avatarUrl: "text", token: "text" };
/** As `Options` in loader/options.ts, which TypeScript checks and JavaScript does not. */
const OPTIONS: Rule = {
  server: "text",
  bot: { id: "text", name: "text", avatarUrl: "text" },
  channel: { id: "text", token: "text" },
  user: USER,
  session: { clear: "boolean", context: "context", userMessage: "message", hideUserMessage: "boolean" },
  display: {
    mode: ["modal", "inline"],
    containerId: "text",
    launcher: { text: "text", side: ["left", "right"], offset: { side: "number", bottom: "number" }, icon: "text", hidden: "boolean" },
    proactive: { text: "text", after: "number", pages: "texts" },
    keepOpen: "boolean",
    consent: { text: "text", link: "text" },
  },
  locale: "text",
  placeholder: "text",
  css: "text",
  theme: ["auto", "light", "dark"],
};
const KINDS = {
  text: "a text",
  message: `a text of at most ${MAX_CHARS} characters`,
  number: "a number",
  boolean: "true or false",
  object: "an object",
  context: "an object",
  texts: "a list of texts",
} as const;

/** Of the context of one request, as the service takes it. */
const MAX_CONTEXT_BYTES = 65_536;
const CONTEXT = "the context of setContext()";

/** In place of an argument that is not given: one that may not be left out, as options may. */
const MISSING = Symbol();

/** Tells a finding to developers. */
type Tell = (finding: string) => void;

/** Each returns what is right of what it is given, `undefined` for nothing, and tells the rest. */
export const rightOptions = (options: Options, tell: Tell) => right(options, OPTIONS, "", tell) as Options;
export const rightMessage = (text: unknown, tell: Tell) => right(text ?? MISSING, "message", "the text of send()", tell) as string | undefined;
export const rightContext = (context: unknown, tell: Tell) =>
  right(context ?? MISSING, "context", CONTEXT, tell) as Record<string, unknown> | undefined;
export const rightUser = (user: unknown, tell: Tell) => right(user, USER, "user", tell) as User | undefined;

/** Adds what `setContext` was given before the opening, each over the ones before; one that is wrong or too much is left out. */
export function withContexts(options: Options, contexts: readonly unknown[], tell: Tell): Options {
  let whole = options.session?.context;
  for (const given of contexts) {
    const context = rightContext(given, tell);
    const merged = context && { ...whole, ...context };
    whole = (right(merged, "context", `${CONTEXT}, with what was set before it,`, tell) as typeof merged) ?? whole;
  }
  return whole ? { ...options, session: { ...options.session, context: whole } } : options;
}

function right(value: unknown, rule: Rule, path: string, tell: Tell): unknown {
  // Left out; frameworks give null for that.
  if (value === undefined || value === null) return undefined;
  const rules = typeof rule === "string" || Array.isArray(rule) ? null : (rule as { readonly [name: string]: Rule });
  if (!isOfRule(value, rules ? "object" : (rule as string))) return void tell(wrong(value, rules ? "object" : rule, path));
  if (rule === "context") {
    const finding = wrongContext(value, path);
    if (finding) return void tell(finding);
  }
  if (!rules) return value;
  const entries = Object.entries(value).map(([name, given]) => {
    const own = Object.hasOwn(rules, name) && rules[name];
    const here = path ? `${path}.${name}` : name;
    if (!own) tell(`there is no option ${here}. Known here: ${Object.keys(rules).join(", ")}.`);
    return [name, own ? right(given, own, here, tell) : undefined] as const;
  });
  return Object.fromEntries(entries.filter(([, given]) => given !== undefined));
}

function isOfRule(value: unknown, rule: string | readonly string[]): boolean {
  if (typeof rule !== "string") return rule.includes(value as string);
  if (rule === "text") return typeof value === "string";
  if (rule === "message") return typeof value === "string" && [...value].length <= MAX_CHARS;
  if (rule === "object" || rule === "context") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (rule === "texts") return Array.isArray(value) && value.every((one) => typeof one === "string");
  return typeof value === rule && !Number.isNaN(value);
}

/** What is wrong with an object as the service would get it; empty: nothing. */
function wrongContext(value: unknown, path: string): string {
  const json = asJson(value);
  if (json === null) return `${path} is not JSON: it contains itself, a BigInt or something else that JSON.stringify() cannot write.`;
  // A Date, for example, is an object and written as a text.
  if (!json?.startsWith("{")) return wrong(value, "context", path);
  const bytes = new TextEncoder().encode(json).length;
  return bytes > MAX_CONTEXT_BYTES ? `${path} must have at most ${MAX_CONTEXT_BYTES} bytes of JSON, not ${bytes}.` : "";
}

/** Null for what JSON cannot hold, undefined for what it leaves out. */
function asJson(value: unknown): string | null | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

function wrong(value: unknown, rule: Rule, path: string): string {
  const wanted = typeof rule === "string" ? KINDS[rule] : (rule as readonly string[]).map((text) => `"${text}"`).join(" or ");
  const isLong = typeof value === "string" && value.length > 60;
  return `${path} must be ${wanted}, not ${value === MISSING ? "left out" : isLong ? `a text of ${[...value].length} characters` : (asJson(value) ?? typeof value)}.`;
}
