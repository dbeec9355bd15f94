// Uses the dashboard as the people of a business do, in a browser.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { api, close, desk, healthy, open, problems, until, watched } from "./desk.mjs";

let service, browser, context, page, agent;
before(async () => { await open(); ({ service, browser, context, page } = desk); });
after(close);

const visit = async (body) => (await api("POST", `widget/${agent.widget.embed_key}/send/`, body, {})).json();

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

test("the checklist leads to an assistant that answers and books", async () => {
  await page.getByRole("link", { name: "Start" }).click();
  await page.getByLabel("Business", { exact: true }).fill("Ada's bicycles");
  await page.getByLabel("Industry").selectOption("restaurant");
  await healthy(page, "start");
  await page.getByRole("button", { name: "Create the assistant" }).click();
  await page.getByText("An example of your industry").first().waitFor();
  await page.getByLabel("Opening hours").fill("Every day 0:00-24:00, Saturdays by arrangement");
  await page.getByLabel("What customers can book").fill("Table\nTandem, 2 hours, €30");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Part of the opening hours cannot be read").waitFor();
  await page.getByText("Without a duration an appointment takes 30 minutes").waitFor();
  await page.getByLabel("Opening hours").fill("Every day 0:00-24:00");
  await page.getByLabel("What customers can book").fill("Table, 2 hours\nTandem, 2 hours, €30");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("cannot be read").waitFor({ state: "detached" });
  await page.getByText("Understood: Mon – Sun 00:00 – 24:00").waitFor();
  await page.getByLabel("Text").fill("Parking is free behind the house. Dogs are welcome.");
  await page.getByRole("button", { name: "Teach" }).click();
  const box = page.frameLocator("iframe.preview");
  const say = async (text, answer) => {
    await box.getByRole("textbox").fill(text);
    await box.getByRole("textbox").press("Enter");
    await box.getByText(answer).last().waitFor();
  };
  await say("Is parking free?", "Parking is free behind the house");
  const tomorrow = new Date(Date.now() + 86_400_000).getUTCDay();
  await say(`A table for two on ${["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][tomorrow]} at 19:00, please`, "name");
  await say("Ada Lovelace, ada@example.com", "Booked");
  await page.getByText(/In the agenda: Table.*19:00/).waitFor();
  await healthy(page, "start-tried");
  agent = (await (await api("GET", "agents/")).json()).results[0];
  const [booked] = (await (await api("GET", `appointments/?agent_id=${agent.id}`)).json()).results;
  await page.getByRole("link", { name: "See it in the agenda" }).click();
  await page.getByRole("button", { name: /Table/ }).first().waitFor();
  for (const path of [`appointments/${booked.id}/`, `contacts/${booked.contact_id}/`]) assert.equal((await api("DELETE", path)).status, 204);
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
  await visit({ message: "x".repeat(4000), session_id }); // as long as a message may be, without a place to break it
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
  await page.getByLabel("Note for colleagues").check();
  await page.getByLabel("Note", { exact: true }).fill("Tom knows her.");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("log").getByText("Tom knows her.").waitFor();
  await page.getByLabel("Labels").fill("parking, vip");
  await page.getByLabel("Labels").press("Enter");
  await page.getByLabel("Priority").selectOption("urgent");
  await row.getByText("Urgent").waitFor();
  await row.getByText("vip").waitFor();
  await page.getByLabel("Assigned to").selectOption({ index: 1 });
  await until(async () => (await (await api("GET", `conversations/${first.conversation_id}/`)).json()).assignee);
  await healthy(page, "inbox");
  await page.getByLabel("Search names and messages").fill("tom is here");
  await page.waitForFunction(() => document.querySelectorAll(".rows .item").length === 1);
  await page.getByLabel("Search names and messages").fill("zeppelin");
  await page.getByText("Nothing was found").waitFor();
  await page.getByLabel("Search names and messages").fill("");
  await row.waitFor();
  const seen = await (await api("GET", `widget/${agent.widget.embed_key}/history/?session_id=${session_id}`, undefined, {})).json();
  assert.ok(!JSON.stringify(seen).includes("Tom knows her."), "the visitor sees a note");
  await page.getByRole("button", { name: "Hand back" }).click();
  await page.getByRole("button", { name: "Take over" }).waitFor();
  const marks = page.getByRole("log").locator(".divider");
  await page.waitForFunction(() => document.querySelectorAll("[role=log] .divider").length === 2);
  assert.deepEqual(await marks.allTextContents(), ["Owner answers", "The AI answers again"]);
  assert.equal((await visit({ message: "Are dogs welcome?", session_id })).action, "respond");
  await page.getByRole("log").getByText("Are dogs welcome?").waitFor();
  assert.deepEqual(await marks.allTextContents(), ["Owner answers", "The AI answers again"], "the mark stays before the AI's answer");
  await page.locator("body").press("e");
  await page.getByRole("button", { name: "Resolve" }).waitFor({ state: "detached" });
});

