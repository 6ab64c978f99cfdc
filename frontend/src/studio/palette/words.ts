// The words of the palette.

import { pick } from "../words";

export const words = pick({
  en: {
    title: "Search and commands",
    placeholder: "Room, bot, conversation, step, command",
    results: "Results",
    none: "Nothing is called so. Try fewer letters.",
    kind: { room: "Room", bot: "Bot", command: "Command", conversation: "Conversation", step: "Step", entity: "Entity" },
    found: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  },
  de: {
    title: "Suche und Befehle",
    placeholder: "Raum, Bot, Gespräch, Schritt, Befehl",
    results: "Treffer",
    none: "Nichts heißt so. Versuchen Sie es mit weniger Buchstaben.",
    kind: { room: "Raum", bot: "Bot", command: "Befehl", conversation: "Gespräch", step: "Schritt", entity: "Entität" },
    found: (count) => (count === 1 ? "1 Treffer" : `${count} Treffer`),
  },
});
