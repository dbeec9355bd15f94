// Uses the dashboard as the people of a business do, in a browser. `make test-console` runs it; it names the browser by
// CHROMIUM, the service's program by FRONTDESK and the folder of node_modules by TOOLS. SCREENSHOTS names a folder for
// pictures of each page, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

const require = createRequire(join(process.env.TOOLS, "node_modules", "_"));
const { chromium } = require("playwright-core");
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

let service, browser, context, page, agent;
const problems = []; // what the browser reports: errors of scripts, and what the page's policy refused

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-console-"));
  const running = spawn(process.env.FRONTDESK, { env: { ...process.env, PORT: "0", DATA_DIR: folder }, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(createInterface({ input: running.stdout }), "line");
  const [, link] = /Dashboard[^:]*: (\S+)/.exec(line);
  service = { running, folder, link, base: new URL("../api/v1/", link.split("#")[0]).href };
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", locale: "en-GB" });
  page = await watched(context);
});

after(async () => {
  await browser?.close();
  if (service) {
    service.running.kill();
    await once(service.running, "exit");
    await rm(service.folder, { recursive: true });
  }
});

// watched is a new page whose errors are noted.
async function watched(context) {
  const page = await context.newPage();
  page.on("pageerror", (e) => problems.push(e.message));
  page.on("console", (m) => { if (m.type() === "error" && /Content Security Policy|Trusted/.test(m.text())) problems.push(m.text()); });
  return page;
}

async function api(method, path, body, headers = { Authorization: "Bearer local-dev-key" }) {
  return fetch(service.base + path, { method, headers: { "Content-Type": "application/json", ...headers }, body: body && JSON.stringify(body) });
}
const visit = async (body) => (await api("POST", `widget/${agent.widget.embed_key}/send/`, body, {})).json();

