// A short talk that shows a look: greeting, a user's message, a question with quick replies. Nothing of it leaves the page.

import { type Message, readMessages } from "../../protocol/wire";
import type { Shown } from "../try-out/connection";
import { words } from "./words";

export function sampleTalk(): Shown {
  const createdAt = new Date().toISOString();
  const said = [
    { from: "bot", text: words.sample.greeting },
    { from: "user", text: words.sample.user },
    { from: "bot", text: words.sample.question, replies: words.sample.replies.map((label, at) => ({ key: `${at}`, title: label, value: label })) },
  ];
  const messages: Message[] = readMessages(said.map((one, at) => ({ id: `sample-${at}`, position: at + 1, type: "text", createdAt, replies: [], ...one })));
  return { messages, isBusy: false, isLost: false, generation: 0, problem: "", start: async () => undefined, say: async () => undefined, subscribe: () => () => true };
}
