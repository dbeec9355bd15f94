// Keeps a playbook in the dashboard: products, funnels, actions and texts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, ask, close, desk, enter, healthy, open, problems, until } from "./desk.mjs";

let page, agent;
before(async () => {
  await open();
  agent = await enter();
  page = desk.page;
});
after(close);
const visit = async (body) => (await api("POST", `widget/${agent.widget.embed_key}/send/`, body, {})).json();
const rows = async (path) => (await ask("GET", `agents/${agent.id}/${path}`)).results;
const tab = (name) => page.getByRole("navigation", { name: "Playbook" }).getByRole("link", { name, exact: true }).click();

test("products come from a spreadsheet, and again", async () => {
  await page.getByRole("link", { name: "Playbook" }).click();
  await page.getByText("Nothing here yet").waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import products" });
  const upload = (text) => dialog.getByLabel("File").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await upload("Artikel;Bezeichnung;Preis\nCB;Stadtrad;abc\n;;5\n");
  await dialog.getByText("The price in line 2 is no number.").waitFor();
  await dialog.getByText("Line 3 has no name.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Import" }).isDisabled());
  const parts = Array.from({ length: 600 }, (_, i) => `P${i};Part ${i};${i},50`).join("\r\n");
  await upload(`\ufeffArtikel;Bezeichnung;Preis\r\nCB;"Stadtrad ""Ada""; blau";1.299,90\r\n${parts}\r\n`);
  await dialog.getByText("601 products were read.").waitFor();
  await healthy(page, "import");
  await dialog.getByRole("button", { name: "Import" }).click();
  await page.getByText("601 new, 0 changed, 0 as they were").waitFor();
  const found = (await rows("products/?page=1")).concat(await rows("products/?page=13"));
  assert.deepEqual(found.filter((p) => p.sku === "CB").map((p) => [p.name, p.price, p.currency]), [['Stadtrad "Ada"; blau', 1299.9, "EUR"]]);
  await page.getByRole("button", { name: "Import" }).click();
  await upload("sku,name,price,link\nCB,City bicycle,1199.00,https://acme.example/city\n");
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  await page.getByText("0 new, 1 changed, 0 as they were").waitFor();
  const [changed] = (await rows("products/?page=1")).concat(await rows("products/?page=13")).filter((p) => p.sku === "CB");
  assert.equal(changed.url, "https://acme.example/city");
  await healthy(page, "products");
});

test("601 products scroll with at most 200 in the page", async () => {
  const count = () => page.locator(".list .item").count();
  let most = 0;
  const scroll = async (by, there) => {
    for (const end = Date.now() + 30_000; Date.now() < end && !(await page.getByText(there, { exact: true }).count());) {
      await page.locator(".page").evaluate((e, by) => { e.scrollTop += by * e.clientHeight; dispatchEvent(new WheelEvent("wheel")); }, by);
      await page.waitForTimeout(60);
      most = Math.max(most, await count());
    }
    await page.getByText(there, { exact: true }).waitFor();
  };
  const newest = await page.locator(".list .item b").first().textContent();
  const oldest = (await rows("products/?page=13")).at(-1).name;
  await scroll(3, oldest); // to the end, page by page
  await scroll(-3, newest); // and back
  assert.ok(most <= 200, `${most} rows are in the page`);
});

test("a product is added, changed and deleted", async () => {
  await page.getByRole("button", { name: "Add a product" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Bell");
  await dialog.getByLabel("Price").fill("12,5");
  await dialog.getByLabel("Currency").fill("EUR");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /Bell.*12\.50/ }).click();
  await dialog.getByLabel("Description").fill("Loud");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /Bell Loud/ }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: /Bell/ }).waitFor({ state: "detached" });
});

test("texts are kept", async () => {
  for (const [name, add, fields] of [
    ["Quick answers", "Add a quick answer", { Shortcut: "/hours", Title: "Hours", Text: "From nine to six." }],
    ["Roles", "Add a role", { Key: "sales", Name: "Sales" }],
    ["Stages", "Add a stage", { Key: "decision", Name: "Decision", "Place on the way": "3" }],
    ["Guidance", "Add a rule", { Title: "Discounts", Rule: "Never promise one.", "Only in these roles": "sales" }],
    ["Procedures", "Add a procedure", { Name: "Returns", "Words of messages that call for it": "return\nmoney back" }],
  ]) {
    await tab(name);
    await page.getByRole("button", { name: add }).click();
    for (const [label, value] of Object.entries(fields)) await page.getByRole("dialog").getByLabel(label, { exact: true }).fill(value);
    if (name === "Guidance") await healthy(page, "guidance-dialog");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: new RegExp(fields.Title ?? fields.Name) }).waitFor();
  }
  const [guidance] = await rows("guidance/"), [procedure] = await rows("procedures/"), [stage] = await rows("journey-stages/");
  assert.deepEqual([guidance.roles, guidance.priority, procedure.triggers, stage.order], [["sales"], 0, ["return", "money back"], 3]);
  await page.getByRole("link", { name: "Roles" }).click();
  await page.getByRole("button", { name: "Add a role" }).click();
  await page.getByRole("dialog").getByLabel("Key").fill("no spaces");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
});

