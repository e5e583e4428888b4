/** Collections that consumer law asks for: what things cost, which words stood where, and who withdrew. */
import { type ReadTx, defineCollection } from "../store/store.ts";
import { pageVersionRecordSchema } from "./legal/schema.ts";
import { mailTemplateRecordSchema, mailTextRecordSchema } from "./mails/template-schema.ts";
import { priceRecordSchema } from "./prices/schema.ts";
import { type WithdrawalRecord, withdrawalRecordSchema } from "./withdrawals/schema.ts";

/** What each product and variant has cost. */
export const prices = defineCollection({
  name: "prices",
  revision: 1,
  schema: priceRecordSchema,
  ordered: { byProduct: ["productId"] },
});

/** The words of mails that an administrator changed. */
export const mailTemplates = defineCollection({
  name: "mailTemplates",
  revision: 1,
  schema: mailTemplateRecordSchema,
});

/** Long texts of mails, by their hash; see `mails/drafts.ts`. */
export const mailTexts = defineCollection({
  name: "mailTexts",
  revision: 1,
  schema: mailTextRecordSchema,
  ordered: { byKeptUntil: ["keptUntil"] },
});

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

/** What was stated about an order, the oldest first. */
export async function listWithdrawals(tx: ReadTx, orderId: string): Promise<readonly WithdrawalRecord[]> {
  return (await tx.list(withdrawals, "byOrder", { prefix: [orderId], limit: 1_000 })).items;
}

/** Words of pages as they were, by the version that orders name. */
export const pageVersions = defineCollection({
  name: "pageVersions",
  revision: 1,
  schema: pageVersionRecordSchema,
  ordered: { byPage: ["slug", "pageVersion"] },
});
