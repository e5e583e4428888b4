/** What services and a shop owe each other when all is over: both must say the same of every payment. */
import assert from "node:assert/strict";
import { createOutbound } from "../../../../src/kit/outbound/outbound.ts";
import { refunds, notices } from "../../../../src/shop/payments/records.ts";
import { checkLedger } from "../../../../src/shop/payments/ledger-check.ts";
import { findKind } from "../../../../src/shop/payments/providers/kinds.ts";
import { toOrderId } from "../../../../src/shop/payments/signing/trade-number.ts";
import { orders } from "../../../../src/shop/orders/records.ts";
import { shopCollections } from "../../../../src/shop/app/records.ts";
import { silentLog } from "../../../../src/kit/observe/log.ts";
import { openJournalStore } from "../../../../src/store/journal/journal-store.ts";
import type { Store } from "../../../../src/store/store.ts";
import type { FixedClock } from "../../../support/fixed-clock.ts";
import { type TestShop, createTestShop } from "../../app-fixture.ts";
import { assertConsistent, listAll } from "../../race-checks.ts";
import { type ServiceSale, tell } from "./service-load.ts";
import { type Stand, findPayment } from "./service-stands.ts";

const MINUTE = 60_000;

/** The jobs of the next hours, without payments. */
export async function passTime({ shop }: TestShop, clock: FixedClock): Promise<void> {
  for (const minutes of [2, 2, 10, 25]) {
    clock.advance(minutes * MINUTE);
    while ((await shop.paymentJobs.run()) > 0);
    while ((await shop.refunds.run()) > 0);
  }
  for (let hour = 0; hour < 3; hour += 1) {
    clock.advance(60 * MINUTE);
    while ((await shop.refunds.run()) > 0);
  }
}

/** Throws unless every payment of a service is in the shop's books once, and so is what was given back; gives how many were paid. */
export async function compareAccounts(store: Store, stands: readonly Stand[]): Promise<number> {
  const [entries, returns] = await store.read(
    async (tx) => [await listAll(tx, notices), await listAll(tx, refunds)] as const,
  );
  let paid = 0;
  for (const { name, gateway } of stands) {
    for (const payment of gateway.payments) {
      const orderId = toOrderId(payment.orderId);
      findPayment({ name, gateway }, orderId);
      const order = await store.read((tx) => tx.get(orders, orderId));
      assert.ok(order !== undefined, `${name} began a payment of no order: ${payment.orderId}`);
      const applied = entries.filter(
        (entry) => entry.orderId === orderId && entry.type === "payment" && entry.state === "applied",
      );
      assert.equal(applied.length, payment.isPaid ? 1 : 0, `${name}: payments applied to ${orderId}`);
      assert.equal(order.status === "pending_payment", !payment.isPaid, `${name}: ${order.status}`);
      assert.ok(payment.refunded <= payment.amount, `${name} gave ${orderId} back twice`);
      // Epay has no idempotency: a person was asked to check there.
      const isUnclear =
        name === "epay" && returns.some((each) => each.orderId === orderId && each.status === "unclear");
      if (!isUnclear) assert.equal(order.amountRefunded, payment.refunded, `${name}: refunds of ${orderId}`);
      else assert.equal(payment.refunded, payment.amount);
      if (payment.isPaid) paid += 1;
    }
  }
  return paid;
}

/**
 * Lets a last shop live on the folder for some hours: services say again what was not heard where the shop cannot ask
 * them, and the shop finds out the rest by itself. Throws unless nothing was lost or done twice.
 * @returns how many payments services took
 */
export async function settleAccounts(
  folder: string,
  given: Settling & { readonly keyCount: number },
): Promise<number> {
  const options = { folder, name: "shop", collections: shopCollections };
  const store = await openJournalStore({ ...options, clock: given.clock, log: silentLog });
  return settleStore(store, given);
}

/** What services and a shop have to settle. */
export interface Settling {
  readonly stands: readonly Stand[];
  readonly sales: readonly ServiceSale[];
  readonly clock: FixedClock;
  /** Units of the only product; absent where others are sold too. */
  readonly keyCount?: number;
}

/** {@link settleAccounts} on any store, which it closes. */
export async function settleStore(store: Store, given: Settling): Promise<number> {
  const { stands, sales, clock, keyCount } = given;
  const paymentOutbound = createOutbound({ allowPrivate: true, privateRemedy: "", userAgent: "test" });
  const app = await createTestShop({ store, clock, paymentOutbound });
  try {
    for (const sale of sales) {
      const canAsk = findKind(sale.stand.gateway.kind)?.ask !== undefined;
      if (sale.notice === undefined || (canAsk && sale.isHeard !== true)) continue;
      const notice = sale.stand.gateway.sendAgain?.(sale.notice) ?? sale.notice;
      await tell(sale, notice, (path, init) => app.fetch(path, init));
    }
    await passTime(app, clock);
    const paid = await compareAccounts(store, stands);
    const all = await store.read((tx) => listAll(tx, orders));
    const [stockId] = new Set(all.flatMap(({ lines }) => lines.map((line) => line.stockId)));
    const units = keyCount === undefined ? [] : ([[stockId ?? "", keyCount]] as const);
    await assertConsistent(store, new Map(units));
    assert.deepEqual((await checkLedger(store)).faults, []);
    return paid;
  } finally {
    await store.close();
  }
}
