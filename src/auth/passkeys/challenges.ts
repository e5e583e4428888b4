/**
 * Passkey challenges: 32 random bytes, valid once and for five minutes. A challenge is issued encrypted and comes back
 * with its answer, so that requests cannot fill the store; only answered ones are kept, until they have expired by
 * every clock.
 */
import { z } from "zod";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { takeRandomBytes } from "../../kit/secrets/random-pool.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Tx } from "../../store/store.ts";
import { AuthError } from "../base/errors.ts";
import { answeredChallenges } from "./records.ts";

export const CHALLENGE_MS = 5 * 60_000;
/** Answered challenges are kept for longer than they are good: a clock may be set back. */
const KEPT_MS = 86_400_000;

/** The purpose of a challenge; it is invalid for any other. */
export type ChallengePurpose = "sign-in" | "second-factor" | "proof" | "registration";

/** The binding of a challenge. */
export interface ChallengeBinding {
  readonly purpose: ChallengePurpose;
  /** Identifies the browser; "" for a program, which holds the encrypted challenge itself. */
  readonly browser: string;
  /** The session, or the challenge of the second factor, that it belongs to; "" for neither. */
  readonly subject: string;
}

const challengeSchema = z.strictObject({
  challenge: z.string(),
  browser: z.string(),
  subject: z.string(),
  /** The user handle that a new passkey gets. */
  handle: z.string().optional(),
  expiresAt: z.number(),
});

export interface Challenge {
  /** 32 bytes in base64url, as it is signed. */
  readonly challenge: string;
  readonly handle?: string | undefined;
}

/** One text for whatever was wrong with a passkey's answer. */
export function passkeyInvalid(): AuthError {
  return new AuthError(
    "passkey_invalid",
    "The passkey was rejected, or its challenge is older than five minutes. Request new options and try again",
  );
}

/** Creates the challenges' logic. */
export function createChallenges(box: SecretBox) {
  const toSeal = (purpose: ChallengePurpose): `passkey-${string}` => `passkey-${purpose}`;

  function open(sealed: string, purpose: ChallengePurpose): z.infer<typeof challengeSchema> {
    try {
      return challengeSchema.parse(JSON.parse(box.open(sealed, toSeal(purpose))));
    } catch (cause) {
      throw new AuthError("passkey_invalid", passkeyInvalid().message, { cause });
    }
  }

  return {
    /** A new challenge, and the sealed form in which it is given out. */
    begin: (
      binding: ChallengeBinding,
      { nowMs, handle }: { nowMs: number; handle?: string },
    ): Challenge & { readonly sealed: string } => {
      const { purpose, browser, subject } = binding;
      const challenge = takeRandomBytes(32).toString("base64url");
      const kept = { challenge, browser, subject, handle, expiresAt: nowMs + CHALLENGE_MS };
      return { challenge, handle, sealed: box.seal(JSON.stringify(kept), toSeal(purpose)) };
    },
    /** The issued challenge. Throws `passkey_invalid` if it had another purpose or has expired. */
    open: (sealed: string, binding: ChallengeBinding, nowMs: number): Challenge => {
      const { expiresAt, browser, subject, ...kept } = open(sealed, binding.purpose);
      const isBound = browser === binding.browser && subject === binding.subject;
      // One that was made while the clock was ahead would live for as long as it was wrong.
      if (!isBound || expiresAt <= nowMs || expiresAt > nowMs + CHALLENGE_MS) throw passkeyInvalid();
      return kept;
    },
  };
}

/** Uses a challenge up, in the transaction of what it is answered for. Throws `passkey_invalid` when it was before. */
export async function spendChallenge(tx: Tx, { challenge }: Challenge, nowMs: number): Promise<void> {
  const id = hashSecret(challenge);
  if ((await tx.get(answeredChallenges, id)) !== undefined) throw passkeyInvalid();
  await tx.insert(answeredChallenges, { id, expiresAt: nowMs + CHALLENGE_MS + KEPT_MS });
}
