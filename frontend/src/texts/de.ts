// The chat's own words in German.

import type { Words } from "./en";

export const de: Words = {
  begin: "Schreiben Sie eine Nachricht, um zu beginnen.",
  chatWith: "Chat mit {name}",
  close: "Schließen",
  connecting: "Verbindung wird aufgebaut …",
  failed: "Nicht gesendet",
  left: "Verbleibende Zeichen: {n}",
  newMessages: "Neue Nachrichten",
  notNow: "Dieser Chat lässt sich gerade nicht öffnen.",
  offline: "Sie sind offline. Ihre Nachrichten werden gesendet, sobald Sie wieder verbunden sind.",
  options: "Auswahl",
  over: "{n} Zeichen zu lang",
  place: "Standort",
  file: "Datei",
  placeholder: "Nachricht schreiben …",
  reconnecting: "Verbindung wird wiederhergestellt …",
  replies: "Antwortvorschläge",
  retry: "Erneut versuchen",
  said: "{name} sagt:",
  send: "Senden",
  sending: "Wird gesendet",
  submit: "Fertig",
  tryAgain: "Erneut versuchen",
  typeAnswer: "Bitte geben Sie Ihre Antwort ein.",
  typing: "{name} schreibt",
  youSaid: "Sie sagen:",
};
