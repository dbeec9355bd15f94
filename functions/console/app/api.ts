// Calls of the JSON API. Addresses are relative, since a stage may stand before /app/ in the path.
import { signal } from "@preact/signals";
import { say } from "./say";

const base = new URL("../api/v1/", location.href.split("#")[0]).href;

export type Row = Record<string, any>;
export interface List<T = Row> { count: number; next: string | null; previous: string | null; results: T[] }

export class Failure extends Error {
  constructor(readonly status: number, readonly code: string, detail: string, readonly field?: string) { super(detail); }
}

/** Whether the last call reached the service. */
export const online = signal(true);
/** Set once the service says that nobody is signed in. */
export const signedOut = signal(false);

export async function call<T = Row>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let answer: Response;
  try {
    answer = await fetch(new URL(path, base), {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin", cache: "no-store",
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
    throw new Failure(answer.status, value.error ?? "server_error", value.detail ?? say("The service failed to answer."), value.field);
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
