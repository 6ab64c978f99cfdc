// How long to wait before the next try, and a wait that can be cut short. Decides nothing about what is tried.

const SHORTEST = 1000;
const LONGEST = 30_000;

/**
 * Doubles from one second to thirty. Half of it is left to chance, so that the browsers of a service that was
 * started again do not all come back in the same moment.
 */
export function pause(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST, SHORTEST * 2 ** Math.max(0, failures - 1));
  return whole / 2 + (whole / 2) * random();
}

/** Waits that end early together when `cut` is called. */
export class Sleeper {
  #waking = new Set<() => void>();

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waking.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#waking.add(end);
    });
  }

  cut(): void {
    for (const end of [...this.#waking]) end();
  }
}
