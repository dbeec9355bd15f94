// What the tests of the dashboard share: a service of their own, a browser signed in to it, and judgements on a page.
// They are run by `make test-console`, which names the browser by CHROMIUM, the service's program by FRONTDESK and the
// folder of node_modules by TOOLS. SCREENSHOTS names a folder for pictures of each page, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(join(process.env.TOOLS, "node_modules", "_"));
const { chromium } = require("playwright-core");
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

/** A service with its browser, for one file of tests: its fields are there once open has ended. */
export const desk = { service: null, browser: null, context: null, page: null };
/** What the browser reports: errors of scripts, and what the page's policy refused. */
export const problems = [];

/** Where the platforms of channels are called: nobody answers there. */
const nobody = "http://127.0.0.1:9";

/** Starts the service's program on a port, 0 for a free one, and returns it with the link that it prints. */
async function start(folder, port) {
  const running = spawn(process.env.FRONTDESK, { env: { ...process.env, PORT: String(port), DATA_DIR: folder }, stdio: ["ignore", "pipe", "ignore"] });
  let link;
  for await (const line of createInterface({ input: running.stdout })) {
    link = /Dashboard[^:]*: (\S+)/.exec(line)?.[1];
    if (link) break;
  }
  return { running, folder, link, base: new URL("../api/v1/", link.split("#")[0]).href };
}

/** Kills the service, as kill -9 does, and returns what starts it again on the same data and port. */
export async function kill() {
  const { running, folder, link } = desk.service;
  running.kill("SIGKILL");
  await once(running, "exit");
  return async () => { Object.assign(desk.service, await start(folder, new URL(link).port)); };
}

/** Starts the service and the browser. */
export async function open() {
  desk.service = await start(await mkdtemp(join(tmpdir(), "frontdesk-console-")), 0);
  desk.browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  desk.context = await desk.browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", locale: "en-GB" });
  desk.context.setDefaultTimeout(12_000);
  desk.page = await watched(desk.context);
}

/** Ends both. */
export async function close() {
  await desk.browser?.close();
  if (desk.service) {
    desk.service.running.kill();
    await once(desk.service.running, "exit");
    await rm(desk.service.folder, { recursive: true });
  }
}

/** A new page whose errors are noted. */
export async function watched(context) {
  const page = await context.newPage();
  page.on("dialog", (d) => d.accept());
  page.on("pageerror", (e) => problems.push(e.message));
  page.on("console", (m) => { if (m.type() === "error" && /Content Security Policy|Trusted/.test(m.text())) problems.push(m.text()); });
  return page;
}

/** Calls the API with the local key. */
export async function api(method, path, body, headers = { Authorization: "Bearer local-dev-key" }) {
  return fetch(desk.service.base + path, { method, headers: { "Content-Type": "application/json", ...headers }, body: body && JSON.stringify(body) });
}

/** Calls the API and returns the answer's body, which has to be one of success. */
export async function ask(method, path, body) {
  const answer = await api(method, path, body);
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text && JSON.parse(text);
}

/** Signs in by the printed link, to a workspace with an agent, which it returns. */
export async function enter(fields = {}) {
  const agent = await ask("POST", "agents/", { name: "Mia", business_name: "Ada's bicycles", ...fields });
  await desk.page.goto(desk.service.link);
  await desk.page.getByRole("link", { name: "Inbox" }).waitFor();
  return ask("GET", `agents/${agent.id}/`);
}

/** Looks at a page by axe, for sideways scrolling, and takes pictures where they are wanted. 640 is 1280 at 200 %. */
export async function healthy(page, name) {
  for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [640, "light"], [390, "light"], [390, "dark"], [320, "light"]]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" }); // colours that fade would be measured midway
    await page.waitForTimeout(250);
    const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth,
      ...[...document.querySelectorAll("dialog, .page")].map((e) => e.scrollWidth - e.clientWidth)));
    assert.ok(wide <= 0, `${name} at ${width} scrolls sideways by ${wide}`);
    const found = await page.context().newCDPSession(page).then(async (cdp) => {
      const run = `${axe}; axe.run(document, { resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160) + (n.any[0]?.message ?? ""))])))`;
      const { result } = await cdp.send("Runtime.evaluate", { expression: run, awaitPromise: true, returnByValue: true });
      return JSON.parse(result.value);
    });
    assert.deepEqual(found, [], `${name} at ${width}, ${scheme}`);
    await pictured(page, `${name}-${width}-${scheme}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Takes a picture of a page where they are wanted. */
export async function pictured(page, name) {
  if (!process.env.SCREENSHOTS) return;
  await mkdir(process.env.SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
}

/** Waits until a check holds, 8 s at most. */
export async function until(holds) {
  for (const end = Date.now() + 8000; !(await holds());) {
    assert.ok(Date.now() < end, String(holds));
    await new Promise((r) => setTimeout(r, 200));
  }
}
