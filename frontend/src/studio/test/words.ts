// The words of Test.

import { language, pick } from "../words";

const SECONDS = new Intl.NumberFormat(language === "de" ? "de-DE" : "en-GB", { maximumFractionDigits: 2 });

export const seconds = (count: number): string => `${SECONDS.format(count)} s`;

export const words = pick({
  en: {
    scenarios: "Scenarios",
    runAll: "Run all",
    runOne: "Run this one",
    running: "Running…",
    passed: (count: number) => `${count} passed`,
    failed: (count: number) => `${count} failed`,
    state: { passed: "passed", failed: "failed", leftOut: "left out", unknown: "not run", running: "running" },
    newFile: "New test file",
    fromTryOut: "From a try-out",
    fromConversation: "From a conversation",
    none: "This bot has no tests yet",
    noneHelp: "A test is a conversation with what the bot has to answer. Play one in the try-out and save it as a test, open a real conversation in a try-out, or write one.",
    choose: "Choose a scenario to see how it goes.",
    broken: "This file cannot be read at the moment.",
    difference: "What differs",
    accept: "Accept the new replies",
    acceptHelp: "Puts what came into the file, in place of what was expected.",
    accepted: (count: number) => (count === 1 ? "1 file changed. Save it when it is right." : `${count} files changed. Save them when they are right.`),
    jsonOf: (file: string) => `JSON of ${file}`,
    stale: "The files have changed since this run.",
  },
  de: {
    scenarios: "Szenarien",
    runAll: "Alle ausführen",
    runOne: "Dieses ausführen",
    running: "Läuft…",
    passed: (count) => `${count} bestanden`,
    failed: (count) => `${count} fehlgeschlagen`,
    state: { passed: "bestanden", failed: "fehlgeschlagen", leftOut: "ausgelassen", unknown: "nicht ausgeführt", running: "läuft" },
    newFile: "Neue Testdatei",
    fromTryOut: "Aus einem Versuch",
    fromConversation: "Aus einem Gespräch",
    none: "Dieser Bot hat noch keine Tests",
    noneHelp: "Ein Test ist ein Gespräch mit dem, was der Bot antworten muss. Spielen Sie eines im Versuch durch und sichern Sie es als Test, öffnen Sie ein echtes Gespräch im Versuch, oder schreiben Sie eines.",
    choose: "Wählen Sie ein Szenario, um zu sehen, wie es verläuft.",
    broken: "Diese Datei ist gerade nicht lesbar.",
    difference: "Was abweicht",
    accept: "Neue Antworten übernehmen",
    acceptHelp: "Schreibt in die Datei, was kam, anstelle dessen, was erwartet war.",
    accepted: (count) => (count === 1 ? "1 Datei geändert. Sichern Sie sie, wenn sie stimmt." : `${count} Dateien geändert. Sichern Sie sie, wenn sie stimmen.`),
    jsonOf: (file) => `JSON von ${file}`,
    stale: "Die Dateien haben sich seit diesem Lauf geändert.",
  },
});
