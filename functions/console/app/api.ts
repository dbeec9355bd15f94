// Calls of the JSON API. Addresses are relative, since a stage may stand before /app/ in the path.
import { signal } from "@preact/signals";
import { language, say } from "./say";

const base = new URL("../api/v1/", location.href.split("#")[0]).href;

export type Row = Record<string, any>;
export interface List<T = Row> { count: number; next: string | null; previous: string | null; results: T[] }

/** Where the nth file of a message is fetched. */
export const fileAt = (message: number, n: number) => new URL(`messages/${message}/attachments/${n}/`, base).href;

export class Failure extends Error {
  constructor(readonly status: number, readonly code: string, detail: string, readonly field?: string) { super(detail); }
}

/** What a refusal says, in the reader's language where its code is known. The API's own sentence is in English. */
function told(code = "", detail = ""): string {
  if (language === "en" && detail) return detail;
  const known = refusals[code]?.();
  if (!known) return detail || say("The service failed to answer.");
  return detail && particular.includes(code) ? `${known} (${detail})` : known;
}

const refusals: Record<string, () => string> = {
  bad_request: () => say("That could not be understood."),
  validation_error: () => say("That cannot be stored."),
  authentication_required: () => say("Nobody is signed in."),
  ai_quota_exceeded: () => say("The plan's replies for this month are used up."),
  forbidden: () => say("You are not allowed to do that."),
  plan_limit: () => say("Your plan does not allow more."),
  contact_opted_out: () => say("The contact wants no messages."),
  not_found: () => say("That is no longer there."),
  payload_too_large: () => say("That is too large."),
  unprocessable: () => say("That is not possible as things are."),
  rate_limited: () => say("That was too much at once. Try again in a minute."),
  unavailable: () => say("The service is busy. Try again in a moment."),
  server_error: () => say("The service failed to answer."),
  internal_error: () => say("The service failed to answer."),
};
/** The codes whose detail says what exactly is wrong, so that it stands beside their sentence. */
const particular = ["bad_request", "validation_error", "forbidden", "plan_limit", "unprocessable", "payload_too_large"];

/** Whether the last call reached the service. */
export const online = signal(true);
/** Set once the service says that nobody is signed in. */
export const signedOut = signal(false);

/** Makes a call. One with keepalive is made even if the page is left meanwhile. */
export async function call<T = Row>(method: string, path: string, body?: unknown, key?: string, keepalive = false): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let answer: Response;
  try {
    answer = await fetch(new URL(path, base), {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin", cache: "no-store", keepalive,
    });
  } catch (cause) {
    online.value = false;
    throw new Failure(0, "offline", say("The service cannot be reached."));
  }
  online.value = true;
  if (answer.status === 204) return undefined as T;
  const text = await answer.text();
  let value: any = {};
  try { value = JSON.parse(text); } catch { /* an answer of a proxy */ }
  if (!answer.ok) {
    if (answer.status === 401 && path !== "session/") signedOut.value = true;
    throw new Failure(answer.status, value.error ?? "server_error", told(value.error, value.detail), value.field);
  }
  return value as T;
}

export const get = <T = Row>(path: string) => call<T>("GET", path);
export const post = <T = Row>(path: string, body?: unknown, key?: string) => call<T>("POST", path, body, key);
export const patch = <T = Row>(path: string, body: unknown) => call<T>("PATCH", path, body);
export const del = (path: string) => call<void>("DELETE", path);

/** Sends a request again, under one Idempotency-Key, until it is answered, at most five times. */
export async function insist<T = Row>(path: string, body: unknown): Promise<T> {
  const key = crypto.randomUUID();
  for (let attempt = 0; ; attempt++) {
    try {
      return await post<T>(path, body, key);
    } catch (e) {
      const passing = e instanceof Failure && (e.status === 0 || e.status === 503 || e.status === 504);
      if (!passing || attempt === 4) throw e;
      await new Promise((r) => setTimeout(r, 500 * 2 ** attempt));
    }
  }
}
