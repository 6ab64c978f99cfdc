// Has the chat look at its connection when the network comes or goes, and when the page is seen again.

import type { ReactiveController, ReactiveControllerHost } from "lit";

export class WakeOnReturn implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly wake: (isNetworkNew: boolean) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    document.addEventListener("visibilitychange", this.#seenAgain);
    addEventListener("pageshow", this.#seenAgain);
  }

  hostDisconnected(): void {
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    document.removeEventListener("visibilitychange", this.#seenAgain);
    removeEventListener("pageshow", this.#seenAgain);
  }

  #online = (): void => this.wake(true);
  #offline = (): void => this.wake(false);
  #seenAgain = (): void => {
    if (document.visibilityState === "visible") this.wake(false);
  };
}
