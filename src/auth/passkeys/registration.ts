/** A new passkey: options for the browser, and what it made of them. */
import { newId } from "../../kit/secrets/id.ts";
import { takeRandomBytes } from "../../kit/secrets/random-pool.ts";
import type { Tx } from "../../store/store.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import { writeEvent } from "../accounts/events.ts";
import { assertRecent, type Subject } from "../sessions/subject.ts";
import type { Caller } from "../base/caller.ts";
import { AuthError } from "../base/errors.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { passkeys } from "../accounts/records.ts";
import { readSettings } from "../settings/settings.ts";
import { CHALLENGE_MS, createChallenges, passkeyInvalid, spendChallenge } from "./challenges.ts";
import {
  type Answer,
  type Begun,
  type PasskeysDeps,
  MAX_PASSKEYS,
  describeUser,
  listPasskeys,
  toAmr,
  toDescriptor,
} from "./deps.ts";
import { strengthenSession } from "../second-factor/strengthen.ts";
import { findProvider } from "./providers.ts";
import { listOrigins, needRelyingParty } from "./relying-party.ts";
import type { PasskeyRecord } from "../accounts/passkey-schema.ts";
import type { RegistrationResponse } from "./schema.ts";
import { ALGORITHMS, type CreationOptions, type NewCredential, verifyRegistration } from "./webauthn.ts";

const HANDLE_BYTES = 64;

function assertRoom(present: readonly PasskeyRecord[]): void {
  if (present.length < MAX_PASSKEYS) return;
  throw new AuthError(
    "passkey_limit",
    `An account can have up to ${MAX_PASSKEYS} passkeys. Remove one first`,
  );
}

async function add(
  tx: Tx,
  deps: PasskeysDeps,
  subject: Subject,
  parts: { made: NewCredential; handle: string; label: string | undefined; caller: Caller; rpId: string },
): Promise<PasskeyRecord> {
  const { made, handle, label, caller, rpId } = parts;
  const { expiry, clock } = deps;
  const user = await getUser(tx, subject.user.id);
  // Two that were begun as the first one at once: authenticators take them for different accounts.
  if ((user.passkeyHandle ?? handle) !== handle) throw passkeyInvalid();
  const present = await listPasskeys(tx, user.id);
  assertRoom(present);
  if ((await tx.by(passkeys, "byCredential", [made.credentialId])) !== undefined)
    throw new AuthError("passkey_known", "This passkey already belongs to an account");
  const createdAt = expiry.now();
  await putUser(tx, { ...user, passkeyHandle: handle }, { edited: false });
  const passkey = await tx.insert(passkeys, {
    ...made,
    id: newId("pky", createdAt),
    userId: user.id,
    label: label ?? findProvider(made.aaguid) ?? `Passkey ${present.length + 1}`,
    rpId,
    createdAt,
  });
  // The device checked who the person is: registrations without that are refused.
  await strengthenSession(tx, subject.session.id, { proved: toAmr(passkey), passkeyId: passkey.id });
  await writeEvent(tx, { userId: user.id, kind: "passkey-added", caller, atMs: clock.now() });
  await tellOwner(tx, deps, { user, notice: "passkey-added" });
  return passkey;
}

export function createPasskeyRegistration(deps: PasskeysDeps) {
  const { store, expiry, box } = deps;
  const challenges = createChallenges(box);
  const bind = ({ session }: Subject, browser: string) =>
    ({ purpose: "registration", browser, subject: session.id }) as const;

  async function begin(subject: Subject, browser = ""): Promise<Begun<CreationOptions>> {
    const party = needRelyingParty(deps.relyingParty);
    assertRecent(subject, expiry.now());
    return store.read(async (tx) => {
      const user = await getUser(tx, subject.user.id);
      const present = await listPasskeys(tx, user.id);
      assertRoom(present);
      const { siteName } = (await readSettings(tx, "registration")).fields;
      const handle = user.passkeyHandle ?? takeRandomBytes(HANDLE_BYTES).toString("base64url");
      const nowMs = expiry.now();
      const { challenge, sealed } = challenges.begin(bind(subject, browser), { nowMs, handle });
      const options: CreationOptions = {
        challenge,
        rp: { id: party.id, name: siteName },
        user: { id: handle, ...(await describeUser(tx, user)) },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: "public-key" })),
        timeout: CHALLENGE_MS,
        attestation: "none",
        excludeCredentials: present.map(toDescriptor),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        extensions: { credProps: true },
      };
      return { challengeId: sealed, options };
    });
  }

  return {
    /** Options for `navigator.credentials.create()`. Throws `reauth_required`, `passkey_limit`, `unavailable`. */
    begin,
    /** Adds what the browser made. Throws `reauth_required`, `passkey_invalid`, `passkey_limit`, `passkey_known`. */
    add: async (
      subject: Subject,
      answer: Answer<RegistrationResponse> & { readonly label?: string | undefined },
    ): Promise<PasskeyRecord> => {
      const party = needRelyingParty(deps.relyingParty);
      const { challengeId, response, browser = "", label, caller } = answer;
      assertRecent(subject, expiry.now());
      const challenge = challenges.open(challengeId, bind(subject, browser), expiry.now());
      const { handle } = challenge;
      if (handle === undefined) throw passkeyInvalid();
      const origins = await store.read((tx) => listOrigins(tx, party));
      const expected = { challenge: challenge.challenge, rpId: party.id, origins };
      const made = await verifyRegistration(response, expected);
      return store.transact(async (tx) => {
        await spendChallenge(tx, challenge, expiry.now());
        return add(tx, deps, subject, { made, handle, label, caller, rpId: party.id });
      });
    },
  };
}
