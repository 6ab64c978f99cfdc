// The calls of an open chat beside those of its feed, each a request and its answer.

import { bearer, FeedApi, type Fetch, type Place, refusal } from "./feed-api";
import type { SendFile } from "./upload-request";
import { type Content, type Kept, type LoginStatus, type Opened, type Opening, readKept, readOpened, readSpots, type Spots } from "./wire";

export class Api extends FeedApi {
  readonly #channelToken: string | undefined;

  constructor(place: Place, fetch: Fetch) {
    super(place, fetch);
    this.#channelToken = place.token;
  }

  async open(opening: Opening): Promise<Opened> {
    return readOpened(await this.json("sessions", this.#channelToken, { body: opening }));
  }

  /** Merges into what the bot remembers of the user. */
  async tell(token: string, id: string, context: Readonly<Record<string, unknown>>): Promise<void> {
    await this.json("messages", token, { body: { id, context } });
  }

  async say(token: string, id: string, content: Content): Promise<void> {
    await this.json("messages", token, { body: { id, ...content } });
  }

  /** Takes a file to the service. `onProgress`: 0 to 1. */
  async upload(token: string, file: File, sendFile: SendFile, onProgress: (part: number) => void, signal: AbortSignal): Promise<Kept> {
    const url = `${this.root}/files?name=${encodeURIComponent(file.name)}`;
    const response = await sendFile(url, { headers: bearer(token), body: file, onProgress, signal });
    if (!response.ok) throw await refusal(response);
    const kept = readKept(await response.json());
    // An address without an origin is the service's own.
    return { ...kept, url: kept.url.startsWith("/") ? `${this.server}${kept.url}` : kept.url };
  }

  /** What shows the page of a login's start that the login is this session's; refused when it is not. */
  async prove(token: string, challenge: string): Promise<string> {
    const { proof } = (await this.json("login-proof", token, { body: { challenge } })) as { proof: string };
    return proof;
  }

  /** Where the login stands that a card asks for. A word that is new to this page leaves the card as it is. */
  async loginStatus(token: string, link: string): Promise<LoginStatus> {
    const answer = await this.json(`login?link=${encodeURIComponent(link)}`, token, {});
    const { status } = (answer ?? {}) as { status?: unknown };
    return status === "through" || status === "over" ? status : "open";
  }

  /** Places of this name; the service asks its operator's geocoder. */
  async places(token: string, query: string): Promise<Spots> {
    return readSpots(await this.json(`places?q=${encodeURIComponent(query)}`, token, {}));
  }

  /** Any other call whose answer says nothing but that it was done. */
  async post(path: "erasure" | "rating", token: string, body: object): Promise<void> {
    await this.json(path, token, { body });
  }
}
