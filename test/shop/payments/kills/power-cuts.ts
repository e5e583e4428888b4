/** A power cut after any disk operation while a payment begins, is reported and is refunded. */
import assert from "node:assert/strict";
import { findKind } from "../../../../src/shop/payments/providers/kinds.ts";
import { orders } from "../../../../src/shop/orders/records.ts";
import { shopCollections } from "../../../../src/shop/app/records.ts";
import { type JournalStore, openJournalStore } from "../../../../src/store/journal/journal-store.ts";
import { FaultyFiles } from "../../../store/faulty-files.ts";
import { type FixedClock, createFixedClock } from "../../../support/fixed-clock.ts";
import { read } from "../../app-fixture.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { type GatewayShop, createGatewayShop } from "../gateways/gateway-shop.ts";
import { gateways } from "../gateways/gateways.ts";
import { compareAccounts, passTime } from "./service-accounts.ts";

let lives = 0;

function open(files: FaultyFiles, clock: FixedClock): Promise<JournalStore> {
  lives += 1;
  const identity = { pid: lives, bootId: `boot ${lives}`, namespace: "one", startTicks: "1" };
  return openJournalStore({
    folder: "/data/shop",
    name: "shop",
    collections: shopCollections,
    clock,
    files,
    lock: { watchMs: 0, identity },
  });
}

/** How far it came. */
interface Came {
  readonly orderId?: string;
  readonly notice?: GatewayNotice;
  readonly isHeard?: boolean;
  readonly isReturned?: boolean;
}

/** Orders, pays and, where the service can, gives back until the power is cut. */
async function live(shop: GatewayShop, isCut: () => boolean): Promise<Came> {
  let came: Came = {};
  try {
    const placed = await shop.checkOut();
    came = { orderId: placed.order.id };
    const notice = await shop.pay(placed);
    came = { ...came, notice };
    await shop.assertHeard(await shop.notify(notice));
    came = { ...came, isHeard: true };
    if (findKind(shop.gateway.kind)?.refund === undefined) return came;
    const path = `/api/admin/orders/${placed.order.id}/refund`;
    await read(await shop.app.admin("POST", path, { amount: placed.order.total }));
    return { ...came, isReturned: true };
  } catch (error) {
    if (!isCut()) throw error;
    return came;
  }
}

/** One history with a cut after so many operations; how many it had. */
async function tryCut(name: string, cut: number): Promise<{ operations: number; came: Came }> {
  const create = gateways[name] ?? assert.fail(name);
  const clock = createFixedClock();
  const files = new FaultyFiles();
  const store = await open(files, clock);
  const shop = await createGatewayShop(create, { clock, store });
  const { gateway } = shop;
  const start = files.operations;
  files.powerCutAfter = start + cut;
  const came = await live(shop, () => files.operations >= start + cut);
  const operations = files.operations - start;
  await store.close().catch(() => undefined);

  const after = await open(files.afterPowerCut(), clock);
  const next = await createGatewayShop(create, { clock, store: after, gateway });
  if (came.orderId !== undefined) {
    const { orderId } = came;
    const order = await after.read((tx) => tx.get(orders, orderId));
    assert.ok(order !== undefined, `cut ${cut}: the order is lost`);
    if (came.isHeard) assert.equal(order.status, "paid", `cut ${cut}: the notice is lost`);
  }
  if (came.notice !== undefined) await next.assertHeard(await next.notify(came.notice));
  await passTime(next.app, clock);
  await compareAccounts(after, [{ name, gateway }]);
  await next.assertBooks();
  await after.close();
  return { operations, came };
}

/** Cuts the power after each step of a history with a service; throws unless shop and service agree afterwards. */
export async function cutEverywhere(name: string): Promise<void> {
  const { operations, came } = await tryCut(name, Number.MAX_SAFE_INTEGER);
  assert.ok(operations > 0 && came.isHeard);
  assert.equal(came.isReturned === true, findKind(name)?.refund !== undefined);
  for (let cut = 0; cut <= operations; cut += 1) await tryCut(name, cut);
}
