/** Lists of orders for administrators. */
import { AppError } from "../../kit/errors.ts";
import type { IndexRange, IndexValue, Page, PageOptions, Store } from "../../store/store.ts";
import type { OrderRecord, OrderStatus, PaymentStatus } from "./schema.ts";
import { orders } from "./records.ts";

/** A filter; absent members match all. Times in epoch milliseconds, `to` exclusive. */
export interface OrderFilter {
  readonly status?: OrderStatus | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly attention?: boolean | undefined;
  readonly userId?: string | undefined;
  /** The number, the id or the e-mail address of an order, whole. */
  readonly q?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

type IndexName = keyof typeof orders.ordered;

/** The first of these filters that is set chooses the index; only one of them at a time. */
function toWalk(filter: OrderFilter): IndexRange & { readonly index: IndexName } {
  const { status, paymentStatus, attention, userId, from, to } = filter;
  const choices: (readonly [IndexName, IndexValue])[] = [];
  if (status !== undefined) choices.push(["byStatus", status]);
  if (paymentStatus !== undefined) choices.push(["byPaymentStatus", paymentStatus]);
  if (attention === true) choices.push(["byAttention", "yes"]);
  if (userId !== undefined) choices.push(["byUser", userId]);
  if (choices.length > 1) {
    throw new AppError(
      "bad_request",
      "Only one of status, paymentStatus, attention and userId is allowed, optionally with from and to",
    );
  }
  const [[index, ...prefix] = ["byCreated"] as const] = choices;
  return { index, prefix, from: from === undefined ? [] : [from], to: to === undefined ? undefined : [to] };
}

/** Orders, the newest first. Throws `bad_request` for filters that do not go together, `bad_cursor`. */
export function listOrders(
  store: Store,
  filter: OrderFilter,
  options: PageOptions,
): Promise<Page<OrderRecord>> {
  const q = filter.q?.trim() ?? "";
  return store.read(async (tx) => {
    if (q === "") {
      const { index, ...range } = toWalk(filter);
      return tx.list(orders, index, { ...options, ...range, reverse: true });
    }
    const found = (await tx.get(orders, q)) ?? (await tx.by(orders, "byNumber", [q.toUpperCase()]));
    if (found !== undefined) return { items: [found] };
    return tx.list(orders, "byEmail", { ...options, prefix: [q.toLowerCase()], reverse: true });
  });
}
