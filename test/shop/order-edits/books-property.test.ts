/**
 * Random orders, of buyers and of drafts, with edits, another country, payments, refunds by amount and by line,
 * cancellations and late payments: the documents are always what the shop keeps, by rate, to the unit.
 * BOOKS_RUNS=10000 runs more of them.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkInvoiceNumbers, checkStock } from "../../../src/shop/operation/records-check.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import { amountDueOf } from "../../../src/shop/orders/order.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TestShop, read } from "../app-fixture.ts";
import { act, sendLink, write } from "../draft-orders/draft-room.ts";
import { type Placed, addSold, edit, load, openShop, papers, pay, place, placeOrder } from "./edit-room.ts";
import { assertPapers } from "./paper-checks.ts";

const RUNS = Number(process.env["BOOKS_RUNS"] ?? 40);
/** Orders of one shop: its checks at the end look at all of them. */
const ORDERS_A_SHOP = 20;

const classes = ["standard", "reduced", "zero"] as const;
const sold = fc.record({
  price: fc.integer({ min: 1, max: 5_000 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  taxClass: fc.constantFrom(...classes),
  isSent: fc.boolean(),
  pricing: fc.constantFrom("plain" as const, "tiers" as const, "chosen" as const, "bundle" as const),
});
const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const begin = fc.oneof(
  fc.record({ kind: fc.constant("checkout" as const), isPaid: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom("cash" as const, "invoice" as const, "link" as const),
    custom: fc.option(sold),
    percent: fc.option(fc.integer({ min: 100, max: 9_000 })),
    fee: fc.option(fc.integer({ min: 0, max: 900 })),
  }),
);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("quantity" as const),
    line: fc.nat(3),
    quantity: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    kind: fc.constant("price" as const),
    line: fc.nat(3),
    unitPrice: fc.integer({ min: 0, max: 6_000 }),
  }),
  fc.record({ kind: fc.constant("add" as const), item: sold }),
  fc.record({ kind: fc.constant("fee" as const), fee: fc.integer({ min: 0, max: 1_000 }) }),
  fc.record({ kind: fc.constant("address" as const), number: fc.nat(99) }),
  fc.record({ kind: fc.constant("country" as const), country: fc.constantFrom("FR", "DE", "CH") }),
  fc.record({ kind: fc.constant("pay" as const), part: fc.oneof(share, fc.constant(1)) }),
  fc.record({ kind: fc.constant("refund" as const), part: share }),
  fc.record({ kind: fc.constant("refundLine" as const), line: fc.nat(3), part: fc.option(share) }),
  fc.record({ kind: fc.constantFrom("cancel" as const, "expire" as const) }),
);
type Begin = typeof begin extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Sold = typeof sold extends fc.Arbitrary<infer T> ? T : never;

/** Rare sequences, each of which found a fault or notices one that random ones seldom meet. */
const item: Sold = { price: 1_000, quantity: 1, taxClass: "standard", isSent: true, pricing: "plain" };
const file: Sold = { ...item, price: 1, isSent: false };
const draft = { custom: null, percent: null, fee: null };
const onTop = { pricesIncludeTax: false, rounding: "line" } as const;
const checkout: Begin = { kind: "checkout", isPaid: true };
const rare: [Sold[], Begin, Step[], { pricesIncludeTax: boolean; rounding: "line" | "document" }][] = [
  [[item], { kind: "invoice", ...draft }, [{ kind: "pay", part: 1 }], onTop],
  [
    [item],
    { kind: "invoice", ...draft },
    [
      { kind: "pay", part: 0.5 },
      { kind: "refund", part: 1 },
    ],
    onTop,
  ],
  [
    [item],
    checkout,
    [
      { kind: "add", item },
      { kind: "pay", part: 0.5 },
      { kind: "refund", part: 0.03 },
      { kind: "pay", part: 1 },
    ],
    onTop,
  ],
  // Free for a while, and paid by invoice again.
  [
    [file, file],
    { kind: "invoice", ...draft, percent: 5_000 },
    [
      { kind: "quantity", line: 0, quantity: 0 },
      { kind: "price", line: 0, unitPrice: 200 },
      { kind: "pay", part: 1 },
    ],
    onTop,
  ],
  [
    [item, { ...item, taxClass: "reduced" }],
    checkout,
    [
      { kind: "price", line: 0, unitPrice: 1_500 },
      { kind: "refundLine", line: 0, part: 0.6 },
    ],
    onTop,
  ],
  [
    [
      { price: 1, quantity: 1, taxClass: "zero", isSent: true, pricing: "plain" },
      { price: 1, quantity: 1, taxClass: "standard", isSent: false, pricing: "plain" },
    ],
    {
      kind: "cash",
      custom: { price: 1, quantity: 1, taxClass: "zero", isSent: false, pricing: "plain" },
      percent: null,
      fee: null,
    },
    [
      { kind: "address", number: 0 },
      { kind: "country", country: "DE" },
      { kind: "refundLine", line: 0, part: null },
    ],
    onTop,
  ],
  [
    [item, item],
    checkout,
    [
      { kind: "add", item },
      { kind: "refundLine", line: 2, part: 0.1 },
    ],
    onTop,
  ],
];

