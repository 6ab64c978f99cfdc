// Computes the wait before the next try (exponential backoff), and waits in a way that can be cut short.

const MIN_PAUSE = 1000;
const MAX_PAUSE = 30_000;

/**
 * Returns milliseconds, doubled with each failure from one second to thirty. Half of it is random, so that the browsers of
 * a service that was restarted do not all come back in the same moment.
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(MAX_PAUSE, MIN_PAUSE * 2 ** Math.max(0, failures - 1));
  return whole / 2 + (whole / 2) * random();
}

/** Lets callers wait; `cut` ends all waits at once. */
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
