// The words of the web protocol: what the service sends and what it takes. Reads them defensively; asks for nothing itself.

export interface Option {
  /** Bound to the question that offered it; absent on a mere suggestion. */
  readonly key?: string;
  readonly title: string;
  readonly value?: unknown;
  readonly subtitle?: string;
  readonly image?: string;
  readonly system?: "next" | "previous";
}

export interface Dialog {
  readonly type: string;
  /** Text of the button that opens it. */
  readonly title: string;
  /** Text of the button that submits. */
  readonly buttonText: string;
  readonly options: readonly Option[];
  /** Of the asking: an answer that has no option's key names it. */
  readonly key?: string;
  /** Where a login's button leads. */
  readonly url?: string;
  /** The picture of a login's card. */
  readonly image?: string;
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
}

/** A file in a message. `url` is the service's, or a small picture of one's own while the message is on its way. */
export interface Attached {
  readonly url: string;
  readonly mimeType: string;
  readonly name: string;
}

/** A file that the service has taken. */
export interface Kept extends Attached {
  readonly id: string;
}

export interface Message {
  readonly id: string;
  readonly position: number;
  readonly from: "user" | "bot";
  readonly type: string;
  readonly text: string;
  readonly createdAt: string;
  /** On the user's own messages: the id that this or another tab gave it. */
  readonly clientId?: string;
  readonly replies: readonly Option[];
  readonly dialog?: Dialog;
  readonly location?: Place;
  readonly files?: readonly Attached[];
  /** The open question is answered by a file. */
  readonly wants?: "file";
  /** The first that the bot says after a login: the card above is done with. */
  readonly loggedIn?: true;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly language: string;
}

/** What the operator lets the chat's menu offer. */
export interface Channel {
  readonly mayErase: boolean;
  /** Address of the privacy notice; empty: there is none. */
  readonly privacyUrl: string;
}

/** The answer to POST web/sessions. */
export interface Opened {
  readonly token: string;
  readonly user: string;
  /** Empty for a browser that has its secret already. */
  readonly resume: string;
  readonly bot: Bot;
  readonly messages: readonly Message[];
  readonly cursor: number;
  readonly typing: boolean;
  readonly channel: Channel;
  /** When the session ends, in milliseconds since 1970. */
  readonly expires: number;
}

export type Content =
  | { readonly text: string }
  | { readonly option: Choice; readonly ask?: string }
  | { readonly location: Place; readonly ask?: string }
  /** Ids of files that the service has taken. */
  | { readonly files: readonly string[] };

export type Choice = { readonly key: string } | { readonly keys: readonly string[] } | { readonly value: unknown };

/** Whether a login may still come of a card's link; if not, whether the user is logged in. */
export type Standing = "open" | "through" | "over";

/** The body of POST web/sessions. */
export interface Opening {
  readonly user?: { readonly id?: string; readonly name?: string; readonly avatarUrl?: string; readonly token?: string };
  readonly context?: Readonly<Record<string, unknown>>;
  readonly clear?: boolean;
  readonly userMessage?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly resume?: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function readOpened(value: unknown): Opened {
  const answer = fields(value);
  return {
    token: text(answer.token),
    user: text(fields(answer.user).id),
    resume: text(answer.resume),
    bot: readBot(answer.bot),
    messages: readMessages(answer.messages),
    cursor: Number(answer.cursor) || 0,
    typing: answer.typing === true,
    channel: { mayErase: fields(answer.channel).mayErase === true, privacyUrl: text(fields(answer.channel).privacyUrl) },
    expires: Date.parse(text(answer.expiresAt)) || 0,
  };
}

export function readBot(value: unknown): Bot {
  const bot = fields(value);
  return { id: text(bot.id), name: text(bot.name), avatarUrl: text(bot.avatarUrl) || null, language: text(bot.language) || "en" };
}

export function readMessages(value: unknown): Message[] {
  return list(value).map(readMessage).filter((message) => message !== null);
}

/** Null for what is no message at all: newer services may send more than this page knows. */
export function readMessage(value: unknown): Message | null {
  const given = fields(value);
  const position = given.position;
  if (typeof given.id !== "string" || typeof position !== "number" || !Number.isSafeInteger(position)) return null;
  return {
    id: given.id,
    position,
    from: given.from === "user" ? "user" : "bot",
    type: text(given.type),
    text: text(given.text),
    createdAt: text(given.createdAt),
    ...(typeof given.clientId === "string" && { clientId: given.clientId }),
    replies: list(given.replies).map(readOption),
    ...(given.dialog != null && { dialog: readDialog(given.dialog) }),
    ...readLocation(given.location),
    ...(Array.isArray(given.files) && { files: given.files.map(readAttached) }),
    ...(given.wants === "file" && { wants: "file" }),
    ...(given.loggedIn === true && { loggedIn: true }),
  };
}

function readLocation(value: unknown): { location?: Place } {
  const { latitude, longitude, name } = fields(value);
  if (typeof latitude !== "number" || typeof longitude !== "number") return {};
  return { location: { latitude, longitude, ...(text(name) && { name: text(name) }) } };
}

function readAttached(value: unknown): Attached {
  const given = fields(value);
  return { url: text(given.url), mimeType: text(given.mimeType), name: text(given.name) };
}

export function readKept(value: unknown): Kept {
  return { id: text(fields(value).id), ...readAttached(value) };
}

export function readDialog(value: unknown): Dialog {
  const given = fields(value);
  return {
    type: text(given.type),
    title: text(given.title),
    buttonText: text(given.buttonText),
    options: list(given.options).map(readOption),
    ...(text(given.key) && { key: text(given.key) }),
    ...(text(given.url) && { url: text(given.url) }),
    ...(text(given.image) && { image: text(given.image) }),
  };
}

function readOption(value: unknown): Option {
  const given = fields(value);
  return {
    title: text(given.title) || text(given.value),
    ...(text(given.key) && { key: text(given.key) }),
    ...(given.value !== undefined && { value: given.value }),
    ...(text(given.subtitle) && { subtitle: text(given.subtitle) }),
    ...(text(given.image) && { image: text(given.image) }),
    ...((given.system === "next" || given.system === "previous") && { system: given.system }),
  };
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
