import { afterEach, expect, test, vi } from "vitest";
import { Api } from "../src/protocol/api";
import { Refusal } from "../src/protocol/feed-api";
import { pass } from "./fake-service";

afterEach(() => {
  vi.useRealTimers();
});

const place = { server: "https://chat.test", bot: "a/b", channel: "c d", token: "channel-token" };

function answering(response: Response) {
  const asked: { url: string; init: RequestInit }[] = [];
  const api = new Api(place, async (url, init) => {
    asked.push({ url, init });
    return response.clone();
  });
  return { api, asked };
}

test("names of bots and channels cannot lead to another path", async () => {
  const { api, asked } = answering(Response.json({}));
  await api.open({});
  expect(asked[0]?.url).toBe("https://chat.test/v1/bots/a%2Fb/channels/c%20d/web/sessions");
});

test("the session is opened with the channel's token and everything else with the session's", async () => {
  const { api, asked } = answering(Response.json({ messages: [] }));
  await api.open({});
  await api.poll("session-token", 4, 25, new AbortController().signal);
  const tokens = asked.map(({ init }) => new Headers(init.headers).get("authorization"));
  expect(tokens).toEqual(["Bearer channel-token", "Bearer session-token"]);
  expect(asked[1]?.url).toContain("/web/messages?after=4&wait=25");
});

test("no cookie goes along and nothing comes from a cache", async () => {
  const { api, asked } = answering(Response.json({}));
  await api.say("t", "1", { text: "x" });
  expect(asked[0]?.init).toMatchObject({ credentials: "omit", cache: "no-store", redirect: "error" });
});

test("a problem document becomes a refusal with its sentence", async () => {
  const problem = { status: 404, code: "not-found", detail: "There is no such bot." };
  const { api } = answering(new Response(JSON.stringify(problem), { status: 404 }));
  const refusal = await api.open({}).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ status: 404, code: "not-found", message: "There is no such bot.", isFinal: true });
});

test("an error page of a proxy is a refusal with the status alone", async () => {
  const { api } = answering(new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "3" } }));
  const refusal = await api.open({}).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 502, isFinal: false, retryAfter: 3000 });
});

test("a share of the day that is used up is no reason to send again", async () => {
  const problem = { status: 429, code: "quota", detail: "This chat has a share." };
  const { api } = answering(new Response(JSON.stringify(problem), { status: 429, headers: { "retry-after": "3600" } }));
  const refusal = await api.open({}).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 429, code: "quota", isFinal: true });
});

test("an answer that is no event stream is not read as one", async () => {
  const { api } = answering(new Response("<h1>Log in to the hotel's network</h1>", { headers: { "content-type": "text/html" } }));
  await expect(api.stream("t", 0, new AbortController().signal)).rejects.toMatchObject({ code: "no-stream" });
});

test("a request that nobody answers ends after twenty seconds", async () => {
  vi.useFakeTimers();
  const api = new Api(place, (_url, init) => new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason))));
  const said = api.say("t", "1", { text: "x" }).catch((error: unknown) => error);
  await pass(20_000);
  expect(await said).toMatchObject({ name: "TimeoutError" });
});
