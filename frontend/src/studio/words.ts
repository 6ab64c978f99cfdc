// The language of the studio's pages, and the words of its frame. Each folder has its own words beside what uses them.

export type Language = "en" | "de";

/** Returns the language of the studio for a reader whose browser prefers these languages (BCP 47 tags, best first). */
export function languageOf(preferred: readonly string[]): Language {
  const found = preferred.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => tag === "en" || tag === "de");
  return found === "de" ? "de" : "en";
}

export const language: Language = languageOf(navigator.languages?.length ? navigator.languages : [navigator.language ?? "en"]);

/** How numbers and moments are written. */
export const LOCALE = language === "de" ? "de-DE" : "en-GB";

/** Returns the texts in the reader's language. English says which texts there are. */
export function pick<Texts>(texts: { readonly en: Texts; readonly de: NoInfer<Texts> }): Texts {
  return texts[language];
}

export const words = pick({
  en: {
    studio: "Studio",
    bots: "Bots",
    chooseBot: "Choose a bot",
    switchBot: ", choose another bot",
    findBot: "Find a bot",
    noBotFound: "No bot has this name.",
    rooms: "Rooms",
    room: {
      build: "Build",
      understand: "Understand",
      test: "Test",
      conversations: "Conversations",
      insights: "Insights",
      "hand-off": "Hand-off",
      operate: "Operate",
      people: "People",
    },
    home: "Home",
    reference: "API reference",
    newTab: " (opens a new tab)",
    signOut: "Sign out",
    loading: "Loading",
    tryOut: "Try out",
    unsavedTitle: (bot: string) => `“${bot}” has changes that are not saved`,
    unsavedHelp: "Another bot takes their place here.",
    stay: "Stay here",
    dropChanges: "Drop them",
    saveChanges: "Save them",
    notDecided: "Nothing is saved yet: somebody else changed these files. Save again to choose what stays.",
    search: "Search",
    controlK: "Ctrl K",
    unknownBot: (id: string) => `There is no bot “${id}” here`,
    unknownBotHelp: "It may have been taken away, or it has another id. Choose one of the bots beside.",
    notLoaded: (room: string) => `${room} could not be loaded`,
    notLoadedHelp: "The service may have been updated, or the network failed. What you have saved is not touched.",
    loadAgain: "Load the page again",
    tryAgain: "Try again",
    copy: "Copy",
    copied: "Copied",
    copyWhat: (what: string) => `Copy ${what}`,
    copiedWhat: (what: string) => `${what}: copied`,
    cannotCopy: "This browser does not let the page copy. Mark the text and copy it yourself.",
    answered: (status: number) => `The service answered with ${status}. Try again in a moment.`,
    unreachable: "The service cannot be reached. See whether it runs, then try again.",
    moment: "One moment…",
    unpublished: (count: number) => (count === 1 ? "Unpublished · 1 change" : `Unpublished · ${count} changes`),
    goesLive: "Changes made in the studio go live only when somebody publishes them.",
    signedOut: {
      nobody: ["Sign in to the studio", "Open the link that the service showed when it started, or make a new one on its machine:"],
      over: ["This link does not work any more", "A link signs in once, within 15 minutes. Make a new one on the service’s machine:"],
      ended: ["Your session is over", "It lasts 12 hours, or somebody ended it. Sign in again in another tab, and go on here: what is not saved stays. This makes a link on the service’s machine:"],
      left: ["You are signed out", "To come back, make a new link on the service’s machine:"],
      failed: ["You could not be signed in", ""],
    } as Readonly<Record<string, readonly [title: string, what: string]>>,
    goOn: "Go on",
    signInWith: (provider: string) => `Sign in with ${provider}`,
    or: "or",
    theCommand: "the command",
    sameSettings: "With the same settings as the service: -\u2060-\u2060data or -\u2060-\u2060database, -\u2060-\u2060host and -\u2060-\u2060port.",
  },
  de: {
    studio: "Studio",
    bots: "Bots",
    chooseBot: "Bot wählen",
    switchBot: ", anderen Bot wählen",
    findBot: "Bot suchen",
    noBotFound: "Kein Bot heißt so.",
    rooms: "Räume",
    room: {
      build: "Bauen",
      understand: "Verstehen",
      test: "Testen",
      conversations: "Gespräche",
      insights: "Auswertung",
      "hand-off": "Übergabe",
      operate: "Betrieb",
      people: "Personen",
    },
    home: "Übersicht",
    reference: "API-Referenz",
    newTab: " (öffnet einen neuen Tab)",
    signOut: "Abmelden",
    loading: "Wird geladen",
    tryOut: "Ausprobieren",
    unsavedTitle: (bot) => `„${bot}“ hat Änderungen, die nicht gesichert sind`,
    unsavedHelp: "Ein anderer Bot tritt hier an ihre Stelle.",
    stay: "Hier bleiben",
    dropChanges: "Verwerfen",
    saveChanges: "Sichern",
    notDecided: "Noch ist nichts gesichert: Jemand anders hat diese Dateien geändert. Sichern Sie noch einmal, um zu wählen, was bleibt.",
    search: "Suchen",
    controlK: "Strg K",
    unknownBot: (id) => `Hier gibt es keinen Bot „${id}“`,
    unknownBotHelp: "Vielleicht wurde er entfernt oder hat eine andere Id. Wählen Sie daneben einen der Bots.",
    notLoaded: (room) => `„${room}“ konnte nicht geladen werden`,
    notLoadedHelp: "Vielleicht wurde der Dienst aktualisiert oder das Netz ist ausgefallen. Was Sie gespeichert haben, bleibt, wie es ist.",
    loadAgain: "Seite neu laden",
    tryAgain: "Noch einmal versuchen",
    copy: "Kopieren",
    copied: "Kopiert",
    copyWhat: (what) => `Kopieren: ${what}`,
    copiedWhat: (what) => `${what}: kopiert`,
    cannotCopy: "Dieser Browser lässt die Seite nicht kopieren. Markieren Sie den Text und kopieren Sie ihn selbst.",
    answered: (status) => `Der Dienst hat mit ${status} geantwortet. Versuchen Sie es gleich noch einmal.`,
    unreachable: "Der Dienst ist nicht erreichbar. Prüfen Sie, ob er läuft, und versuchen Sie es dann noch einmal.",
    moment: "Einen Moment…",
    unpublished: (count) => (count === 1 ? "Unveröffentlicht · 1 Änderung" : `Unveröffentlicht · ${count} Änderungen`),
    goesLive: "Änderungen aus dem Studio gehen erst live, wenn jemand sie veröffentlicht.",
    signedOut: {
      nobody: ["Am Studio anmelden", "Öffnen Sie den Link, den der Dienst beim Start gezeigt hat, oder erzeugen Sie auf seinem Rechner einen neuen:"],
      over: ["Dieser Link gilt nicht mehr", "Ein Link meldet einmal an, innerhalb von 15 Minuten. Erzeugen Sie auf dem Rechner des Dienstes einen neuen:"],
      ended: ["Ihre Sitzung ist zu Ende", "Sie dauert 12 Stunden, oder jemand hat sie beendet. Melden Sie sich in einem anderen Tab wieder an und machen Sie hier weiter: Nicht Gesichertes bleibt. Einen Link erzeugt auf dem Rechner des Dienstes:"],
      left: ["Sie sind abgemeldet", "Um zurückzukommen, erzeugen Sie auf dem Rechner des Dienstes einen neuen Link:"],
      failed: ["Sie konnten nicht angemeldet werden", ""],
    },
    goOn: "Weitermachen",
    signInWith: (provider) => `Mit ${provider} anmelden`,
    or: "oder",
    theCommand: "der Befehl",
    sameSettings: "Mit denselben Einstellungen wie der Dienst: -\u2060-\u2060data oder -\u2060-\u2060database, -\u2060-\u2060host und -\u2060-\u2060port.",
  },
});
