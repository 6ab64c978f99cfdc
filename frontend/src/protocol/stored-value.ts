// Stores small values of a chat in the browser. Where storage is full, forbidden or absent, they last as long as the page.

export interface StoredValue {
  get(): string | null;
  set(value: string | null): void;
}

/** `storage` is a function because already reading `window.localStorage` throws where the user forbids it. */
export function storedValue(storage: () => Storage, name: string): StoredValue {
  let here: string | null = null;
  return {
    get() {
      return attempt(() => storage().getItem(name)) ?? here;
    },
    set(value) {
      here = value;
      attempt(() => (value === null ? storage().removeItem(name) : storage().setItem(name, value)));
    },
  };
}

/** Only calls of the browser's storage are in here, which fails in more ways than one: forbidden, full, absent or null. */
function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
