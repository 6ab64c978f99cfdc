// Holds the session token: opens the session once, and again with the resume secret when the service no longer knows it.

import type { Api } from "./api";
import type { TabLock } from "./tab-lock";
import type { StoredValue } from "./stored-value";
import { type KeptSession, subjectOf } from "./kept-session";
import type { Opened, Opening } from "./wire";

export class Session {
  #token: string | null = null;
  #opening: Promise<string> | null = null;
  #isFirst = true;
  #isClearing = false;

  constructor(
    private readonly api: Pick<Api, "open">,
    private readonly secret: StoredValue,
    /** What the page wants said at the start; a renewal repeats none of it. */
    private readonly start: () => Opening,
    private readonly onOpened: (opened: Opened) => void,
    private readonly tabLock: TabLock,
    /** Where the session is kept for a closed window, which listens with it (`KeptSession`). */
    private readonly kept: StoredValue,
  ) {}

  /** The token, opening a session when there is none. Callers at the same time share one request. */
  token(): Promise<string> {
    if (this.#token !== null) return Promise.resolve(this.#token);
    // Tabs without a secret, which came in one instant, would begin a chat each: the second goes on with the first one's.
    this.#opening ??= (this.secret.get() === null ? this.tabLock(() => this.#open()) : this.#open()).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** The service refused `token`: forget it, unless another caller has renewed it meanwhile. */
  refused(token: string): void {
    if (this.#token !== token) return;
    this.#token = null;
    this.kept.set(null);
  }

  /** Opens a session in which the talk begins from its start. */
  async restart(): Promise<void> {
    // One that is on its way was asked for without that, and would be taken for it.
    await this.#opening?.catch(() => undefined);
    this.#token = null;
    this.#isClearing = true;
    await this.token();
  }

  async #open(): Promise<string> {
    const resume = this.secret.get();
    const { locale, timezone, ...once } = this.start();
    const opened = await this.api.open({
      ...(locale && { locale }),
      ...(timezone && { timezone }),
      ...(this.#isFirst && once),
      ...(once.user && { user: once.user }),
      ...(resume && { resume }),
      ...(this.#isClearing && { clear: true }),
    });
    this.#isFirst = this.#isClearing = false;
    this.#token = opened.token;
    if (opened.resume) this.secret.set(opened.resume);
    const { token, user, expires } = opened;
    this.kept.set(JSON.stringify({ token, user, expires, subject: subjectOf(once.user?.token) } satisfies KeptSession));
    this.onOpened(opened);
    return opened.token;
  }
}