// healthy looks at a page by axe, for sideways scrolling, and takes pictures where they are wanted.
async function healthy(page, name) {
  for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"], [320, "light"]]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(250);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name} at ${width} scrolls sideways by ${wide}`);
    const found = await context.newCDPSession(page).then(async (cdp) => {
      const run = `${axe}; axe.run(document, { resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160) + (n.any[0]?.message ?? ""))])))`;
      const { result } = await cdp.send("Runtime.evaluate", { expression: run, awaitPromise: true, returnByValue: true });
      return JSON.parse(result.value);
    });
    assert.deepEqual(found, [], `${name} at ${width}, ${scheme}`);
    if (process.env.SCREENSHOTS) {
      await mkdir(process.env.SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${width}-${scheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}

test("the printed link signs in once", async () => {
  await page.goto(service.link);
  await page.getByRole("heading", { name: "Set up your assistant" }).waitFor();
  assert.ok(!page.url().includes("token"), "the token stays in the address");
  const other = await watched(await browser.newContext());
  await other.goto(service.link);
  await other.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await other.close();
  await page.reload();
  await page.getByRole("link", { name: "Inbox" }).waitFor();
});

test("a page of another site is refused", async () => {
  const [cookie] = await context.cookies();
  assert.ok(cookie.httpOnly && cookie.sameSite === "Strict", JSON.stringify(cookie));
  const headers = { Cookie: `${cookie.name}=${cookie.value}`, "Sec-Fetch-Site": "cross-site" };
  assert.equal((await api("POST", "members/", { name: "Eve", role: "owner" }, headers)).status, 403);
});

test("the checklist leads to an assistant that answers", async () => {
  await page.getByRole("link", { name: "Start" }).click();
  await page.getByLabel("Business", { exact: true }).fill("Ada's bicycles");
  await healthy(page, "start");
  await page.getByRole("button", { name: "Create the assistant" }).click();
  await page.getByLabel("Title").fill("Parking");
  await page.getByLabel("Text").fill("Parking is free behind the house. Dogs are welcome.");
  await page.getByRole("button", { name: "Teach" }).click();
  await page.getByLabel("Question").fill("Is parking free?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("log").getByText("Parking is free behind the house").waitFor();
  agent = (await (await api("GET", "agents/")).json()).results[0];
});

test("a visitor writes, a person answers, the AI takes over again", async () => {
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  const first = await visit({ message: "Is parking free? <b>1</b> ‏שלום 🦊" });
  const session_id = first.session_id;
  const row = page.locator(`a[href="#/inbox/${first.conversation_id}"]`);
  await row.waitFor({ timeout: 4000 });
  await row.click();
  await page.getByRole("log").getByText("<b>1</b>").waitFor();
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("button", { name: "Hand back" }).waitFor();
  const silent = await visit({ message: "Is somebody there?", session_id });
  assert.equal(silent.action, "human_handling");
  await page.getByRole("log").getByText("Is somebody there?").waitFor({ timeout: 4500 });
  await page.getByLabel("Reply").fill("Yes, Tom is here.");
  await page.reload();
  assert.equal(await page.getByLabel("Reply").inputValue(), "Yes, Tom is here.", "the draft is lost");
  await page.getByLabel("Reply").press("Control+Enter");
  await page.getByRole("log").getByText("Yes, Tom is here.").waitFor();
  const history = await (await api("GET", `widget/${agent.widget.embed_key}/history/?session_id=${session_id}`, undefined, {})).json();
  assert.equal(history.messages.at(-1).content, "Yes, Tom is here.");
  await page.getByLabel("Reply").fill("Once.");
  let dropped = false;
  await page.route("**/reply/", async (route) => { // the answer gets lost on its way
    if (dropped) return route.continue();
    dropped = true;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("log").getByText("Once.").waitFor();
  const said = await (await api("GET", `conversations/${first.conversation_id}/messages/`)).json();
  assert.equal(said.results.filter((m) => m.content === "Once.").length, 1, "a reply is stored twice");
  await healthy(page, "inbox");
  await page.getByRole("button", { name: "Hand back" }).click();
  await page.getByRole("button", { name: "Take over" }).waitFor();
  assert.equal((await visit({ message: "Are dogs welcome?", session_id })).action, "respond");
  await page.locator("body").press("e");
  await page.getByRole("button", { name: "Resolve" }).waitFor({ state: "detached" });
});

test("a visitor who waits is counted in the title", async () => {
  const waiting = await visit({ message: "Hello" });
  await api("POST", `conversations/${waiting.conversation_id}/handoff/`);
  await page.waitForFunction(() => document.title.startsWith("(1)"), undefined, { timeout: 8000 });
});

test("an unanswered question is answered", async () => {
  await visit({ message: "Do you rent out tandems?" });
  await page.getByRole("link", { name: "Unanswered" }).click();
  await page.getByText("Do you rent out tandems?").waitFor();
  await healthy(page, "unanswered");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByLabel("Answer").fill("Yes, a tandem is 30 euros a day.");
  await page.getByRole("button", { name: "Teach" }).click();
  await page.getByText("It now answers:").waitFor();
  assert.match((await visit({ message: "Do you rent out tandems?" })).reply, /30 euros/);
});

test("knowledge is added, tried and deleted", async () => {
  await page.getByRole("link", { name: "Knowledge" }).click();
  await page.getByRole("button", { name: "Add" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Helmets");
  await dialog.getByLabel("Text", { exact: true }).fill("A helmet is rented for 5 euros.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /Helmets/ }).waitFor();
  await page.getByLabel("Question").fill("What does a helmet cost?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("log").getByText(/5 euros/).waitFor();
  await healthy(page, "knowledge");
  await page.getByRole("button", { name: /Helmets/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: /Helmets/ }).waitFor({ state: "detached" });
});

test("a colleague is invited, and has no keys and no team", async () => {
  await page.getByRole("link", { name: "Settings" }).click();
  await healthy(page, "settings");
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByLabel("Name").fill("Tom");
  await page.getByRole("button", { name: "Add" }).click();
  const link = await page.locator("pre", { hasText: "#token=" }).textContent();
  await healthy(page, "team");
  const theirs = await browser.newContext();
  const colleague = await watched(theirs);
  await colleague.goto(link);
  await colleague.getByRole("link", { name: "Settings" }).click();
  await colleague.getByRole("link", { name: "Sign-ins" }).waitFor();
  assert.equal(await colleague.getByRole("link", { name: "API keys" }).count(), 0);
  assert.equal(await colleague.getByRole("link", { name: "Team" }).count(), 0);
  const status = await colleague.evaluate(async () => [(await fetch("../api/v1/api-keys/")).status, (await fetch("../api/v1/audit/")).status]);
  assert.deepEqual(status, [403, 403]);
  await colleague.getByRole("button", { name: "Sign out" }).first().click();
  await colleague.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await colleague.evaluate(async () => (await fetch("../api/v1/me/")).status), 401);
  await theirs.close();
  for (const tab of ["API keys", "Sign-ins", "Audit log"]) {
    await page.getByRole("link", { name: tab }).click();
    await page.waitForTimeout(300);
  }
  await page.getByText("Add a member").first().waitFor();
  await healthy(page, "audit");
});

test("idle it asks for little", async () => {
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.waitForTimeout(2000);
  let asked = 0;
  page.on("request", () => { asked++; });
  await page.waitForTimeout(12_000);
  assert.ok(asked <= 4, `${asked} requests in 12 s`);
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
