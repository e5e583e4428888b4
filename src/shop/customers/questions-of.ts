/** What a customer asked without signing in. */
import { toMailbox } from "../base/mailbox.ts";
import { toOrderConversationId } from "../chat/questions.ts";
import { conversations } from "../chat/records.ts";
import type { ConversationRecord } from "../chat/schema.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Buyer } from "./identity.ts";
import { listCustomerOrders } from "./orders-of.ts";

/** Conversations about the customer's orders, and those of a guest's mailbox, also where it is not verified. */
export async function listQuestions(tx: ReadTx, customer: Buyer): Promise<ConversationRecord[]> {
  const found = new Map<string, ConversationRecord>();
  for (const { id } of await listCustomerOrders(tx, customer)) {
    const one = await tx.get(conversations, toOrderConversationId(id));
    if (one !== undefined) found.set(one.id, one);
  }
  if (customer.userId !== undefined) return [...found.values()];
  const range = { prefix: [toMailbox(customer.emailLower)] };
  for (const one of await listEvery(tx, conversations, { index: "byMailbox", range })) found.set(one.id, one);
  return [...found.values()];
}
