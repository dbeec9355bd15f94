// Teaches an assistant in the dashboard: by a website, by files, and by trying what it learnt.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ask, close, desk, enter, healthy, open, problems, until } from "./desk.mjs";

let page, agent, site, folder;
before(async () => {
  process.env.WEBHOOK_ALLOW_HOSTS = "127.0.0.1";
  await open();
  agent = await enter();
  page = desk.page;
  folder = await mkdtemp(join(tmpdir(), "frontdesk-files-"));
  site = createServer((req, res) => {
    const item = /^\/item\/(\d+)$/.exec(req.url)?.[1];
    const say = (text) => res.writeHead(200, { "Content-Type": "text/html" }).end(text);
    if (req.url === "/") return say("<title>Bicycles</title>" + Array.from({ length: 29 }, (_, n) => `<a href="/item/${n + 1}">${n + 1}</a> `).join("") + "<p>We sell bicycles.");
    if (item) return setTimeout(say, 40, `<title>Bicycle ${item}</title><p>The bicycle number ${item} costs ${100 + Number(item)} euros.`);
    res.writeHead(404).end();
  });
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
});
after(async () => {
  site?.close();
  await close();
  await rm(folder, { recursive: true, force: true });
});
const tryOut = async (question, answer) => {
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("log").getByText(answer).last().waitFor();
};

test("a website of 30 pages is read with progress", async () => {
  await page.getByRole("link", { name: "Knowledge" }).click();
  await page.getByLabel("Address of the website").fill(`http://127.0.0.1:${site.address().port}/`);
  await page.getByRole("button", { name: "Learn from it" }).click();
  await page.getByRole("progressbar").waitFor();
  await page.getByText("30 of 30 pages read").waitFor();
  await page.getByText("Read", { exact: true }).waitFor();
  assert.equal((await ask("GET", `agents/${agent.id}/knowledge/`)).count, 30);
  await tryOut("What does the bicycle number 17 cost?", "117 euros");
  await page.getByRole("log").getByText("Bicycle 17", { exact: true }).waitFor(); // the source
  await healthy(page, "websites");
});

test("files of other programs are uploaded, tried and deleted", async () => {
  const html = join(folder, "late.html"), pdf = join(folder, "late.pdf");
  await writeFile(html, "<title>Late returns</title><h1>Late returns</h1><p>If you bring a kayak back late you pay 3 euros for each hour.");
  await promisify(execFile)(process.env.CHROMIUM, ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", `--print-to-pdf=${pdf}`, html]);
  const docx = join(folder, "rental.docx");
  await writeFile(docx, await readFile("shared/upload/testdata/python-docx.docx"));
  for (const [file, title, question, answer] of [
    [pdf, "Late returns", "What do I pay if I bring a kayak back late?", "3 euros for each hour"],
    [docx, "Bike rental", "What do I pay if I bring a bike back late?", "€3 for each hour"]]) {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Add knowledge" });
    await dialog.getByLabel("What").selectOption("file");
    await dialog.getByLabel("File", { exact: true }).setInputFiles(file);
    if (file === pdf) await healthy(page, "upload");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: title }).waitFor();
    await tryOut(question, answer);
    await page.getByRole("button", { name: title }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: title }).waitFor({ state: "detached" });
    const said = await ask("POST", `agents/${agent.id}/chat/dry-run/`, { message: question });
    assert.ok(!said.reply.includes(answer), said.reply);
  }
});

test("a file that cannot be read says why", async () => {
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Add knowledge" });
  await dialog.getByLabel("What").selectOption("file");
  await dialog.getByLabel("File", { exact: true }).setInputFiles("shared/upload/testdata/encrypted.pdf");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("The file is encrypted.").waitFor();
  await page.keyboard.press("Escape");
});

test("a website is deleted with what was learnt from it", async () => {
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await until(async () => (await ask("GET", `agents/${agent.id}/knowledge/`)).count === 0);
  assert.equal((await ask("GET", `agents/${agent.id}/conversations/`)).count, 0); // trying is not counted
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
