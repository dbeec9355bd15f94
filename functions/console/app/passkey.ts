// Passkeys: the API has bytes in base64url, and browsers want them as buffers.
import { insist, post, Row } from "./api";
import { say } from "./say";

/** Whether this browser has passkeys at this address. */
export const supported = "PublicKeyCredential" in window && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

const bytes = (text: string) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Waits for what the person does in the browser's prompt; closing it is an error as well. */
async function prompted<T>(prompt: Promise<T>): Promise<T> {
  try { return await prompt; } catch (cause) {
    const name = (cause as Error).name;
    if (name === "NotAllowedError") throw new Error(say("No passkey was used."));
    if (name === "InvalidStateError") throw new Error(say("This device has a passkey of yours already."));
    throw cause;
  }
}

/** Makes a passkey of the member who is signed in, and adds it under a name. */
export async function make(name: string) {
  const asked = await post("session/passkey-creation/");
  const made = await prompted(navigator.credentials.create({ publicKey: {
    challenge: bytes(asked.challenge), rp: { id: asked.rp_id, name: "Frontdesk" },
    user: { id: bytes(asked.user_id), name: asked.user_name, displayName: asked.user_name },
    pubKeyCredParams: asked.algorithms.map((alg: number) => ({ type: "public-key", alg })),
    excludeCredentials: asked.exclude.map((id: string) => ({ type: "public-key", id: bytes(id) })),
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  } })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return insist("passkeys/", { name, credential_id: made.id, client_data: text(response.clientDataJSON), attestation_object: text(response.attestationObject) });
}

/** Signs in with a passkey that the person chooses, and returns the session. */
export async function signIn(): Promise<Row> {
  const asked = await post("session/passkey-request/");
  const used = await prompted(navigator.credentials.get({ publicKey: { challenge: bytes(asked.challenge), rpId: asked.rp_id, userVerification: "preferred" } })) as PublicKeyCredential;
  const response = used.response as AuthenticatorAssertionResponse;
  return post("session/passkey/", {
    credential_id: used.id, client_data: text(response.clientDataJSON), authenticator_data: text(response.authenticatorData),
    signature: text(response.signature), user_handle: text(response.userHandle!),
  });
}

/** What a passkey of this device is called to begin with. */
export const device = () => /iPhone|iPad|Android|Macintosh|Windows|CrOS|Linux/.exec(navigator.userAgent)?.[0] ?? say("Passkey");
