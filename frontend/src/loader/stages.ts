// What the loader knows of the code that it loads later: the types of the two parts, and where they come from.

import type { ChatMessage, Options, Proactive, User } from "./options";
import type { LauncherLook, Remembered } from "./remembered";

export interface MessageSummary {
  readonly message: ChatMessage;
  /** Counts a chat's messages from 1. */
  readonly position: number;
  /** The beginning of its text, plain. */
  readonly snippet: string;
}

export interface News {
  /** In their order. */
  readonly messages: readonly MessageSummary[];
  /** Whether they were there before this page looked: they are no events. */
  readonly isHistory: boolean;
}

/** What a chat tells the loader. */
export interface ChatListener {
  onNews(news: News): void;
  onLook(look: LauncherLook): void;
  onLogin(): void;
  onError(error: Error): void;
  /** The user closes the window; null for a chat that is a part of the page. */
  readonly onClosing: (() => void) | null;
}

/** A chat in the page. */
export interface MountedChat {
  /** Of a chat in a window: whether that is shown. */
  isOpen: boolean;
  /** Puts it into the page, or into it again. */
  enter(place: HTMLElement | ShadowRoot): void;
  /** Takes it out and ends its connections. */
  remove(): void;
  focus(): void;
  say(text: string): void;
  tell(context: Record<string, unknown>): void;
  setUser(user: User | null): void;
}

/** The chat itself: with everything that it shows, but the dialogs. */
export interface ChatStage {
  /** `contexts`: what the page has set before, not looked at yet. */
  mountChat(options: Options, server: string, listener: ChatListener, contexts: readonly unknown[]): MountedChat;
}

/** What a line needs to know of the corner that it stands in. */
export interface InvitingCorner {
  readonly isOpen: boolean;
  line: string;
}

/** What a closed window does without the chat. */
export interface FollowStage {
  /** Listens for messages after the position `seen`, with the session that is kept; returns what ends that. */
  follow(options: Options, server: string, kept: string | null, seen: number, onNews: (news: News) => void): () => void;
  /** Shows a line in the corner when it is time, unless the user has closed one or opened the chat. */
  invite(proactive: Proactive, corner: InvitingCorner, memory: { get(): Remembered }, ended: AbortSignal): void;
}

export interface Preloaded {
  /** Rejects when a file does not come, or is another one than that of the loader's version. */
  readonly ready: Promise<unknown>;
  /** Takes the traces of it out of the page. */
  remove(): void;
}

export interface Stages {
  chat(): Promise<ChatStage>;
  follow(): Promise<FollowStage>;
  /** Has the browser fetch the chat's files ahead. */
  preload(): Preloaded;
}
