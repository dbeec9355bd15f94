// Takes webhooks of Frontdesk on 127.0.0.1:$PORT that are signed with $WEBHOOK_SECRET. Run: node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const tolerance = 5 * 60; // seconds that the time of a request may be from ours
const maxBody = 1 << 20;

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error("WEBHOOK_SECRET is not set"); // anybody can sign with an empty secret

const checks = {
  "/webhooks": (headers, body) => signedMessage(headers, body),
  "/webhooks/body": (headers, body) => signedBody(headers, body, "sha256="),
  "/actions/body": (headers, body) => signedBody(headers, body, ""),
};

// Checks webhook-signature, which is over the id, the time and the body.
function signedMessage(headers, body) {
  const id = headers["webhook-id"] ?? "";
  const at = headers["webhook-timestamp"] ?? "";
  if (!/^\d+$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > tolerance) {
    return false; // a request of back then, sent again by somebody
  }
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : secret;
  const want = "v1," + createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest("base64");
  // After a rotation there are two, and one of them is ours.
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => equal(signature, want));
}

// Checks X-Service-Signature, which is over the body: with the prefix sha256= for events, without for actions.
function signedBody(headers, body, prefix) {
  const want = prefix + createHmac("sha256", secret).update(body).digest("hex");
  return equal(headers["x-service-signature"] ?? "", want);
}

// Compares two texts in a time that does not tell how much of them is alike.
function equal(a, b) {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const seen = new Set(); // yours is a table in your database, written along with what the event leads to

// This is where your own work begins. It has ten seconds; what takes longer goes to a queue of yours.
function handle(event, body) {
  console.log(`${event} ${body}`);
}

// Reads the bytes as they came; undefined where there are too many.
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    if ((size += chunk.length) > maxBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

createServer(async (request, response) => {
  const signed = request.method === "POST" && checks[request.url];
  if (!signed) return response.writeHead(404).end();
  const body = await read(request);
  if (!body) return response.writeHead(400, { connection: "close" }).end();
  if (!signed(request.headers, body)) return response.writeHead(403).end();
  const id = request.headers["webhook-id"];
  if (!seen.has(id)) {
    handle(request.headers["x-service-event"], body.toString());
    seen.add(id);
  }
  response.writeHead(204).end(); // an event that is known is answered like a new one
}).listen(Number(process.env.PORT ?? 8080), "127.0.0.1");
