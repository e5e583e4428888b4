/** The step after a right password or code: a session, or a challenge for the second factor. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import { putUser } from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { writeEvent } from "../accounts/events.ts";
import { challenges } from "./records.ts";
import { passkeys } from "../accounts/records.ts";
import type { Amr } from "../base/amr.ts";
import type { Sessions, TokenSet } from "../sessions/sessions.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { findGraceEnd } from "../policy/grace.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import { readSettings } from "../settings/settings.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import { enrolmentRequired } from "../base/errors.ts";
import { type OfferedMethod, type SignedIn } from "../sessions/signed-in.ts";

/** Life of a challenge. */
export const CHALLENGE_MS = 10 * 60_000;

export interface Completion {
  readonly user: UserRecord;
  readonly caller: Caller;
  readonly amr: readonly Amr[];
  /** The account was to be deleted and comes back. */
  readonly restores?: boolean;
  /** Those of registration, where they were read already. */
  readonly settings?: RegistrationSettings;
  readonly mustEnrol?: boolean;
  /** The passkey among `amr`. */
  readonly passkeyId?: string;
}

/** Whether an account has no second factor although everyone needs one by now. */
export async function lacksRequiredFactor(
  tx: Tx,
  user: UserRecord,
  { settings, nowMs }: { readonly settings?: RegistrationSettings | undefined; readonly nowMs: number },
): Promise<boolean> {
  if (hasSecondFactor(user)) return false;
  const { requireTwoFactor } = settings ?? (await readSettings(tx, "registration")).fields;
  const graceEnd = findGraceEnd(requireTwoFactor, user);
  if (graceEnd === undefined || graceEnd > nowMs) return false;
  return (await tx.count(passkeys, "byUser", { prefix: [user.id] })) === 0;
}

/** Whether an account sets up a second factor before it may do anything else. Throws `mfa_enrolment_required` to who cannot. */
async function mustEnrol(tx: Tx, { user, caller, settings }: Completion, nowMs: number): Promise<boolean> {
  if (!(await lacksRequiredFactor(tx, user, { settings, nowMs }))) return false;
  if (caller.mayEnrol !== true) throw enrolmentRequired();
  return true;
}

/** Opens the session and notes the sign-in, in the running transaction. */
export async function openSession(
  tx: Tx,
  deps: Pick<AuthDeps, "clock"> & { sessions: Sessions },
  completion: Completion,
): Promise<TokenSet> {
  const { caller, amr, restores } = completion;
  const atMs = deps.clock.now();
  const { purgeAfter: _purgeAfter, deletedBy: _deletedBy, ...kept } = completion.user;
  const restored: UserRecord = restores === true ? { ...kept, status: "active" } : completion.user;
  const user = await putUser(
    tx,
    { ...restored, lastLoginAt: atMs, lastLoginClient: caller.clientId },
    { edited: restores === true },
  );
  const tokens = await deps.sessions.open(tx, {
    user,
    caller,
    amr,
    mustEnrol: completion.mustEnrol === true,
    passkeyId: completion.passkeyId,
  });
  if (restores === true) await writeEvent(tx, { userId: user.id, kind: "restored", caller, atMs });
  const sessionId = tokens.session.id;
  await writeEvent(tx, { userId: user.id, kind: "sign-in", caller, atMs, sessionId, amr });
  return tokens;
}

/** Opens a session, or asks for the second factor first, in the running transaction. */
export async function completeSignIn(
  tx: Tx,
  deps: Pick<AuthDeps, "clock" | "expiry"> & { sessions: Sessions },
  completion: Completion,
): Promise<SignedIn> {
  const { user, amr, restores } = completion;
  const nowMs = deps.expiry.now();
  if (!hasSecondFactor(user)) {
    const due = await mustEnrol(tx, completion, nowMs);
    return { kind: "tokens", tokens: await openSession(tx, deps, { ...completion, mustEnrol: due }) };
  }
  const challengeId = newSecret("mfa");
  await tx.insert(challenges, {
    id: hashSecret(challengeId),
    userId: user.id,
    tokenEpoch: user.tokenEpoch,
    amr: [...amr],
    restores: restores === true,
    tries: 0,
    createdAt: nowMs,
    expiresAt: nowMs + CHALLENGE_MS,
  });
  const methods: OfferedMethod[] = ["totp"];
  if (user.mfa.recovery.length > 0) methods.push("recovery");
  if ((await tx.count(passkeys, "byUser", { prefix: [user.id] })) > 0) methods.push("passkey");
  return { kind: "mfa", challengeId, methods };
}
