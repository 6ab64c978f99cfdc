// Entry of the page after a login that Microsoft Teams opened in a pop-up. Teams is told that the login is done, and the window
// closes; in any other window nobody answers, and it closes itself where the browser allows that.
//
// The messages are those of app.initialize() and authentication.notifySuccess(code) of @microsoft/teams-js 1 and 2
// (src/internal/communication.ts): the library itself is 42 kB and asks a server of Microsoft's.

interface Answer {
  id?: number;
}
interface NativeWindow extends Window {
  /** Of desktop clients without a window that opened this one. */
  nativeInterface?: { framelessPostMessage(message: string): void };
  onNativeMessage?: ((event: MessageEvent<Answer>) => void) | undefined;
}

/** What Teams tells the bot as the state of `signin/verifyState`: the login is in the chat already. */
const CODE = "login";
const CLOSE_AFTER_SUCCESS_MS = 200;
const page: NativeWindow = window;

/** The number is that of the message, by which its answer is known. */
function send(id: number, func: string, args: string[], origin: string): void {
  const message = { id, func, timestamp: Date.now(), args };
  const host: Window | null = page.parent !== page ? page.parent : page.opener;
  if (host) host.postMessage(message, origin);
  else page.nativeInterface?.framelessPostMessage(JSON.stringify(message));
}

function onAnswer(event: MessageEvent<Answer>): void {
  if (event.source === page || event.data?.id !== 0) return;
  page.removeEventListener("message", onAnswer);
  page.onNativeMessage = undefined;
  send(1, "authentication.authenticate.success", [CODE], event.origin || "*");
  setTimeout(() => page.close(), CLOSE_AFTER_SUCCESS_MS);
}

page.addEventListener("message", onAnswer);
page.onNativeMessage = onAnswer;
send(0, "initialize", ["1.13.1"], "*");

const after = Number(document.querySelector("main")?.dataset.after);
if (after) setTimeout(() => page.close(), after);
export {};
