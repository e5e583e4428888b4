/** Removes an anonymized customer from drafts. */
import { listEvery } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import { draftOrders } from "./records.ts";
import type { DraftRecord } from "./schema.ts";

/** The draft of an order, without what is personal. */
function toAnonymous(draft: DraftRecord): DraftRecord {
  const { id, version, number, state, orderId, orderNumber, createdBy, createdAt, updatedAt } = draft;
  const kept = { id, version, number, state, orderId, orderNumber, createdBy, createdAt, updatedAt };
  return { ...kept, items: [], note: "", staffNote: "", former: [] };
}

/** Deletes the drafts of a buyer; those that became orders stay without content. */
export async function eraseDrafts(
  tx: Tx,
  { userId, emailLower }: { readonly userId?: string | undefined; readonly emailLower: string },
): Promise<void> {
  for (const draft of await listEvery(tx, draftOrders, { index: "id" })) {
    const isAccount = userId !== undefined && draft.userId === userId;
    if (!isAccount && draft.email?.toLowerCase() !== emailLower) continue;
    if (draft.state === "ordered") await tx.put(draftOrders, toAnonymous(draft));
    else await tx.remove(draftOrders, draft.id);
  }
}
