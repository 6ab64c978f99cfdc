// What a user has set for chats in this browser: the size of texts, and whether news are heard.

import { storedValue } from "../protocol/stored-value";

/** Factors of the text's size, in the order in which the menu goes through them. */
export const SIZES = [1, 1.15, 1.3] as const;

export interface Preferences {
  readonly size: number;
  readonly hasSound: boolean;
}

const stored = storedValue(() => localStorage, "dialoom:preferences");

export function preferences(): Preferences {
  try {
    const { size, hasSound } = JSON.parse(stored.get() ?? "{}") as Partial<Preferences>;
    return { size: SIZES.find((known) => known === size) ?? 1, hasSound: hasSound === true };
  } catch {
    return { size: 1, hasSound: false };
  }
}

export function prefer(change: Partial<Preferences>): Preferences {
  const changed = { ...preferences(), ...change };
  stored.set(JSON.stringify(changed));
  return changed;
}
