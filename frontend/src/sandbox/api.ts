// What the sandbox's server tells of each channel, as a stream, and what the person does there.

export interface Span {
  text: string;
  styles?: string[];
  url?: string;
}

/** Something to tap. Beside `title` it is sent back as it came; `open` leads to an address by itself. */
export interface Action {
  title: string;
  do: string;
  url?: string;
  image?: string | null;
  width?: number;
  [more: string]: unknown;
}

/** A node of an Adaptive Card, an element, an input or an action. */
export interface AdaptiveNode {
  type: string;
  id?: string;
  [more: string]: unknown;
}

export interface Card {
  title?: string;
  subtitle?: string;
  image?: string | null;
  rows?: Action[][];
  adaptive?: AdaptiveNode;
}

export interface Item {
  id: string;
  from: "bot" | "user";
  spans: Span[];
  image?: string;
  rows?: Action[][];
  cards?: Card[];
  note?: string;
}

export interface Screen {
  items: Item[];
  replies?: Action[];
  keyboard?: Action[][];
  actions: Action[];
  notes: string[];
  typing?: boolean;
}

export interface Exchange {
  number: number;
  caller: "service" | "platform";
  method: string;
  address: string;
  status: number | null;
  body: unknown;
  answer: unknown;
}

export interface Column {
  platform: string;
  channel: string;
  name: string;
  problems: string[];
  screen: Screen;
  exchanges: Exchange[];
}

export interface State {
  bot: string;
  columns: Column[];
}

/** Follows the state until the returned function is called. `lost` says that the server does not answer. */
export function follow(seen: (state: State) => void, lost: () => void): () => void {
  const stream = new EventSource("/state");
  stream.onmessage = (event: MessageEvent<string>) => seen(JSON.parse(event.data) as State);
  stream.onerror = lost;
  return () => stream.close();
}

/** Does something as the user of a channel. Gives the address that the user's browser opens, or the problem. */
export async function act(channel: string, action: object): Promise<{ open?: string | null; problem?: string }> {
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/act", { method: "POST", headers, body: JSON.stringify({ channel, action }) });
    return (await answer.json()) as { open?: string | null; problem?: string };
  } catch {
    return { problem: "The sandbox does not answer. Is the service still running?" };
  }
}