test("a visitor who waits is counted in the title", async () => {
  const waiting = await visit({ message: "I want to talk to a person" });
  await page.locator(`a[href="#/inbox/${waiting.conversation_id}"]`).getByText("Waits for a person").waitFor();
  await page.waitForFunction(() => /^\(\d+\)/.test(document.title), undefined, { timeout: 8000 });
  await page.locator(`a[href="#/inbox/${waiting.conversation_id}"]`).click();
  await until(async () => (await (await api("GET", `conversations/${waiting.conversation_id}/`)).json()).unread === 0);
});

test("an unanswered question is answered", async () => {
  await visit({ message: "Do you rent out canoes?" });
  await page.getByRole("link", { name: "Unanswered" }).click();
  await page.getByText("Do you rent out canoes?").waitFor();
  await healthy(page, "unanswered");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByLabel("Answer").fill("Yes, a canoe is 30 euros a day.");
  await page.getByRole("button", { name: "Teach" }).click();
  await page.getByText("It now answers:").waitFor();
  const talks = (await (await api("GET", "conversations/")).json()).results;
  assert.deepEqual(talks.filter((c) => c.channel === "api"), [], "the answer was tried in a conversation");
  assert.match((await visit({ message: "Do you rent out canoes?" })).reply, /30 euros/);
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
  await page.getByLabel("Delete conversations after days without a message").fill("90");
  await page.getByLabel("Phone, with the country's code").fill("+49 (30) 90 18-20");
  await page.getByLabel("It asks for name and address").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const kept = await (await api("GET", `agents/${agent.id}/`)).json();
  assert.deepEqual([kept.retention_days, kept.business.phone_number, kept.features.lead_capture_enabled, kept.features.booking_enabled, kept.ai.ai_model],
    [90, "+4930901820", false, true, "builtin"]);
  assert.deepEqual(kept.business.available_services, ["Table, 2 hours", "Tandem, 2 hours, €30"]);
  await page.getByLabel("Delete conversations after days without a message").fill("");
  await page.getByLabel("What answers").fill("gpt-9");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("What answers").fill("builtin");
  await page.getByRole("button", { name: "Save" }).click();
  await until(async () => (await (await api("GET", `agents/${agent.id}/`)).json()).retention_days === null);
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
  const status = await colleague.evaluate(async () => [(await fetch("../api/v1/api-keys/")).status, (await fetch("../api/v1/audit/")).status,
    (await fetch("../api/v1/members/", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "Eve" }) })).status]);
  assert.deepEqual(status, [403, 403, 403]);
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