test("a funnel is put in order by mouse and keyboard, tried out and counted", async () => {
  await tab("Funnels");
  await page.getByRole("button", { name: "Begin with a sample" }).click();
  const steps = page.getByRole("region", { name: "Steps" });
  await steps.getByText("Gladly! What is your name?").waitFor();
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  const answers = ["Ada", "+49 30 901820"];
  for (const answer of answers) {
    await page.getByLabel("Answer", { exact: true }).fill(answer);
    await page.getByLabel("Answer", { exact: true }).press("Enter");
  }
  await page.getByRole("log", { name: "Try-out" }).getByText("A person takes over").waitFor();
  assert.equal((await ask("GET", "conversations/")).count, 0, "a try-out is stored");
  await healthy(page, "funnel");
  await page.getByRole("button", { name: "Add a step" }).click();
  await page.getByRole("dialog").getByLabel("What happens").selectOption("message");
  await page.getByRole("dialog").getByLabel("Text").fill("Hello!");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await steps.getByText("Hello!").waitFor();
  const order = async () => (await rows(`funnels/${page.url().split("/").pop()}/steps/`)).map((s) => s.content.slice(0, 5));
  assert.deepEqual(await order(), ["Gladl", "And t", "Thank", "Hello"]);
  const items = steps.getByRole("listitem");
  await items.nth(3).dragTo(items.nth(0));
  await until(async () => (await order())[0] === "Hello");
  await items.nth(2).getByRole("button", { name: /And the number/ }).press("Alt+ArrowUp");
  await until(async () => (await order())[1] === "And t");
  await page.getByRole("button", { name: "Move step 2 down" }).click();
  await until(async () => (await order())[2] === "And t");
  assert.deepEqual(await order(), ["Hello", "Gladl", "And t", "Thank"]);
  const first = await visit({ message: "call me" });
  assert.match(first.reply, /Hello!\s+Gladly/);
  await visit({ message: "call me" });
  await page.reload();
  await items.nth(0).getByText("2 reached").waitFor();
  await items.nth(2).getByText("0 reached").waitFor();
  await page.getByRole("button", { name: "Switch off" }).click();
  await page.getByRole("button", { name: "Switch on" }).waitFor();
  assert.ok(!/Gladly/.test((await visit({ message: "call me" })).reply));
});

test("an action is a sentence, runs and tells of it", async () => {
  await tab("Actions");
  await page.getByRole("button", { name: "Tag everybody who books" }).click();
  await page.getByText("When an appointment is made, then add a tag: booked.").waitFor();
  await page.getByRole("link", { name: "All actions" }).click();
  await page.getByRole("link", { name: "Add an action" }).click();
  await page.getByLabel("Name").fill("Angry");
  await page.getByLabel("When").selectOption("keyword");
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByLabel("Value").fill("refund");
  await page.getByRole("button", { name: "Add a condition" }).click();
  await page.getByRole("group", { name: "Condition 2" }).getByLabel("What").selectOption("lead_score");
  await page.getByRole("group", { name: "Condition 2" }).getByLabel("How").selectOption("less_than");
  await page.getByRole("group", { name: "Condition 2" }).getByLabel("Value").fill("101");
  await page.getByLabel("Then").selectOption("set_priority");
  await page.getByRole("combobox", { name: "set the priority" }).selectOption("urgent");
  await healthy(page, "action-new");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("When a message has certain words, if the message contains “refund” and the lead score is less than “101”, then set the priority: urgent.").waitFor();
  await page.getByText("It has not run").waitFor();
  const said = await visit({ message: "I want a REFUND now" });
  await until(async () => (await ask("GET", `conversations/${said.conversation_id}/`)).priority === "urgent");
  await page.getByRole("button", { name: "Look again" }).click();
  const runs = page.getByRole("region", { name: "Runs" });
  await runs.getByText("Done").waitFor();
  await healthy(page, "action");
  await runs.getByRole("link", { name: "Conversation" }).click();
  await page.getByRole("log").getByText("I want a REFUND now").waitFor();
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
