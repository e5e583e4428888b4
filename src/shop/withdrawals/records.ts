import { defineCollection, type ReadTx } from "../../store/store.ts";
import { withdrawalRecordSchema, type WithdrawalRecord } from "./schema.ts";

export const withdrawals = defineCollection({
  name: "withdrawals",
  revision: 1,
  schema: withdrawalRecordSchema,
  ordered: {
    byReceived: ["receivedAt"],
    byState: ["state", "receivedAt"],
    byWaiting: ["waiting", "receivedAt"],
    byUnmatched: ["unmatched"],
    byOrder: ["orderId", "receivedAt"],
  },
});

/** Withdrawals of an order, oldest first. */
export async function listWithdrawals(tx: ReadTx, orderId: string): Promise<readonly WithdrawalRecord[]> {
  return (await tx.list(withdrawals, "byOrder", { prefix: [orderId], limit: 1_000 })).items;
}
