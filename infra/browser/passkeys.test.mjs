// Signs in with passkeys, which a virtual authenticator of the browser holds.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, close, desk, enter, healthy, open, problems } from "./desk.mjs";

let page;
before(async () => {
  await open();
  ({ page } = desk);
  const cdp = await desk.context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options: {
    protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true,
  } });
});
after(close);

const signOut = async () => {
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
};
const withPasskey = () => page.getByRole("button", { name: "Sign in with a passkey" }).click();

test("a passkey is offered after signing in by a link, and signs in", async () => {
  await enter();
  await healthy(page, "passkey-offer");
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByText("From now on you can sign in with your passkey").waitFor();
  assert.equal(await page.getByRole("region", { name: "Passkey" }).count(), 0, "it is offered on");
  await signOut();
  await healthy(page, "passkey-door");
  await withPasskey();
  await page.getByRole("link", { name: "Inbox" }).waitFor();
  const session = await page.evaluate(async () => (await fetch("../api/v1/session/")).json());
  assert.equal(session.role, "owner");
});

test("a device has one passkey of a member", async () => {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Sign-ins" }).click();
  await page.getByText(/^Used /).waitFor();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("This device has a passkey of yours already.").waitFor();
  await healthy(page, "passkeys");
});

test("a passkey that was removed signs nobody in", async () => {
  await page.getByRole("button", { name: /^Remove / }).click();
  await page.getByText("With a passkey you sign in by").waitFor();
  assert.equal((await ask("GET", "passkeys/")).count, 0);
  await signOut();
  await withPasskey();
  await page.getByText("This passkey signs nobody in.").waitFor();
  assert.equal(await page.evaluate(async () => (await fetch("../api/v1/session/")).status), 401);
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
