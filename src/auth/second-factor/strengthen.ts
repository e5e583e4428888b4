/** Effects on sessions of setting up and removing a factor. */
import { listEvery } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { lacksRequiredFactor } from "./completion.ts";
import { isOfClass, readAcrValues } from "../policy/assurance.ts";
import { sessions } from "../sessions/records.ts";
import type { Amr } from "../base/amr.ts";
import type { SessionRecord } from "../sessions/schema.ts";

/** The owner used the new factor once to set it up: the session counts as signed in with it, and opens everything again. */
export async function strengthenSession(
  tx: Tx,
  sessionId: string,
  { proved, passkeyId }: { readonly proved: readonly Amr[]; readonly passkeyId?: string },
): Promise<void> {
  const session = await tx.get(sessions, sessionId);
  if (session === undefined) return;
  const { mustEnrol: _enrolled, ...kept } = session;
  const amr = [...new Set<Amr>([...kept.amr, ...proved, "mfa"])];
  await tx.put(sessions, { ...kept, amr, aal: 2, passkeyId: passkeyId ?? kept.passkeyId });
}

/** The removed factor: the authenticator app, a passkey, or an account elsewhere that counted as two factors. */
export type RemovedFactor =
  | { readonly factor: "app" | "upstream" }
  | { readonly factor: "passkey"; readonly id: string };

const first: readonly Amr[] = ["pwd", "email", "fed"];
const codes: readonly Amr[] = ["otp", "recovery"];
const keys: readonly Amr[] = ["hwk", "swk"];

const methods: Record<RemovedFactor["factor"], readonly Amr[]> = {
  app: codes,
  passkey: ["hwk", "swk", "user"],
  upstream: ["fed"],
};

/** Whether what is left of a sign-in are two factors: a passkey is, and a code is with something before it. */
function isTwoFactors(left: readonly Amr[]): boolean {
  const hasAny = (some: readonly Amr[]): boolean => some.some((method) => left.includes(method));
  return hasAny(keys) || (hasAny(codes) && hasAny(first));
}

/** Whether the session was signed in to with what is removed. Of sessions of earlier releases it is unknown with which passkey. */
function restsOn({ amr, passkeyId }: SessionRecord, removed: RemovedFactor): boolean {
  if (!methods[removed.factor].some((method) => amr.includes(method))) return false;
  return removed.factor !== "passkey" || passkeyId === undefined || passkeyId === removed.id;
}

function toWeaker(session: SessionRecord, { factor }: RemovedFactor): SessionRecord {
  const { passkeyId, acr, ...rest } = session;
  const left = session.amr.filter((method) => !methods[factor].includes(method));
  const hasFactor = isTwoFactors(left);
  const amr = hasFactor ? left : left.filter((method) => method !== "mfa");
  const weaker = { ...rest, amr, aal: hasFactor ? session.aal : 1 };
  const isStill = readAcrValues(acr === undefined ? [] : [acr]).some((one) => isOfClass(weaker, one));
  return {
    ...weaker,
    acr: isStill ? acr : undefined,
    passkeyId: factor === "passkey" ? undefined : passkeyId,
  };
}

/** Whether the person signed in at the center with one factor. What applications hold ends with it, or goes by their policy. */
function isOwnWithOneFactor({ aal, parentId, impersonatedBy }: SessionRecord): boolean {
  return aal < 2 && parentId === undefined && impersonatedBy === undefined;
}

/**
 * Removes a factor from all sessions of an account, including those of applications: a session that relied on it has
 * one factor left. If two are required, it may then only set up another. `user` as it is without the factor.
 */
export async function weakenSessions(
  tx: Tx,
  user: UserRecord,
  { nowMs, ...removed }: RemovedFactor & { readonly nowMs: number },
): Promise<void> {
  const isLacking = await lacksRequiredFactor(tx, user, { nowMs });
  for (const session of await listEvery(tx, sessions, { index: "byUser", range: { prefix: [user.id] } })) {
    const left = restsOn(session, removed) ? toWeaker(session, removed) : session;
    const isRestricted = isLacking && isOwnWithOneFactor(left);
    if (isRestricted) await tx.put(sessions, { ...left, mustEnrol: true });
    else if (left !== session) await tx.put(sessions, left);
  }
}
