/** Asks VIES again about the VAT IDs of paid orders that wait for its answer. */
import type { ShopDeps } from "../base/deps.ts";
import { commitMove } from "../orders/effects.ts";
import { isHeld } from "../orders/order.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { noteInvalid, releaseHeld } from "../orders/vat-hold.ts";
import { readSite } from "../site/settings.ts";
import type { VatChecks, VatVerdict } from "../tax/vat-checks.ts";
import { readVatId } from "../tax/vat-id.ts";

/** Orders with flags that are looked at in one run. */
const BATCH = 200;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

function waits(order: OrderRecord): boolean {
  return isHeld(order) && order.vatCheck?.state === "away";
}

async function apply(deps: Deps, id: string, verdict: VatVerdict): Promise<void> {
  if (verdict.state === "away") return;
  await deps.store.transact(async (tx) => {
    const order = await tx.get(orders, id);
    if (order === undefined || !waits(order)) return;
    if (verdict.state === "invalid") {
      await commitMove(tx, deps, noteInvalid(order, verdict.atMs));
      return;
    }
    const { atMs: at, ...found } = verdict;
    await commitMove(
      tx,
      deps,
      await releaseHeld(tx, deps.box, order, {
        by: "system",
        atMs: deps.clock.now(),
        check: { ...found, at },
      }),
    );
  });
}

/** One run; to be repeated every few minutes. Resolves with the number of orders that were asked about. */
export async function askAgain(deps: Deps, checks: VatChecks): Promise<number> {
  const { waiting, requester } = await deps.store.read(async (tx) => {
    const flagged = await tx.list(orders, "byAttention", { prefix: ["yes"], limit: BATCH });
    const found = flagged.items.filter(waits);
    return { waiting: found, requester: found.length === 0 ? "" : (await readSite(tx)).seller.vatId };
  });
  for (const { id, vatId = "" } of waiting) {
    const read = readVatId(vatId);
    if (typeof read === "object") await apply(deps, id, await checks.check({ vatId: read.text, requester }));
  }
  return waiting.length;
}
