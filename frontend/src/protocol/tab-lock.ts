// Runs work of all tabs of a browser one after the other (Web Locks). Where the browser has no locks, each tab runs it at once.

export type TabLock = <T>(work: () => Promise<T>) => Promise<T>;

/** Milliseconds to wait for the lock: a tab that never releases it must not hold up all others. On a busy machine a tab may
 * hold it for some seconds. */
const MAX_WAIT = 15000;

/** Plain http from another machine has no locks, and a page without an origin is refused them. */
export function tabLock(name: string): TabLock {
  return async <T>(work: () => Promise<T>) => {
    let going = undefined as Promise<T> | undefined;
    try {
      await navigator.locks?.request(name, { signal: AbortSignal.timeout(MAX_WAIT) }, () => (going = work()));
    } catch {
      // The lock was not granted in time, or the work failed: its own promise, returned below, says which.
    }
    return going ?? work();
  };
}
