// Answers the page on which a login starts: it asks the window that opened it whether the login is that of the chat there
// (login.md, The forwarded link). Only the service knows what a challenge says; here it is carried to and fro.

/**
 * `service`: its address, empty where the page is its own. Of its origin alone a challenge is taken, and nobody else gets the
 * proof. Where there is none (the login is another chat's, the service did not answer), the page goes on without.
 */
export async function answerChallenge(
  event: MessageEvent,
  service: string,
  prove: (challenge: string) => Promise<string> | undefined,
): Promise<void> {
  const { data, origin, source } = event;
  if (data?.type !== "dialoom:login-challenge" || typeof data.challenge !== "string") return;
  if (origin !== new URL(service, location.href).origin) return;
  const proof = await prove(data.challenge)?.catch(() => "");
  if (proof) source?.postMessage({ type: "dialoom:login-proof", proof }, { targetOrigin: origin });
}
