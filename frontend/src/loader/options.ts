// The public face of the widget: what a page gives to `load` and what it gets. The types of the npm package are made from
// this file, which imports nothing.

export interface Options {
  /** Origin of the service; left out: where the script came from. The npm package needs it. */
  server?: string;
  bot: { id: string; name?: string; avatarUrl?: string };
  channel: { id: string; token?: string };
  user?: User;
  session?: Session;
  display?: Display;
  /** Language of the chat's own words, as in `de-AT`, until the bot tells its own. */
  locale?: string;
  /** What stands in the empty field. */
  placeholder?: string;
  /** Styles that are added to those of the chat and its window. */
  css?: string;
  theme?: "auto" | "light" | "dark";
}

/** `token`: a user token that your own server has signed; it alone makes the user known. */
export interface User {
  id?: string;
  name?: string;
  avatarUrl?: string;
  token?: string;
}

export interface Session {
  /** Start over: forget the open talk. */
  clear?: boolean;
  /** Merged into what the bot remembers of the user. */
  context?: Record<string, unknown>;
  /** What the page says in the user's name when the chat is first opened. */
  userMessage?: string;
  /** Whether that message is left out of what is shown. */
  hideUserMessage?: boolean;
}

export interface Display {
  /** A window with a button in the corner, or a part of the page. */
  mode?: "modal" | "inline";
  /** Of `inline`: the id of the element to stand in. */
  containerId?: string;
  launcher?: Launcher;
  /** A line beside the button that invites to the chat. */
  proactive?: Proactive;
  /** Whether a window that was left open is open on the next page, too; `true` when left out. */
  keepOpen?: boolean;
  /** A line above the field until the user has said something. */
  consent?: { text: string; link?: string };
}

export interface Launcher {
  /** Words beside the icon. */
  text?: string;
  /** The side of the page; left out: where lines end, which is the right one in English and the left one in Arabic. */
  side?: "left" | "right";
  /** Pixels from the two edges. */
  offset?: { side?: number; bottom?: number };
  /** Address of a picture in place of the icon. */
  icon?: string;
  /** No button: the page opens the window itself. */
  hidden?: boolean;
}

export interface Proactive {
  text: string;
  /** Seconds after which it is shown; 5 when left out. */
  after?: number;
  /** Paths of the pages on which it is shown, `*` for any characters; on all when left out. */
  pages?: readonly string[];
}

/** A message that came or was sent. */
export interface ChatMessage {
  id: string;
  from: "user" | "bot";
  text: string;
  createdAt: string;
}

export interface Events {
  open: undefined;
  close: undefined;
  /** Each message of the bot and of the user, once; not those that were there when the chat was opened. */
  message: ChatMessage;
  /** The number of the bot's messages that came while the window was closed. */
  unread: number;
  /** The user is logged in through the bot. */
  login: undefined;
  /** The chat could not be loaded, the service refused it, or the page gave what is not allowed: a sentence for developers. */
  error: Error;
}

export interface Widget {
  /** The element in the page. */
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  readonly unread: number;
  open(): void;
  close(): void;
  /** Says something in the user's name, also while the window is closed. */
  send(text: string): void;
  /** Goes on as another user, or with `null` as the browser's unknown one. */
  setUser(user: User | null): void;
  /** Merges into what the bot remembers of the user: at once in an open talk, else with its first message. */
  setContext(context: Record<string, unknown>): void;
  /** Calls `listener` from now on; the function that it returns ends that, as `off` does. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void;
  off<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): void;
  /** Takes everything out of the page: elements, listeners, connections. The talk stays. What may be called afterwards: `off` and `destroy`. */
  destroy(): void;
}
