// The few words that a closed widget says: English in the code, those of another language from the file that the chat reads.

/** Put in by the build: what the English file says. */
declare const LAUNCHER_WORDS: LauncherWords;
declare const LANGUAGES: readonly string[];

export interface LauncherWords {
  readonly chatWith: string;
  readonly close: string;
  readonly unread: string;
  readonly notNow: string;
}

export const english = LAUNCHER_WORDS;

export async function launcherWords(tag: string, server: string): Promise<LauncherWords> {
  const language = (`${tag}`.split("-")[0] ?? "").toLowerCase();
  if (language === "en" || !LANGUAGES.includes(language)) return english;
  const words = await fetch(`${server}/static/words/${language}.json`, { credentials: "omit" })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  return { ...english, ...words };
}

/** Each of these words has one place for a value. */
export function fill(text: string, value: string | number): string {
  return text.replace(/\{\w+\}/, () => `${value}`);
}
