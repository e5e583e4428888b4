/** Background jobs of orders: they expire, and count as completed in the end. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { commitMove } from "../orders/effects.ts";
import { type MoveNote, expireOrder, moveOrder } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { orders } from "../orders/records.ts";

const BATCH = 200;
/** Orders that are moved at once: half of a pool's connections, so that requests go on while a job has much to do. */
const AT_ONCE = 5;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "log">;

/** Moves each due order that is still due when its turn comes; one that cannot be moved does not keep the others. */
async function moveDue(
  deps: Deps,
  index: "byPendingUntil" | "byAutoComplete",
  one: {
    dueAt: (order: OrderRecord) => number | undefined;
    move: (tx: Tx, order: OrderRecord, by: MoveNote) => Promise<unknown>;
  },
): Promise<number> {
  const { store, clock, log } = deps;
  const range = { to: [clock.now() + 1], limit: BATCH };
  const due = await store.read((tx) => tx.list(orders, index, range));
  const moveOne = async ({ id: orderId }: OrderRecord): Promise<number> => {
    try {
      return await store.transact(async (tx) => {
        const order = await tx.get(orders, orderId);
        if (order === undefined || (one.dueAt(order) ?? Infinity) > clock.now()) return 0;
        await one.move(tx, order, { by: "system", atMs: clock.now() });
        return 1;
      });
    } catch (error) {
      log.warn("A scheduled status change of an order failed; retrying", { orderId, error });
      return 0;
    }
  };
  let done = 0;
  for (let at = 0; at < due.items.length; at += AT_ONCE)
    for (const count of await Promise.all(due.items.slice(at, at + AT_ONCE).map(moveOne))) done += count;
  return done;
}

/** The jobs; each is to be called every few seconds, and again at once while it returns a full batch. */
export class OrderJobs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Ends orders whose time to pay is over; resolves with how many, at most 200. */
  expire(): Promise<number> {
    return moveDue(this.#deps, "byPendingUntil", {
      dueAt: ({ pendingUntil }) => pendingUntil,
      move: (tx, order, by) => commitMove(tx, this.#deps, expireOrder(order, by)),
    });
  }

  /** Completes delivered orders without complaints for days; resolves with their number, at most 200. */
  complete(): Promise<number> {
    return moveDue(this.#deps, "byAutoComplete", {
      dueAt: ({ autoCompleteAt }) => autoCompleteAt,
      move: (tx, order, by) => tx.put(orders, moveOrder(order, "complete", by)),
    });
  }
}
