// Reads what is kept of the session that is open in a browser.

/** A session that is open in this browser; a closed window listens with it. */
export interface KeptSession {
  readonly token: string;
  /** Id of the user. */
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Of a user that the page has named: whose token it was, else empty. */
  readonly subject: string;
}

/** Returns the session that `text` holds, if it lives and is of this user, else null. */
export function keptSession(text: string | null, subject: string, now: number): KeptSession | null {
  try {
    const kept = JSON.parse(text ?? "null") as KeptSession | null;
    return kept?.token && kept.expires > now && kept.subject === subject ? kept : null;
  } catch {
    return null;
  }
}

/** Whose user token it is: the `sub` of a JWT, read and not checked. */
export function subjectOf(token: string | undefined): string {
  if (!token) return "";
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return String((JSON.parse(atob(payload)) as { sub?: unknown }).sub ?? token);
  } catch {
    return token;
  }
}
