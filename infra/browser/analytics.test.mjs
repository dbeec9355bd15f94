// Opens the list behind each number of the dashboard's analytics, and compares its rows with the number.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, close, desk, enter, healthy, open, problems, until } from "./desk.mjs";

let page, agent, total, leads;
before(async () => {
  await open();
  agent = await enter();
  page = desk.page;
  const contact = (phone, name, stage) => ask("POST", "contacts/", { agent_id: agent.id, phone, name, stage });
  const ada = await contact("+4930901820", "Ada", "customer");
  await contact("+4930901821", "Grace", "lead");
  const arrange = (title, start_time) => ask("POST", "appointments/", { agent_id: agent.id, contact_id: ada.id, title, start_time });
  await arrange("Fitting", "2031-03-03T09:30:00Z");
  await arrange("Repair", "2031-03-04T09:30:00Z");
  for (const message of ["Hello", "Good day"]) await ask("POST", `agents/${agent.id}/chat/`, { message });
  total = await ask("GET", `agents/${agent.id}/analytics/`);
  leads = await ask("GET", `agents/${agent.id}/analytics/leads/`);
});
after(close);

const rows = { agenda: () => page.locator(".slot"), contacts: () => page.locator("table.stacks tbody tr"), inbox: () => page.locator(".rows .item") };
const figure = (name) => page.locator(".numbers > div", { hasText: name }).getByRole("link");
const card = () => page.locator("section.card", { has: page.getByRole("heading", { name: "Contacts", exact: true }) });
const at = (hash) => page.goto(new URL(hash, page.url()).href);

// opens follows a number's link and waits until its list is marked as chosen and has so many rows.
async function opens(link, of, marked, count) {
  await link.click();
  await page.getByText(marked).waitFor();
  await until(async () => (await rows[of]().count()) === count);
  assert.ok(count > 0);
}

for (const name of ["Conversations", "Taken over by a person"]) {
  test(`${name} opens the conversations that it is of`, async () => {
    await at("#/analytics");
    await opens(figure(name).first(), "inbox", /^Begun from/, total.conversations_total);
  });
}

test("appointments are those made in the days, whenever they take place", async () => {
  await at("#/analytics");
  await opens(figure("Appointments"), "agenda", /^Made from/, total.appointments_booked);
  await page.getByText("Fitting").waitFor();
  await healthy(page, "appointments-made");
  await at("#/agenda/made?since=2020-01-01&until=2020-01-02");
  await page.getByText("None in these days").waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByText(/^Made from/).waitFor({ state: "detached" });
});

test("contacts are those of the days, of a stage or of a score", async () => {
  await at("#/analytics");
  await opens(card().locator("p a").first(), "contacts", /^First seen from/, leads.total_contacts);
  await at("#/analytics");
  await opens(card().locator('a[href*="score=cold"]'), "contacts", /^First seen from/, leads.cold_leads);
  await at("#/analytics");
  await card().getByText("As a table").click();
  assert.ok(leads.by_stage.customer < leads.total_contacts); // the stage leaves somebody out
  await opens(card().locator('a[href*="stage=customer"]'), "contacts", /^First seen from/, leads.by_stage.customer);
  await page.getByRole("link", { name: "Ada", exact: true }).waitFor();
  await healthy(page, "contacts-of-a-stage");
  await at("#/contacts?since=2020-01-01&until=2020-01-02");
  await page.getByText("Nobody found").waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByRole("link", { name: "Grace", exact: true }).waitFor();
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
