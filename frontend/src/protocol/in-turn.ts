// What the tabs of one browser do one after the other (Web Locks). Where that cannot be had, each does it at once.

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Longest wait for one's turn: a tab that never ends its own must not hold all others up. A busy machine may take some
 * seconds for a turn. */
const PATIENCE = 15000;

/** Plain http from another machine has no locks, and a page without an origin is refused them. */
export function inTurn(name: string): InTurn {
  return async <T>(work: () => Promise<T>) => {
    let going = undefined as Promise<T> | undefined;
    try {
      await navigator.locks?.request(name, { signal: AbortSignal.timeout(PATIENCE) }, () => (going = work()));
    } catch {
      // The turn did not come, or the work failed: whoever waits for that is told below.
    }
    return going ?? work();
  };
}
