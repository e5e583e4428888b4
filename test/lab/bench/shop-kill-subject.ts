/**
 * A program for shop-kill.ts: opens the shop of a folder, looks whether it holds what was acknowledged in the life
 * before, then orders and pays without pause from four buyers, and prints a line for each that is acknowledged.
 */
import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { withAuditKey } from "../../../src/records/audit-key.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createOutbox } from "../../../src/records/outbox.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { layOutDraft } from "../../../src/shop/mails/drafts.ts";
import { createMemoryBlobs } from "../../../src/shop/base/blobs.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import type { NoticeOutcome } from "../../../src/shop/payments/notices.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { readSettings, replaceSettings } from "../../../src/shop/site/settings.ts";
import { createShop } from "../../../src/shop/app/shop.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { addProduct, noOrderLimits, order, toNotice, toPosted } from "../../shop/goods.ts";

const BUYERS = 4;
const SECRET = "a secret of the payment service";
const PRODUCT = "prd_key";
const PRICE = 1_000;

const [, , folder = "", keys = "0"] = process.argv;
const journal = await openJournalStore({
  folder,
  name: "shop",
  collections: shopCollections,
  clock: systemClock,
  // So that some lives end while a snapshot is made.
  compactAtBytes: 300_000,
});
const box = createSecretBox("a secret of this script, long enough for it");
const store = withAuditKey(journal, box);
const deps = { store, clock: systemClock, log: silentLog, box };
const outbox = createOutbox({ ...deps, sender: () => undefined, layOut: layOutDraft });
const shop = createShop({ ...deps, outbox, blobs: createMemoryBlobs(), publicUrl: "" });
const app = { shop };

/** Settings and the product with its keys, in the first life. */
async function prepare(): Promise<void> {
  if ((await shop.store.read((tx) => tx.get(products, PRODUCT))) !== undefined) return;
  const actor = { name: "bench", clientId: "bench", requestId: "bench" };
  const provider = {
    word: "test",
    title: "Test",
    enabled: true,
    requireWebhookSecret: true,
    payUrlTemplate: "",
    instructions: "",
    secret: box.seal(SECRET, PROVIDER_PURPOSE),
  };
  await shop.store.transact(async (tx) => {
    const { fields } = await readSettings(tx, "site");
    const maxPending = { user: 1_000_000, address: 1_000_000, email: 1_000_000 };
    const orderLimits = noOrderLimits;
    const next = { ...fields, maxPending, orderLimits, paymentProviders: [provider] };
    await replaceSettings(tx, { group: "site", fields: next, actor, clock: systemClock });
  });
  const values = Array.from({ length: Number(keys) }, (_, n) => `KEY-${n}`);
  await addProduct(app, { id: PRODUCT, keys: values, price: PRICE });
}

function notify(orderId: string): Promise<NoticeOutcome> {
  const json = toNotice({ id: orderId, total: PRICE, currency: "EUR" });
  return shop.notices.receive(toPosted({ json, secret: SECRET }));
}

/** Throws unless an acknowledgement of the life before still holds. */
async function check(kind: string, orderId: string): Promise<void> {
  const found = await shop.store.read((tx) => tx.get(orders, orderId));
  assert.ok(found !== undefined, `order ${orderId} was acknowledged and is lost`);
  if (kind !== "paid") return;
  assert.deepEqual([found.status, found.amountPaid], ["delivered", PRICE]);
  assert.equal((await notify(orderId)).result, "duplicate", `the notice of ${orderId} was lost`);
}

async function buy(): Promise<never> {
  for (;;) {
    const { order: placed } = await order(app, [{ productId: PRODUCT }]);
    // Synchronous, so that an acknowledgement is printed before anything else happens.
    writeSync(1, `ordered ${placed.id}\n`);
    const { result } = await notify(placed.id);
    assert.equal(result, "applied");
    writeSync(1, `paid ${placed.id}\n`);
  }
}

await prepare();
let checked = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "go") break;
  const [kind = "", orderId = ""] = line.split(" ");
  await check(kind, orderId);
  checked += 1;
}
writeSync(1, `ready ${checked}\n`);
await Promise.all(Array.from({ length: BUYERS }, buy));
