// Keeps contacts and channels in the dashboard: import, export, joining, what happened, newest settings.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { api, ask, close, desk, enter, healthy, open, problems, until } from "./desk.mjs";

let page, agent;
before(async () => {
  await open();
  agent = await enter();
  page = desk.page;
});
after(close);
const contacts = async () => (await ask("GET", "contacts/")).results;

test("contacts come from a spreadsheet, and bad lines are named", async () => {
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByText("Nobody yet").waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import contacts" });
  const upload = (text) => dialog.getByLabel("File").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await upload("Name;E-Mail\nAda;ada@example.com\n");
  await dialog.getByText("No column is called phone").waitFor();
  await upload("Name;Telefon;E-Mail;Notizen\nAda Lovelace;+49 (30) 90-1820;ada@example.com;\"Likes; numbers\"\nNobody;12;;\nGrace;0049 30 901821;;\n");
  await dialog.getByText("3 contacts were read.").waitFor();
  await healthy(page, "contacts-import");
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText(/^Line 3: /).waitFor();
  await page.getByText("2 contacts were imported").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  const all = (await contacts()).map((c) => [c.name, c.phone, c.email, c.notes]).sort();
  assert.deepEqual(all, [["Ada Lovelace", "+4930901820", "ada@example.com", "Likes; numbers"], ["Grace", "+4930901821", "", ""]]);
});

test("contacts are found among all, not only those that are listed", async () => {
  const find = page.getByRole("searchbox", { name: "Find contacts" });
  await find.fill("lovel");
  await page.getByRole("link", { name: "Grace" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
  await find.fill("nobody of that name");
  await page.getByText("Nobody found").waitFor();
  await find.fill("");
  await page.getByRole("link", { name: "Grace" }).waitFor();
});

test("contacts are written to a file that spreadsheets read safely", async () => {
  const grace = (await contacts()).find((c) => c.name === "Grace");
  await ask("PATCH", `contacts/${grace.id}/`, { notes: "=HYPERLINK(\"https://example.com\")" });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  const text = await readFile(await download.path(), "utf8");
  assert.match(text, /^\ufeffname,phone,email/);
  assert.match(text, /Ada Lovelace,\+4930901820,ada@example.com/);
  assert.match(text, /"'=HYPERLINK/);
  assert.equal(text.trim().split("\r\n").length, 3);
});

test("two contacts are joined, and what happened stands in one line", async () => {
  const all = await contacts(), ada = all.find((c) => c.name === "Ada Lovelace"), grace = all.find((c) => c.name === "Grace");
  await ask("POST", "appointments/", { agent_id: agent.id, contact_id: grace.id, title: "Fitting", start_time: "2027-03-02T09:30:00+01:00" });
  await page.goto(new URL(`#/contacts/${ada.id}`, page.url()).href);
  await page.getByRole("region", { name: "Timeline" }).getByText("First seen").waitFor();
  await page.getByRole("button", { name: "Join another contact" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("searchbox").fill("grace");
  await dialog.getByRole("button", { name: /Grace/ }).click();
  await healthy(page, "merge");
  await dialog.getByRole("button", { name: "Join", exact: true }).click();
  await page.getByText("Joined", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Timeline" }).getByRole("link", { name: /Fitting/ }).waitFor();
  assert.deepEqual((await contacts()).map((c) => c.name), ["Ada Lovelace"]);
  await healthy(page, "timeline");
});

test("channels have the newest settings, and visitors are vouched for by a secret", async () => {
  await page.getByRole("link", { name: "Channels" }).click();
  const card = page.getByRole("region", { name: "SMS" });
  await card.getByRole("button", { name: "Connect SMS" }).click();
  await card.getByLabel("Account SID").fill("AC00000000000000000000000000000000");
  await card.getByLabel("Auth token").fill("token-secret");
  await card.getByLabel("Messaging service SID").fill("MG00000000000000000000000000000000");
  await card.getByRole("button", { name: "Connect", exact: true }).click();
  await until(async () => (await ask("GET", `agents/${agent.id}/channels/`)).results.find((c) => c.channel_type === "sms").config.messaging_service_sid === "MG00000000000000000000000000000000");
  await page.getByRole("button", { name: "Make a secret" }).click();
  const secret = await page.getByRole("region", { name: "Who a visitor is" }).locator("pre").textContent();
  assert.match(secret, /^[0-9a-f]{64}$/);
  await healthy(page, "identity");
  const said = await (await api("POST", `widget/${agent.widget.embed_key}/send/`, { message: "Hello" }, {})).json();
  const wrong = await api("POST", `widget/${agent.widget.embed_key}/visitor/`, { session_id: said.session_id, email: "ada@example.com", signature: "0".repeat(64) }, {});
  assert.equal(wrong.status, 403);
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
