/** Cancels emails that are no longer needed, such as one with a code that was used before the email was sent. */
import type { Tx } from "../store/store.ts";
import { outboxCollection } from "./outbox-record.ts";

/** Removes a mail of this kind within `tx` unless it was sent. */
export async function cancelMail(
  tx: Tx,
  { id, kind }: { readonly id: string; readonly kind: string },
): Promise<void> {
  const record = await tx.get(outboxCollection, id);
  if (record?.kind === kind && record.state !== "sent") await tx.remove(outboxCollection, id);
}
