/**
 * Checks what authenticators sign, by @simplewebauthn/server. It is loaded with the first answer of a passkey: it takes
 * a fifth of a second and 25 MB, which a center without passkeys does not spend.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { fromBase64Url, toBase64Url } from "../../kit/text/base64.ts";
import { passkeyInvalid } from "./challenges.ts";
import type { AssertionResponse, RegistrationResponse } from "./schema.ts";
import type { PasskeyRecord } from "../accounts/passkey-schema.ts";

/** EdDSA, ES256, RS256: what authenticators have (COSE's numbers, RFC 9053 and RFC 8812). */
export const ALGORITHMS = [-8, -7, -257];

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

const load = () => import("@simplewebauthn/server");

/** Where an answer has to come from, and to what. */
export interface Expected {
  readonly challenge: string;
  readonly rpId: string;
  readonly origins: readonly string[];
}

/** A new credential of an authenticator. */
export type NewCredential = Pick<
  PasskeyRecord,
  "credentialId" | "publicKey" | "counter" | "aaguid" | "backupEligible" | "backedUp" | "transports"
>;

/** The state that an authenticator reports with a signature. */
export interface Assertion extends Pick<PasskeyRecord, "counter" | "backedUp"> {
  /** It checked who is in front of it, by a PIN or a finger. */
  readonly isVerified: boolean;
}

/** Pages in frames of others ask for nothing: ours are in no frame. */
function isFramed(clientData: string): boolean {
  const said: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(clientData)));
  return typeof said === "object" && said !== null && "crossOrigin" in said && said.crossOrigin === true;
}

async function check<T>(clientData: string, verify: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  try {
    found = isFramed(clientData) ? undefined : await verify();
  } catch {
    // The library throws for whatever is wrong: another origin, another challenge, bytes that are none.
    found = undefined;
  }
  if (found === undefined) throw passkeyInvalid();
  return found;
}

/** Checks the answer to a registration, which has to have checked who the person is. Throws `passkey_invalid`. */
export async function verifyRegistration(
  response: RegistrationResponse,
  expected: Expected,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await load();
  return check(response.response.clientDataJSON, async () => {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: toBase64Url(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports,
      aaguid,
      backupEligible: credentialDeviceType === "multiDevice",
      backedUp: credentialBackedUp,
    };
  });
}

/** Checks a signature. Throws `passkey_invalid`. */
export async function verifyAssertion(
  response: AssertionResponse,
  { credentialId, publicKey }: Pick<PasskeyRecord, "credentialId" | "publicKey">,
  expected: Expected,
): Promise<Assertion> {
  const { verifyAuthenticationResponse } = await load();
  return check(response.response.clientDataJSON, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.rpId,
      // Both are for the caller to judge: verification by the purpose, a counter that fell as an event.
      requireUserVerification: false,
      credential: { id: credentialId, publicKey: fromBase64Url(publicKey), counter: 0 },
    });
    if (!verified) return undefined;
    const { newCounter, userVerified, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, isVerified: userVerified, backedUp: credentialBackedUp };
  });
}
