/** The one record of what holds for the whole center. */
import type { ReadTx, Tx } from "../../store/store.ts";
import type { StateRecord } from "./ledger-schema.ts";
import { state } from "./records.ts";

/** Changes the record, and makes it where there is none. */
export async function changeState(
  tx: Tx,
  change: Partial<Omit<StateRecord, "id" | "version">>,
): Promise<StateRecord> {
  const before = await tx.get(state, "state");
  if (before !== undefined) return tx.put(state, { ...before, ...change });
  return tx.insert(state, { id: "state", revokedBefore: 0, secretCheck: "", ...change });
}

/** Sessions made before that time have ended, epoch ms. */
export async function readRevokedBefore(tx: ReadTx): Promise<number> {
  return (await tx.get(state, "state"))?.revokedBefore ?? 0;
}
