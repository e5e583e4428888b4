/** What a factor that was just set up does for the session in which that happened. */
import type { Tx } from "../../store/store.ts";
import { sessions } from "../sessions/records.ts";
import type { Amr } from "../sessions/schema.ts";

/** The owner used the new factor once to set it up: the session counts as signed in with it, and opens everything again. */
export async function strengthenSession(tx: Tx, sessionId: string, proved: readonly Amr[]): Promise<void> {
  const session = await tx.get(sessions, sessionId);
  if (session === undefined) return;
  const { mustEnrol: _enrolled, ...kept } = session;
  await tx.put(sessions, { ...kept, amr: [...new Set<Amr>([...kept.amr, ...proved, "mfa"])], aal: 2 });
}
