// Entry of the widget's second stage: the chat, put into a window or a page by the loader.

import type { Options, User } from "../loader/options";
import type { ChatListener, MountedChat } from "../loader/stages";
import type { Opening } from "../protocol/wire";
import { DialoomChat, define } from "../view/dialoom-chat";
import { rightContext, rightMessage, rightOptions, rightUser, withContexts } from "./check-options";
import { Frame } from "./frame";
import { summaryOf } from "./message-summary";

const loadDialogs = async () => {
  const [dialogs, logins] = await Promise.all([import("../dialogs"), import("../logins")]);
  return { ...dialogs, ...logins };
};

export function mountChat(given: Options, server: string, listener: ChatListener, contexts: readonly unknown[]): MountedChat {
  const tell = (finding: string) => listener.onError(new TypeError(`Dialoom: ${finding}`));
  const options = withTag(withContexts(rightOptions(given, tell), contexts, tell), listener);
  define(loadDialogs);
  const chat = new DialoomChat();
  dress(chat, options, server);
  // The loader has looked at them: they are there.
  Object.assign(chat, { bot: String(given.bot.id), channel: String(given.channel.id) });
  chat.onclosing = listener.onClosing;
  chat.observer = {
    onMessages: (messages, isHistory) => {
      listener.onNews({ messages: messages.map(summaryOf), isHistory });
      if (!isHistory && messages.some(({ loggedIn }) => loggedIn)) listener.onLogin();
    },
    onBot: ({ name, look }) => {
      listener.onLook(look);
      if (frame) frame.element.ariaLabel = name;
    },
    onRefused: (reason) => listener.onError(new Error(`Dialoom: ${reason}`)),
  };
  if (options.css) addStyles(chat, options.css);
  const frame = listener.onClosing ? new Frame(chat, chat.name || chat.bot) : null;
  return {
    get isOpen() {
      return !frame?.element.hidden;
    },
    set isOpen(isOpen) {
      if (frame) frame.isOpen = isOpen;
    },
    enter: (place) => (place instanceof ShadowRoot ? frame?.enter(place) : chat.isConnected || place.append(chat)),
    remove: () => {
      chat.keepDraft();
      (frame ?? chat).remove();
    },
    focus: () => void chat.updateComplete.then(() => chat.focus()),
    // Blank text is nothing to say, as in the field.
    say: (text) => {
      const said = rightMessage(text, tell);
      if (said?.trim()) void chat.say(said);
    },
    tell: (context) => {
      const told = rightContext(context, tell);
      if (told) void chat.tell(told).catch((error: Error) => listener.onError(error));
    },
    setUser: (user) => {
      const known = rightUser(user, tell);
      if (known || !user) void chat.openAgain(opening(options, known));
    },
  };
}

/** The locale as a language tag, which all of `Intl` takes: `de_AT` is `de-AT`. One that is none is told and left out. */
function withTag({ locale, ...rest }: Options, listener: ChatListener): Options {
  if (!locale) return rest;
  try {
    return { ...rest, locale: new Intl.Locale(locale.replaceAll("_", "-")).toString() };
  } catch {
    listener.onError(new Error(`Dialoom: the locale "${locale}" is no language tag, such as "de" or "de-AT".`));
    return rest;
  }
}

function dress(chat: DialoomChat, options: Options, server: string): void {
  const { bot, channel, session } = options;
  Object.assign(chat, { server, opening: opening(options, options.user) });
  chat.token = channel.token ?? "";
  chat.name = bot.name ?? "";
  chat.avatar = bot.avatarUrl ?? "";
  chat.language = options.locale ?? "en";
  chat.placeholder = options.placeholder ?? "";
  chat.theme = options.theme ?? "auto";
  chat.consent = options.display?.consent ?? null;
  chat.hiddenText = session?.hideUserMessage ? (session.userMessage ?? "") : "";
}

function opening({ session, locale }: Options, user: User | undefined): Opening {
  const { hideUserMessage: _, ...said } = session ?? {};
  return { ...said, ...(user && { user }), ...(locale && { locale }) };
}

function addStyles(chat: DialoomChat, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  void chat.updateComplete.then(() => (chat.renderRoot as ShadowRoot).adoptedStyleSheets.push(sheet));
}
