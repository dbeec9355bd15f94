// The calls of the widget's public API.

const attempts = 3;
const firstPause = 1000; // milliseconds before the second attempt, and three times as long before the third
export const longestPause = 600000; // a service that asks for more is not called again

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const hex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

// uuid returns a random UUID. crypto.randomUUID is missing on pages without TLS.
export function uuid() {
  const h = hex(16);
  const variant = "89ab"[parseInt(h[16], 16) & 3];
  return [h.slice(0, 8), h.slice(8, 12), `4${h.slice(13, 16)}`, `${variant}${h.slice(17, 20)}`, h.slice(20)].join("-");
}

// A Service calls the API at an address. Errors carry status (absent where there was no answer), field, and retryAfter
// in milliseconds (NaN or 0 where the answer names none).
export class Service {
  constructor(address, cache, edge) {
    this.address = address;
    this.edge = edge; // the same calls behind a cache, for how the box looks; absent, there is none
    this.cache = cache; // "reload" asks the service where the browser has kept an answer; absent, the browser decides
  }

  async call(method, path, body, headers) {
    const response = await fetch(new URL(path, this.address), {
      method,
      credentials: "omit",
      cache: this.cache,
      headers: body ? { "Content-Type": "application/json", ...headers } : {},
      body: body && JSON.stringify(body),
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const retryAfter = 1000 * Number(response.headers.get("Retry-After"));
    throw Object.assign(new Error(answer.detail), { status: response.status, field: answer.field, retryAfter });
  }

  // retry calls again where the network or the service failed, or was still busy with the first attempt.
  async retry(...request) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.call(...request);
      } catch (error) {
        const soon = !(error.retryAfter > longestPause);
        const passes = !error.status || error.status >= 500 || (error.status === 429 && tries > 1 && soon);
        if (!passes || tries === attempts) throw error;
        await pause(error.retryAfter || firstPause * 3 ** (tries - 1));
      }
    }
  }

  async config(language) {
    const path = language ? `config/?${new URLSearchParams({ language })}` : "config/";
    const cached = this.edge && (await this.call("GET", new URL(path, this.edge)).catch(() => null));
    return cached || this.retry("GET", path);
  }

  // send sends a draft. The key lets the service recognise a draft that is sent again.
  send({ key, body }) {
    return this.retry("POST", body.data ? "files/" : "send/", body, { "Idempotency-Key": key });
  }

  team() {
    return this.call("GET", "team/");
  }

  history(session, range) {
    return this.call("GET", `history/?${new URLSearchParams({ session_id: session, ...range })}`);
  }

  type(session) {
    return this.call("POST", "typing/", { session_id: session });
  }

  rate(session, message, rating) {
    return this.call("POST", "feedback/", { session_id: session, message_id: message, rating });
  }

  identify(session, fields) {
    return this.retry("POST", "visitor/", { session_id: session, ...fields });
  }
}

// draft returns a message with the key under which it is sent, also when it is sent again. The file is one that goes
// with it: {name, data} with its content in base64.
export function draft(words, session, file) {
  const page_url = location.origin + location.pathname; // the query may hold what is the visitor's own
  return { words, key: hex(16), body: { message: words, session_id: session, page_url, ...file } };
}
