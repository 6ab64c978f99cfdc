// The words of Hand-off.

import { language, pick } from "../words";

const CLOCK = new Intl.DateTimeFormat(language === "de" ? "de-DE" : "en-GB", { hour: "2-digit", minute: "2-digit" });
const LIST = new Intl.NumberFormat(language === "de" ? "de-DE" : "en-GB");

export const clock = (iso: string): string => CLOCK.format(new Date(iso));

/** How long ago, as short as it is read: "now", "4 min", "2 h". */
export function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return words.now;
  return minutes < 120 ? `${LIST.format(minutes)} min` : `${LIST.format(Math.floor(minutes / 60))} h`;
}

export const words = pick({
  en: {
    title: "Hand-off",
    now: "now",
    queue: "Chats",
    waiting: "Waiting",
    mine: "Yours",
    others: "With others",
    nobodyWaits: "Nobody waits",
    nobodyWaitsHelp: "A chat comes here when the bot hands it over: a step “stay-silent” with “live-agent”.",
    noQueue: "This bot hands no chat over",
    noQueueHelp: "Add a step “stay-silent” with “live-agent” in Build, and its chats come here.",
    choose: "Choose a chat",
    chooseHelp: "Up and down choose, T takes, Esc leaves.",
    unread: (count: number) => (count === 1 ? "1 new message" : `${count} new messages`),
    since: (time: string) => `waits since ${time}`,
    with: (name: string) => `with ${name}`,
    bot: "Bot",
    take: "Take",
    giveBack: "Give back to the bot",
    passOn: "Pass on to …",
    back: "All chats",
    chat: "Chat",
    answer: "Answer",
    answerHint: "Enter sends, Shift and Enter begins a line",
    send: "Send",
    takeFirst: "Take this chat to answer.",
    theirs: (name: string) => `${name} has this chat. You can leave a note.`,
    silentUntil: (time: string) => `The bot is silent until ${time}; each answer renews that.`,
    over: "This chat is the bot’s again.",
    about: "Notes and context",
    notes: "Notes",
    noNotes: "Only people see notes.",
    note: "New note",
    addNote: "Add note",
    known: "What the bot knows",
    nothingKnown: "Nothing yet.",
    notLoaded: "The chats did not load",
    notLive: "Not live: the service does not answer",
    answeringAs: (name: string) => `You answer as ${name}`,
    sound: "Sound",
    openConversation: "Open in Conversations",
    noText: "(no text)",
  },
  de: {
    title: "Übergabe",
    now: "jetzt",
    queue: "Chats",
    waiting: "Wartend",
    mine: "Ihre",
    others: "Bei anderen",
    nobodyWaits: "Niemand wartet",
    nobodyWaitsHelp: "Ein Chat kommt hierher, wenn der Bot ihn übergibt: ein Schritt „stay-silent“ mit „live-agent“.",
    noQueue: "Dieser Bot übergibt keine Chats",
    noQueueHelp: "Fügen Sie in Bauen einen Schritt „stay-silent“ mit „live-agent“ hinzu, dann kommen seine Chats hierher.",
    choose: "Wählen Sie einen Chat",
    chooseHelp: "Auf und Ab wählen, T übernimmt, Esc verlässt.",
    unread: (count: number) => (count === 1 ? "1 neue Nachricht" : `${count} neue Nachrichten`),
    since: (time: string) => `wartet seit ${time}`,
    with: (name: string) => `bei ${name}`,
    bot: "Bot",
    take: "Übernehmen",
    giveBack: "An den Bot zurückgeben",
    passOn: "Weitergeben an …",
    back: "Alle Chats",
    chat: "Chat",
    answer: "Antwort",
    answerHint: "Enter sendet, Umschalt und Enter beginnt eine Zeile",
    send: "Senden",
    takeFirst: "Übernehmen Sie diesen Chat, um zu antworten.",
    theirs: (name: string) => `${name} hat diesen Chat. Sie können eine Notiz hinterlassen.`,
    silentUntil: (time: string) => `Der Bot schweigt bis ${time}; jede Antwort verlängert das.`,
    over: "Dieser Chat gehört wieder dem Bot.",
    about: "Notizen und Kontext",
    notes: "Notizen",
    noNotes: "Notizen sehen nur Mitarbeitende.",
    note: "Neue Notiz",
    addNote: "Notiz hinzufügen",
    known: "Was der Bot weiß",
    nothingKnown: "Noch nichts.",
    notLoaded: "Die Chats kamen nicht",
    notLive: "Nicht aktuell: Der Dienst antwortet nicht",
    answeringAs: (name: string) => `Sie antworten als ${name}`,
    sound: "Ton",
    openConversation: "In Gespräche öffnen",
    noText: "(kein Text)",
  },
});
