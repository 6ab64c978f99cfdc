// The words of the web protocol: what the service sends and what it takes. Reads them defensively; asks for nothing itself.

export interface Option {
  /** Bound to the question that offered it; absent on a mere suggestion. */
  readonly key?: string;
  readonly title: string;
  readonly value?: unknown;
  readonly subtitle?: string;
  readonly image?: string;
  readonly system?: "next" | "previous";
  /** Confirms what stands beside it would correct; what it confirms may not be taken back. */
  readonly role?: "confirm" | "danger";
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
  /** The first and the last day of a date picker, `YYYY-MM-DD`. */
  readonly min?: string;
  readonly max?: string;
  /** Days of a date picker that cannot be chosen: `YYYY-MM-DD`, and weekdays, `monday` to `sunday`. */
  readonly off?: readonly string[];
  /** The service can search for places. */
  readonly search?: boolean;
  readonly map?: TileSource;
}

/** Where the squares of a map come from. */
export interface TileSource {
  /** An address with `{z}`, `{x}` and `{y}` in it. */
  readonly tiles: string;
  readonly attribution: string;
}

/** A place to choose from, as a search or the flow offers it. */
export interface Spot {
  readonly title: string;
  readonly subtitle: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** What a search for places has found. */
export interface Spots {
  readonly places: readonly Spot[];
  /** Whose data it is. */
  readonly attribution: string;
}

/** Searches for places by what they are called. */
export type FindPlaces = (query: string) => Promise<Spots>;

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
  /** Name of the person who said it instead of the bot. */
  readonly person?: string;
  readonly replies: readonly Option[];
  readonly dialog?: Dialog;
  readonly location?: Place;
  readonly files?: readonly Attached[];
  /** The open question is answered by a file. */
  readonly wants?: "file";
  /** The first that the bot says after a login: the card above is done with. */
  readonly loggedIn?: true;
  /** Another page of the replies of the message with this id, whose place it takes. */
  readonly replaces?: string;
}

/** How the bot's author wants the chat to look; what is left out is as the chat has it. */
export interface Look {
  readonly brand?: string;
  readonly background?: string;
  readonly font?: string;
  /** Pixels. */
  readonly radius?: number;
  /** What stands in the head in place of the name. */
  readonly header?: string;
  /** Words on the button that opens the chat. */
  readonly launcher?: string;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly language: string;
  readonly look: Look;
}

/** What the operator lets the chat's menu offer. */
export interface Channel {
  readonly mayErase: boolean;
  /** Address of the privacy notice; empty: there is none. */
  readonly privacyUrl: string;
  /** What users agree to by writing; empty: nothing is said. */
  readonly consent: string;
}

/** Whether the bot is at work; if not, which conversation has ended and is to be rated: empty for none. */
export interface Typing {
  readonly typing: boolean;
  readonly ended: string;
  /** Who has the chat instead of the bot: a person's name, empty while one is waited for; null: the bot. */
  readonly person: string | null;
}

/** The answer to POST web/sessions. */
export interface Opened extends Typing {
  readonly token: string;
  readonly user: string;
  /** Empty for a browser that has its secret already. */
  readonly resume: string;
  readonly bot: Bot;
  readonly messages: readonly Message[];
  readonly cursor: number;
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
export type LoginStatus = "open" | "through" | "over";

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
    ...readTyping(answer),
    channel: readChannel(fields(answer.channel)),
    expires: Date.parse(text(answer.expiresAt)) || 0,
  };
}

function readChannel(channel: Fields): Channel {
  return { mayErase: channel.mayErase === true, privacyUrl: text(channel.privacyUrl), consent: text(channel.consent) };
}

/** As answers have it, or the event, which calls it `on`. */
export function readTyping(value: unknown): Typing {
  const { typing, on, ended, handOff } = fields(value);
  return { typing: (typing ?? on) === true, ended: text(ended), person: handOff ? text(fields(handOff).person) : null };
}

export function readBot(value: unknown): Bot {
  const bot = fields(value);
  const about = { id: text(bot.id), name: text(bot.name), avatarUrl: text(bot.avatarUrl) || null, language: text(bot.language) || "en" };
  return { ...about, look: readLook(bot.look) };
}

function readLook(value: unknown): Look {
  const { radius, ...given } = fields(value);
  const texts = Object.entries(given).filter(([, written]) => typeof written === "string");
  return { ...Object.fromEntries(texts), ...(typeof radius === "number" && { radius }) };
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
    ...(text(given.person) && { person: text(given.person) }),
    replies: list(given.replies).map(readOption),
    ...(given.dialog != null && { dialog: readDialog(given.dialog) }),
    ...readLocation(given.location),
    ...(Array.isArray(given.files) && { files: given.files.map(readAttached) }),
    ...(given.wants === "file" && { wants: "file" }),
    ...(given.loggedIn === true && { loggedIn: true }),
    ...(text(given.replaces) && { replaces: text(given.replaces) }),
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
    ...(text(given.min) && { min: text(given.min) }),
    ...(text(given.max) && { max: text(given.max) }),
    ...(Array.isArray(given.off) && { off: given.off.map(text) }),
    ...(given.search === true && { search: true }),
    ...(text(fields(given.map).tiles) && {
      map: { tiles: text(fields(given.map).tiles), attribution: text(fields(given.map).attribution) },
    }),
  };
}

/** The place of an option, null for one that is none. */
export function spotOf(option: Option): Spot | null {
  return readSpot({ ...fields(option.value), title: option.title, subtitle: option.subtitle });
}

export function readSpots(value: unknown): Spots {
  const given = fields(value);
  return {
    places: list(given.places)
      .map(readSpot)
      .filter((spot) => spot !== null),
    attribution: text(given.attribution),
  };
}

function readSpot(value: unknown): Spot | null {
  const { title, subtitle, latitude, longitude } = fields(value);
  if (typeof latitude !== "number" || typeof longitude !== "number") return null;
  return { title: text(title), subtitle: text(subtitle), latitude, longitude };
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
    ...((given.role === "confirm" || given.role === "danger") && { role: given.role }),
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