test("an appointment is arranged, moved with undo, completed and cancelled", async () => {
  await api("PATCH", `agents/${agent.id}/`, { timezone: "America/New_York" });
  await page.getByRole("link", { name: "Agenda" }).click();
  await page.getByRole("link", { name: "To come" }).click();
  await page.getByText("Nothing is arranged").waitFor();
  await page.getByText("Times of America/New York").waitFor();
  const arrange = async (title, start) => {
    await page.getByRole("button", { name: "New appointment" }).click();
    const dialog = page.getByRole("dialog");
    const known = (await (await api("GET", "contacts/")).json()).results.find((c) => c.phone);
    await dialog.getByRole("combobox", { name: "Contact" }).selectOption(known ? String(known.id) : "new");
    if (!known) {
      await dialog.getByRole("textbox", { name: "Name" }).fill("Ada Lovelace");
      await dialog.getByLabel("Phone").fill("+1 (415) 555-0123");
    }
    await dialog.getByLabel("What").fill(title);
    await dialog.getByLabel("Start").fill(start);
    return dialog;
  };
  const dialog = await arrange("Bike repair", "2027-03-14T02:30"); // clocks are set forward over it
  await dialog.getByText("Clocks are set forward").first().waitFor();
  await dialog.getByLabel("Start").fill("2027-03-13T15:00");
  await dialog.getByRole("button", { name: "Arrange" }).click();
  await page.getByText("15:00 – 15:30").waitFor();
  const stored = async () => (await (await api("GET", `appointments/?agent_id=${agent.id}`)).json()).results;
  assert.equal(Date.parse((await stored())[0].start_time), Date.parse("2027-03-13T20:00Z"));
  const second = await arrange("Tandem", "2027-03-13T15:15");
  await second.getByText("At the same time: Bike repair").waitFor();
  await second.getByRole("button", { name: "Arrange", exact: true }).click();
  await second.getByText("the time is taken").waitFor();
  await second.getByLabel("Start").fill("2027-03-14T09:00");
  await second.getByRole("button", { name: "Arrange" }).click();
  await page.getByRole("heading", { name: /Sunday,? 14 March 2027/ }).waitFor();
  await page.getByRole("button", { name: "Change Bike repair" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Start").fill("2027-03-15T15:00"); // the same wall clock, an hour earlier in UTC
  await page.getByLabel("Start").press("Enter");
  await page.getByRole("heading", { name: /Monday,? 15 March 2027/ }).waitFor();
  assert.equal(Date.parse((await stored())[0].start_time), Date.parse("2027-03-15T19:00Z"));
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByRole("heading", { name: /Saturday,? 13 March 2027/ }).waitFor();
  const repair = (await stored()).find((a) => a.title === "Bike repair");
  await api("PATCH", `appointments/${repair.id}/`, { status: "pending" });
  await page.reload();
  await healthy(page, "agenda");
  await page.getByRole("button", { name: "Confirm Bike repair" }).click();
  await page.getByRole("button", { name: "Confirm Bike repair" }).waitFor({ state: "detached" });
  for (const [title, button, status] of [["Bike repair", "Complete", "Completed"], ["Tandem", "Cancel it", "Cancelled"]]) {
    await page.getByRole("button", { name: "Change " + title }).click();
    if (status === "Completed") await healthy(page, "agenda-dialog");
    await page.getByRole("dialog").getByRole("button", { name: button }).click();
    await page.getByRole("list").getByText(status, { exact: true }).waitFor();
  }
});

test("a contact is edited, tagged, opted out and deleted", async () => {
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
  for (let i = 0; i < 60; i++) await api("POST", "contacts/", { agent_id: agent.id, phone: `+4930901${820 + i}`, name: `Guest ${i}` });
  await page.reload();
  await page.getByRole("link", { name: "Guest 59", exact: true }).waitFor();
  await healthy(page, "contacts");
  await page.reload();
  await page.getByRole("link", { name: "Guest 59", exact: true }).waitFor();
  const slow = /contacts\/\?.*(page|cursor)=/; // the second page, which may come when other words are looked for already
  await page.route(slow, async (route) => { await page.waitForTimeout(1000); await route.continue(); });
  await page.getByLabel("Find contacts").fill("lovelace"); // who is on that page
  await page.getByRole("link", { name: "Guest 59", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.unroute(slow);
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await page.getByText("Verified").first().waitFor();
  await page.getByLabel("Notes").fill("Prefers mornings");
  await page.getByLabel("Stage").selectOption("customer");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  await page.getByLabel("New tag").fill("v/i p");
  await page.getByRole("button", { name: "Add tag" }).click();
  await page.getByRole("button", { name: "Remove tag v/i p" }).waitFor();
  await healthy(page, "contact");
  const ada = async () => (await api("GET", `contacts/${new URL(page.url()).hash.split("/").pop()}/`)).json();
  assert.deepEqual([(await ada()).notes, (await ada()).stage, (await ada()).tags], ["Prefers mornings", "customer", ["v/i p"]]);
  await page.getByRole("button", { name: "Remove tag v/i p" }).click();
  await page.getByRole("button", { name: "Remove tag v/i p" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Wants no messages" }).click();
  await page.getByText("Sending to this contact is refused").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  await page.getByRole("link", { name: "Guest 59", exact: true }).waitFor();
  await page.getByLabel("Find contacts").fill("lovelace");
  await page.getByText("Nobody found").waitFor();
});

test("a contact's conversations lead to the inbox", async () => {
  const said = await visit({ message: "Is parking free?" });
  const { contact_id } = await (await api("GET", `conversations/${said.conversation_id}/`)).json();
  await page.goto(new URL(`#/contacts/${contact_id}`, page.url()).href);
  await page.getByText("Anonymous").first().waitFor();
  await page.locator(`a[href="#/inbox/${said.conversation_id}"]`).click();
  await page.getByRole("log").getByText("Is parking free?").waitFor();
});

test("the chat box is coloured, tried and gets a new key", async () => {
  await page.getByRole("link", { name: "Widget" }).click();
  const box = page.frameLocator("iframe.preview");
  await box.getByRole("textbox").waitFor();
  await page.getByLabel("Colour", { exact: true }).fill("#ffe100");
  await page.getByText("Hard to read").waitFor();
  await page.getByLabel("Welcome").fill("Hello from Ada's");
  await page.getByRole("button", { name: "Save" }).click();
  await box.getByText("Hello from Ada's").waitFor();
  assert.equal((await (await api("GET", `agents/${agent.id}/widget/`)).json()).primary_color, "#ffe100");
  await box.getByRole("textbox").fill("Is parking free?");
  await box.getByRole("textbox").press("Enter");
  await box.getByText("Parking is free behind the house").nth(1).waitFor();
  await healthy(page, "widget");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByText("There is a new key").waitFor();
  const now = await (await api("GET", `agents/${agent.id}/widget/`)).json();
  assert.notEqual(now.embed_key, agent.widget.embed_key);
  await page.getByText(now.embed_key).waitFor();
  assert.equal((await api("GET", `widget/${agent.widget.embed_key}/config/`, undefined, {})).status, 404);
});

/** Has two people write over WhatsApp, one of them too long ago for a reply, and looks at what the inbox says of that. */
async function windowShown() {
  for (const [from, hours] of [["15550001111", 1], ["15550002222", 25]]) {
    const message = { from, id: "wamid." + from, timestamp: String(Math.floor(Date.now() / 1000) - hours * 3600), type: "text", text: { body: "Is it ready? " + from } };
    const body = JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "1", changes: [{ field: "messages",
      value: { messaging_product: "whatsapp", metadata: { phone_number_id: "106540352242922" }, contacts: [{ wa_id: from, profile: { name: from } }], messages: [message] } }] }] });
    const signature = "sha256=" + createHmac("sha256", "7d6f5e4c").update(body).digest("hex");
    const answer = await fetch(`${service.base}inbound/${agent.id}/whatsapp/`, { method: "POST", headers: { "Content-Type": "application/json", "X-Hub-Signature-256": signature }, body });
    assert.equal(answer.status, 200);
  }
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.locator(".item", { hasText: "15550001111" }).click({ timeout: 15_000 });
  await page.locator(".composer").getByText(/^WhatsApp takes replies until \d/).waitFor();
  await page.locator(".item", { hasText: "15550002222" }).click({ timeout: 15_000 });
  await page.locator(".composer").getByText(/^WhatsApp takes no replies since \d/).waitFor();
}

test("WhatsApp is connected, changed and disconnected", async () => {
  await page.getByRole("link", { name: "Channels" }).click();
  await page.getByRole("button", { name: "Connect WhatsApp" }).click();
  const card = page.getByRole("region", { name: "WhatsApp" });
  await card.getByLabel("Phone number id").fill("106540352242922");
  await card.getByLabel("Access token").fill("EAAG-secret");
  await healthy(page, "channels");
  await card.getByRole("button", { name: "Connect", exact: true }).click();
  await card.getByText("Connected", { exact: true }).waitFor();
  await card.getByText("Without the app secret").waitFor();
  await card.getByRole("button", { name: "Change WhatsApp" }).click();
  assert.match(await card.getByLabel("Access token").getAttribute("placeholder"), /^Set/);
  await card.getByLabel("App secret").fill("7d6f5e4c");
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Without the app secret").waitFor({ state: "detached" });
  await card.getByText(`/inbound/${agent.id}/whatsapp/`).waitFor();
  await card.getByText("subscribe to the field messages").waitFor();
  await card.getByRole("button", { name: "Check WhatsApp" }).click();
  await card.getByText("Missing").first().waitFor();
  await healthy(page, "channel-steps");
  const stored = async () => (await (await api("GET", `agents/${agent.id}/channels/`)).json()).results.find((c) => c.channel_type === "whatsapp");
  assert.deepEqual([(await stored()).live, (await stored()).config.access_token], [true, "__set__"]);
  assert.ok(!(await page.content()).includes("EAAG-secret"), "a secret is in the page");
  await windowShown();
  await page.getByRole("link", { name: "Channels" }).click();
  await card.getByRole("button", { name: "Change WhatsApp" }).click();
  await card.getByRole("button", { name: "Disconnect" }).click();
  await card.getByText("Not connected").waitFor();
  assert.equal((await stored()).live, false);
});

test("a webhook is added, tested, looked at and deleted", async () => {
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Add" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("https://127.0.0.1:1/hook"); // a private address, which is refused
  await dialog.getByLabel("Name").fill("CRM");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Choose at least one event.").waitFor();
  for (const kind of await dialog.getByRole("checkbox").all()) await kind.check(); // the API takes each that is offered
  await dialog.getByRole("button", { name: "Save" }).click();
  const secret = await page.locator("pre").textContent();
  assert.match(secret, /^[0-9a-f]{64}$/);
  await page.getByRole("button", { name: "Done" }).click();
  await healthy(page, "webhooks");
  await page.getByRole("link", { name: /CRM/ }).click();
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("The test was not delivered").waitFor();
  assert.ok(!(await page.content()).includes(secret), "the secret is shown again");
  const [c] = (await (await api("GET", `agents/${agent.id}/conversations/`)).json()).results;
  await api("POST", `conversations/${c.id}/resolve/`);
  const failed = page.locator(".item", { hasText: "Failed" });
  for (let i = 0; i < 20 && !(await failed.count()); i++) { // three attempts take six seconds
    await page.waitForTimeout(1000);
    await page.getByRole("button", { name: "Look again" }).click();
  }
  await failed.first().locator("summary").click();
  await failed.first().getByText(/^3\. .* ms\)$/).waitFor();
  await healthy(page, "webhook");
  await failed.first().getByRole("button", { name: "Send again" }).click();
  await page.getByText("It is sent again").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nothing is told of events").waitFor();
});

test("the numbers agree with what happened", async () => {
  await page.getByRole("link", { name: "Analytics" }).click();
  const figure = (name) => page.locator(".numbers > div", { hasText: name }).locator("dd:not(.before)");
  await figure("Conversations").first().waitFor();
  const want = await (await api("GET", `agents/${agent.id}/analytics/`)).json();
  assert.equal(await figure("Conversations").first().textContent(), String(want.conversations_total));
  assert.equal(await figure("Messages received").textContent(), String(want.messages_received));
  await page.getByText("As a table").first().click();
  await page.getByRole("cell", { name: String(want.conversations_total), exact: true }).first().waitFor();
  await healthy(page, "analytics");
  await page.locator(".numbers .before").first().getByText("0 before").waitFor(); // of as many days before
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  assert.ok(lines.includes(`${new Date().toISOString().slice(0, 10)},${want.conversations_total}`), lines.join("\n"));
  await page.locator(".numbers a").first().click(); // the number's own list
  await page.getByText(/^Begun from/).waitFor();
  const { results } = await (await api("GET", `agents/${agent.id}/conversations/`)).json();
  await until(async () => (await page.locator(".rows .item").count()) === Math.min(results.length, want.conversations_total));
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByText(/^Begun from/).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Analytics" }).click();
  await page.getByLabel("To").fill("2020-01-02");
  await page.getByLabel("From").fill("2020-01-01");
  await page.getByText("None in these days").waitFor();
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
