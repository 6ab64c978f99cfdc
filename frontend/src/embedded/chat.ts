// Entry of the widget's second stage: the chat, put into a window or a page by the loader.

import type { Options, User } from "../loader/options";
import type { ChatListener, MountedChat } from "../loader/stages";
import type { Opening } from "../protocol/wire";
import { fill, wordsFor } from "../texts";
import { DialoomChat, define } from "../view/dialoom-chat";
import { Frame } from "./frame";
import { summaryOf } from "./message-summary";

const loadDialogs = async () => {
  const [dialogs, logins] = await Promise.all([import("../dialogs"), import("../logins")]);
  return { ...dialogs, ...logins };
};

export function mountChat(given: Options, server: string, listener: ChatListener): MountedChat {
  const options = withTag(given, listener);
  define(loadDialogs);
  const chat = new DialoomChat();
  dress(chat, options, server);
  chat.onclosing = listener.onClosing;
  chat.observer = {
    onMessages: (messages, isHistory) => {
      listener.onNews({ messages: messages.map(summaryOf), isHistory });
      if (!isHistory && messages.some(({ loggedIn }) => loggedIn)) listener.onLogin();
    },
    onLook: (look) => listener.onLook(look),
    onRefused: (reason) => listener.onError(new Error(`Dialoom: ${reason}`)),
  };
  if (options.css) addStyles(chat, options.css);
  const frame = listener.onClosing ? new Frame(chat, fill(wordsFor(chat.language).chatWith, { name: chat.name || chat.bot })) : null;
  return {
    get isOpen() {
      return !frame?.element.hidden;
    },
    set isOpen(isOpen) {
      if (frame) frame.isOpen = isOpen;
    },
    enter: (place) => (place instanceof ShadowRoot ? frame?.enter(place) : chat.isConnected || place.append(chat)),
    remove: () => (frame ?? chat).remove(),
    focus: () => void chat.updateComplete.then(() => chat.focus()),
    // Blank text is nothing to say, as in the field.
    say: (text) => void (text.trim() && chat.say(text)),
    tell: (context) => void chat.tell(context).catch((error: Error) => listener.onError(error)),
    setUser: (user) => void chat.openAgain(opening(options, user ?? undefined)),
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
  Object.assign(chat, { server, bot: bot.id, channel: channel.id, opening: opening(options, options.user) });
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
