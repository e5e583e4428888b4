import { type Tx } from "../../store/store.ts";
import { refusals } from "./records.ts";

/** Kept of one application, and of these from one network: noise from one place must not hide the others. */
export const MAX_KEPT = 50;

/** Removes what is kept of an application. */
export async function dropRefusals(tx: Tx, clientId: string): Promise<void> {
  const { items } = await tx.list(refusals, "byClient", { prefix: [clientId], limit: 2 * MAX_KEPT });
  for (const { id } of items) await tx.remove(refusals, id);
}
