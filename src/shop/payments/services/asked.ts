/** Handles what a provider reports about a payment when it is queried. */
import { toStorableText } from "../../../kit/text/foreign-text.ts";
import type { ReadTx, Tx } from "../../../store/store.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { paymentSessions } from "../records.ts";
import { type NoticeOutcome, takeNotice } from "../notices.ts";
import type { AskResult, ProviderNotice } from "../providers/provider.ts";
import type { PaymentSessionRecord } from "../schema.ts";
import type { OpenProvider } from "./open-provider.ts";
import { createTools } from "./tools.ts";

type Deps = Pick<ShopDeps, "clock" | "box" | "outbox" | "publicUrl" | "paymentOutbound">;

/** Queries a provider for one payment; the answer of a kind without queries is "unknown". @throws ProviderFault */
export async function askService(
  deps: Pick<Deps, "clock" | "paymentOutbound">,
  { kind, setup }: OpenProvider,
  {
    order,
    session,
    said = {},
  }: {
    readonly order: OrderRecord;
    readonly session: PaymentSessionRecord | undefined;
    /** The state of a notice that is to be confirmed: it may be of a former attempt. */
    readonly said?: ProviderNotice["state"];
  },
): Promise<AskResult> {
  if (kind.ask === undefined) return { kind: "unpaid", isOver: false };
  const { id: orderId, number, currency, total } = order;
  const { attempt = 1, reference = "", amount = total, state = {} } = session ?? {};
  return kind.ask(
    setup,
    { orderId, number, attempt, reference, amount, currency, state: { ...state, ...said } },
    createTools(deps),
  );
}

/** A provider's statement for the ledger; fields of a form may contain characters that a store cannot keep. */
export function toArrived(provider: string, said: ProviderNotice) {
  const { type, amount, currency, paidAt, state } = said;
  const providerRef = toStorableText(said.reference);
  const input = { providerRef, claimedOrderId: toStorableText(said.orderId), type, amount, currency, paidAt };
  const serviceState =
    state &&
    Object.fromEntries(Object.entries(state).map(([name, value]) => [name, toStorableText(value)] as const));
  return { provider, eventId: toStorableText(said.eventId), input, serviceState };
}

/** Applies a provider's answer, in the running transaction. */
export async function takeAsked(
  tx: Tx,
  deps: Deps,
  { provider, order, notices }: { provider: string; order: OrderRecord; notices: readonly ProviderNotice[] },
): Promise<NoticeOutcome[]> {
  const taken: NoticeOutcome[] = [];
  for (const said of notices) {
    // The query named this order.
    const arrived = toArrived(provider, { ...said, orderId: said.orderId === "" ? order.id : said.orderId });
    taken.push(await takeNotice(tx, deps, { ...arrived, verified: "asked", raw: JSON.stringify(said) }));
  }
  return taken;
}

/** The order that a service's own reference belongs to, where it names none. */
export async function findByReference(
  tx: ReadTx,
  { provider, reference }: { readonly provider: string; readonly reference: string },
): Promise<string | undefined> {
  if (reference === "") return undefined;
  const { items } = await tx.list(paymentSessions, "byReference", {
    prefix: [provider, reference],
    limit: 1,
    reverse: true,
  });
  return items[0]?.orderId;
}
