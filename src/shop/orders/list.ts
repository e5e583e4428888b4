/** Lists of orders for administrators. */
import { AppError } from "../../kit/errors.ts";
import type { IndexRange, IndexValue, Page, ReadTx, Store } from "../../store/store.ts";
import type { OrderRecord, OrderStatus, PaymentStatus } from "./schema.ts";
import { orders } from "../records.ts";

/** What is looked for; members that are absent match all. Times in epoch milliseconds, `to` exclusive. */
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

interface Walk {
  readonly index: IndexName;
  readonly range: IndexRange;
}

/** The first of these filters that is set chooses the index; only one of them at a time, so that `total` is exact. */
function toWalk(filter: OrderFilter): Walk {
  const { status, paymentStatus, attention, userId, from, to } = filter;
  const choices: (readonly [IndexName, IndexValue])[] = [];
  if (status !== undefined) choices.push(["byStatus", status]);
  if (paymentStatus !== undefined) choices.push(["byPaymentStatus", paymentStatus]);
  if (attention === true) choices.push(["byAttention", "yes"]);
  if (userId !== undefined) choices.push(["byUser", userId]);
  if (choices.length > 1) {
    throw new AppError(
      "bad_request",
      "Give one of status, paymentStatus, attention and userId, with from and to if you like",
    );
  }
  const times = {
    ...(from === undefined ? {} : { from: [from] }),
    ...(to === undefined ? {} : { to: [to] }),
  };
  const [choice] = choices;
  if (choice === undefined) return { index: "byCreated", range: times };
  return { index: choice[0], range: { ...times, prefix: [choice[1]] } };
}

async function find(
  tx: ReadTx,
  q: string,
  options: { limit: number; cursor?: string },
): Promise<Page<OrderRecord> & { total: number }> {
  const one = (await tx.get(orders, q)) ?? (await tx.by(orders, "byNumber", [q.toUpperCase()]));
  if (one !== undefined) return { items: [one], total: 1 };
  const range = { prefix: [q.toLowerCase()] };
  const page = await tx.list(orders, "byEmail", { ...options, ...range, reverse: true });
  return { ...page, total: await tx.count(orders, "byEmail", range) };
}

/** Orders, the newest first, with the number of all that match. Throws `bad_request` for filters that do not go together, `bad_cursor`. */
export function listOrders(
  store: Store,
  filter: OrderFilter,
  options: { limit: number; cursor?: string },
): Promise<Page<OrderRecord> & { readonly total: number }> {
  const q = filter.q?.trim();
  return store.read(async (tx) => {
    if (q !== undefined && q !== "") return find(tx, q, options);
    const { index, range } = toWalk(filter);
    const page = await tx.list(orders, index, { ...options, ...range, reverse: true });
    return { ...page, total: await tx.count(orders, index, range) };
  });
}