/** Given without a code, alone or together. */
const all = { automatic: true, stacks: true };
const discounts = [
  { ...all, title: "From 30", kind: "percent", value: 775, minimum: 3_000 },
  { ...all, title: "From 60", kind: "fixed", value: 333, minimum: 6_000 },
  { ...all, title: "Post", kind: "shipping", minimum: 8_000, cap: 400 },
  { automatic: true, title: "Many", kind: "percent", value: 1_250, minimumQuantity: 6 },
  { ...all, title: "Three and one", kind: "buy_get", value: 5_000, buyQuantity: 3, getQuantity: 1 },
];

async function placeDraft(
  app: TestShop,
  items: readonly Sold[],
  how: Exclude<Begin, { kind: "checkout" }>,
): Promise<Placed | undefined> {
  const { kind, custom, percent, fee } = how;
  const products: object[] = [];
  for (const one of items) {
    const { productId, quantity } = await addSold(app, one, "P");
    products.push({ productId, quantity });
  }
  const own =
    custom === null
      ? []
      : [
          {
            title: "Own",
            quantity: custom.quantity,
            unitPrice: custom.price,
            taxClass: custom.taxClass,
            isSent: custom.isSent,
          },
        ];
  const draft = await write(app, {
    items: [...products, ...own],
    ...(percent !== null && { discount: { kind: "percent", value: percent, reason: "agreed" } }),
    ...(fee !== null && { shipping: { fee } }),
  });
  const dueOn = new Date(app.clock.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  if (kind === "link")
    return read(await (await sendLink(app, draft)).order({ consents: { digitalContent: true } }), 201);
  const answer =
    kind === "cash"
      ? await act(app, draft, "mark-paid", { method: "cash" })
      : await act(app, draft, "invoice", { dueOn });
  if (answer.status === 409) return undefined;
  const order = await read<OrderRecord>(answer, 201);
  return { order, accessToken: "" };
}

async function toBody(app: TestShop, order: OrderRecord, wanted: Step): Promise<object> {
  const line = "line" in wanted ? order.lines[wanted.line % order.lines.length] : undefined;
  switch (wanted.kind) {
    case "quantity":
      return { lines: [{ lineId: line?.id, quantity: wanted.quantity }] };
    case "price":
      return { lines: [{ lineId: line?.id, unitPrice: wanted.unitPrice, reason: "agreed" }] };
    case "add": {
      const { productId, quantity } = await addSold(app, wanted.item, "New");
      return { items: [{ productId, quantity }] };
    }
    case "fee":
      return { shipping: { fee: wanted.fee } };
    case "country":
      return { shippingAddress: { ...place, country: wanted.country, postalCode: "10115" } };
    case "address":
      return { billingAddress: { ...order.shippingAddress, line1: `Rue ${wanted.number}` } };
    case "pay":
    case "refund":
    case "refundLine":
    case "cancel":
    case "expire":
      return {};
  }
}

/** Money and ends; true where the step was one of those. */
async function takeMove(app: TestShop, placed: Placed, wanted: Step, number: number): Promise<boolean> {
  const order = await load(app, placed);
  const path = `/api/admin/orders/${order.id}`;
  switch (wanted.kind) {
    case "pay": {
      const isOpen = order.status === "pending_payment" || order.status === "expired";
      // Nothing is due of an order whose money is back.
      const due = isOpen ? order.total - order.amountPaid : amountDueOf(order);
      const part = order.status === "expired" ? 1 : wanted.part;
      const amount = Math.max(1, Math.round(due * part));
      const reference = `ref-${order.id}-${number}`;
      if (due > 0) await read(await app.admin("POST", `${path}/mark-paid`, { amount, reference }));
      return true;
    }
    case "refund": {
      const amount = Math.round(order.amountPaid * wanted.part);
      if (amount > 0) await read(await app.admin("POST", `${path}/refund`, { amount }));
      return true;
    }
    case "refundLine": {
      const line = order.lines[wanted.line % order.lines.length];
      const amount =
        wanted.part === null ? undefined : Math.max(1, Math.round((line?.total ?? 0) * wanted.part));
      const lines = [{ lineId: line?.id, ...(amount === undefined ? { quantity: 1 } : { amount }) }];
      const answer = await app.admin("POST", `${path}/refund`, { lines });
      assert.ok([200, 409, 422].includes(answer.status), await answer.clone().text());
      return true;
    }
    case "cancel":
      await app.admin("POST", `${path}/cancel`, {});
      return true;
    case "expire":
      app.clock.advance(60 * 86_400_000);
      while ((await app.shop.orderJobs.expire()) > 0);
      return true;
    case "quantity":
    case "price":
    case "add":
    case "fee":
    case "country":
    case "address":
      return false;
  }
}

/** Does a step; edits that the rules refuse change nothing. */
async function take(app: TestShop, placed: Placed, wanted: Step, number: number): Promise<void> {
  app.clock.advance(1_000);
  if (await takeMove(app, placed, wanted, number)) return;
  const order = await load(app, placed);
  const body = await toBody(app, order, wanted);
  const shown = await app.admin("POST", `/api/admin/orders/${order.id}/edit-preview`, body);
  assert.ok([200, 409, 422].includes(shown.status), await shown.clone().text());
  if (shown.status !== 200) return;
  const { total: expectedTotal } = await read<{ total: number }>(shown);
  const answer = await edit(app, placed, { ...body, expectedTotal, mail: false });
  assert.ok([200, 409].includes(answer.status), await answer.clone().text());
}

async function assertWhole(app: TestShop): Promise<void> {
  assert.deepEqual((await checkLedger(app.store)).faults, []);
  assert.deepEqual(await checkStock(app.store), []);
  assert.deepEqual(await checkInvoiceNumbers(app.store), []);
}

describe("the books of orders", () => {
  it(`are right after each of their steps, over ${RUNS} random orders`, { timeout: 3_600_000 }, async () => {
    const shops = new Map<string, { app: TestShop; orders: number }>();
    async function findShop(tax: {
      pricesIncludeTax: boolean;
      rounding: "line" | "document";
    }): Promise<TestShop> {
      const key = JSON.stringify(tax);
      const known = shops.get(key);
      if (known !== undefined && known.orders < ORDERS_A_SHOP) {
        known.orders += 1;
        return known.app;
      }
      if (known !== undefined) await assertWhole(known.app);
      const app = await openShop({ destination: "buyer", ...tax });
      for (const discount of discounts)
        await read(await app.admin("POST", "/api/admin/coupons", discount), 201);
      shops.set(key, { app, orders: 1 });
      return app;
    }
    const tax = fc.record({
      pricesIncludeTax: fc.boolean(),
      rounding: fc.constantFrom("line" as const, "document" as const),
    });
    const world = fc.tuple(
      fc.array(sold, { minLength: 1, maxLength: 3 }),
      begin,
      fc.array(step, { minLength: 1, maxLength: 7 }),
      tax,
    );
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(world, async ([items, how, wanted, settings]) => {
        const app = await findShop(settings);
        const placed =
          how.kind === "checkout" ? await placeOrder(app, items) : await placeDraft(app, items, how);
        if (placed === undefined) return;
        const { id } = placed.order;
        if (how.kind === "checkout" && how.isPaid) await pay(app, placed, { id: `first-${id}` });
        assertPapers(await load(app, placed), await papers(app, placed));
        for (const [number, one] of wanted.entries()) {
          await take(app, placed, one, number);
          assertPapers(await load(app, placed), await papers(app, placed));
          steps += 1;
        }
      }),
      { numRuns: RUNS, examples: rare.map((one) => [one]), includeErrorInReport: true },
    );
    for (const { app } of shops.values()) await assertWhole(app);
    assert.ok(steps >= RUNS);
  });
});
