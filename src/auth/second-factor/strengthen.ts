/** What setting up a factor and removing it do to sessions. */
import { listEvery } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import { isOfClass, readAcrValues } from "../policy/assurance.ts";
import { sessions } from "../sessions/records.ts";
import type { Amr, SessionRecord } from "../sessions/schema.ts";

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

/** What an account loses: its authenticator app, a passkey, or an account elsewhere that counted as two factors. */
export type RemovedFactor =
  | { readonly factor: "app" | "upstream" }
  | { readonly factor: "passkey"; readonly id: string };

const methods: Record<RemovedFactor["factor"], readonly Amr[]> = {
  app: ["otp", "recovery"],
  passkey: ["hwk", "swk", "user"],
  upstream: ["fed"],
};
/** Those of which any makes two factors of a sign-in; another provider does where nothing else did. */
const strong: readonly Amr[] = ["otp", "recovery", "hwk", "swk"];

/** Whether the session was signed in to with what is removed. Of sessions of earlier releases it is unknown with which passkey. */
function restsOn({ amr, passkeyId }: SessionRecord, removed: RemovedFactor): boolean {
  if (!methods[removed.factor].some((method) => amr.includes(method))) return false;
  return removed.factor !== "passkey" || passkeyId === undefined || passkeyId === removed.id;
}

function toWeaker(session: SessionRecord, { factor }: RemovedFactor): SessionRecord {
  const { passkeyId, acr, ...rest } = session;
  const left = session.amr.filter((method) => !methods[factor].includes(method));
  const hasFactor = left.some((method) => strong.includes(method));
  const amr = hasFactor ? left : left.filter((method) => method !== "mfa");
  const weaker = { ...rest, amr, aal: hasFactor ? session.aal : 1 };
  const isStill = readAcrValues(acr === undefined ? [] : [acr]).some((one) => isOfClass(weaker, one));
  return {
    ...weaker,
    acr: isStill ? acr : undefined,
    passkeyId: factor === "passkey" ? undefined : passkeyId,
  };
}

/** Takes a removed factor out of all sessions of an account, those of applications too: what rested on it alone has one factor. */
export async function weakenSessions(tx: Tx, userId: string, removed: RemovedFactor): Promise<void> {
  for (const session of await listEvery(tx, sessions, { index: "byUser", range: { prefix: [userId] } }))
    if (restsOn(session, removed)) await tx.put(sessions, toWeaker(session, removed));
}
