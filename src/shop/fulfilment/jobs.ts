/** What happens to orders by themselves: they expire, and count as completed in the end. */
import type { Log } from "../../kit/observe/log.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../deps.ts";
import { moveOrder } from "../orders/moves.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { orders } from "../records.ts";
import { endUnpaid } from "../payments/settlement.ts";

const BATCH = 200;
/** Orders that are moved at once: half of a pool's connections, so that requests go on while a job has much to do. */
const AT_ONCE = 5;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "log">;

export interface OrderJobs {
  /** Ends orders whose time to pay is over; resolves with how many, at most 200. */
  expire(): Promise<number>;
  /** Completes delivered orders of which nobody said anything for days; resolves with how many, at most 200. */
  complete(): Promise<number>;
}

/** Does `work` for each due order that is still due when its turn comes. */
async function forEachDue(
  deps: Deps,
  index: "byPendingUntil" | "byAutoComplete",
  one: { isDue: (order: OrderRecord) => boolean; work: (tx: Tx, order: OrderRecord) => Promise<unknown> },
): Promise<number> {
  const { store, clock, log } = deps;
  const range = { to: [clock.now() + 1], limit: BATCH };
  const due = await store.read((tx) => tx.list(orders, index, range));
  const move = async (id: string): Promise<number> => {
    try {
      return await store.transact(async (tx) => {
        const order = await tx.get(orders, id);
        if (order === undefined || !one.isDue(order)) return 0;
        await one.work(tx, order);
        return 1;
      });
    } catch (error) {
      tell(log, id, error);
      return 0;
    }
  };
  let done = 0;
  for (let at = 0; at < due.items.length; at += AT_ONCE) {
    const counts = await Promise.all(due.items.slice(at, at + AT_ONCE).map(({ id }) => move(id)));
    done += counts.reduce((sum, count) => sum + count, 0);
  }
  return done;
}

/** One order that cannot be moved must not keep the others. */
function tell(log: Log, orderId: string, error: unknown): void {
  log.warn("An order could not be moved by its time; it is tried again", { orderId, error });
}

/** Makes the jobs; each is to be called every few seconds, and again at once while it returns a full batch. */
export function createOrderJobs(deps: Deps): OrderJobs {
  const { clock } = deps;
  return {
    expire: () =>
      forEachDue(deps, "byPendingUntil", {
        isDue: ({ pendingUntil }) => pendingUntil !== undefined && pendingUntil <= clock.now(),
        work: (tx, order) =>
          endUnpaid(tx, deps, { order, event: "expire", note: { by: "system", atMs: clock.now() } }),
      }),
    complete: () =>
      forEachDue(deps, "byAutoComplete", {
        isDue: ({ autoCompleteAt }) => autoCompleteAt !== undefined && autoCompleteAt <= clock.now(),
        work: (tx, order) =>
          tx.put(orders, moveOrder(order, "complete", { by: "system", atMs: clock.now() })),
      }),
  };
}
