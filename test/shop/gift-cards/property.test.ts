import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import { giftCards } from "../../../src/shop/gift-cards/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { addProduct } from "../goods.ts";
import { type PlainShop, actor } from "../plain-shop.ts";
import {
  addCardProduct,
  assertBooks,
  buy,
  createCardShop,
  giveCard,
  pay,
  readCard,
  refund,
} from "./card-shop.ts";

/** A small generator, so that a failure can be repeated with its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What the logic refuses is no fault of it; anything else is. */
async function attempt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code !== "internal", String(error));
    return false;
  }
}

interface World {
  readonly app: PlainShop;
  readonly mug: string;
  readonly card: string;
  readonly codes: string[];
  readonly random: (below: number) => number;
}

async function listOrders({ store }: PlainShop): Promise<readonly OrderRecord[]> {
  return (await store.read((tx) => tx.list(orders, "id", { limit: 1_000 }))).items;
}

async function step(world: World): Promise<boolean> {
  const { app, random, codes, mug, card } = world;
  const all = await listOrders(app);
  const one = all[random(all.length)];
  const some = (): string[] => Array.from({ length: 1 + random(3) }, () => codes[random(codes.length)] ?? "");
  switch (random(10)) {
    case 0: {
      const given = await giveCard(app, 1 + random(5_000));
      codes.push(given.code);
      return true;
    }
    case 1:
    case 2:
    case 3:
      return attempt(
        buy(app, {
          items: [
            { productId: mug, quantity: 1 + random(4) },
            ...(random(4) === 0 ? [{ productId: card, quantity: 1 + random(2) }] : []),
          ],
          cards: [...new Set(some())],
          address: `192.0.2.${random(250)}`,
        }),
      );
    case 4:
    case 5:
      return one !== undefined && attempt(pay(app, { order: one }));
    case 6:
      return one !== undefined && attempt(refund(app, one.id, 1 + random(Math.max(1, one.amountPaid))));
    case 7:
      return one !== undefined && attempt(app.shop.orderAdmin.cancel({ id: one.id, actor, note: "" }));
    case 8: {
      app.clock.advance(random(20) * 60_000);
      return (await app.shop.orderJobs.expire()) > 0;
    }
    default: {
      const { items } = await app.store.read((tx) => tx.list(giftCards, "id", { limit: 1_000 }));
      const { id } = items[random(items.length)] ?? assert.fail("no card");
      return attempt(
        app.shop.giftCardsAdmin.adjust(id, { amount: random(2_000) - 1_000, reason: "test", actor }),
      );
    }
  }
}

describe("the book of gift cards", () => {
  for (const seed of [1, 7, 42, 2_026, 65_537])
    it(`balances whatever happens (seed ${seed})`, async () => {
      const app = await createCardShop();
      const random = createRandom(seed);
      const mug = await addProduct(app, { price: 777, stockMode: "unlimited" });
      const card = await addCardProduct(app, { price: 2_500 });
      const codes = [(await giveCard(app, 4_000)).code];
      const world = { app, random, codes, mug: mug.id, card: card.id };
      let done = 0;
      for (let turn = 0; turn < 120; turn += 1) {
        if (await step(world)) done += 1;
        if (turn % 20 === 19) await assertBooks(app);
      }
      assert.ok(done > 40, String(done));
      await assertBooks(app);
    });

  it("lets ten checkouts at once spend a card once", async () => {
    const app = await createCardShop();
    const mug = await addProduct(app, { price: 700, stockMode: "unlimited" });
    const card = await giveCard(app, 1_500);
    const wanted = { items: [{ productId: mug.id }], cards: [card.code] };
    const results = await Promise.all(Array.from({ length: 10 }, () => attempt(buy(app, wanted))));
    const all = await listOrders(app);
    const spent = all
      .flatMap(({ giftCards: paid = [] }) => paid)
      .reduce((sum, { amount }) => sum + amount, 0);
    assert.equal(spent, 1_500);
    assert.equal((await readCard(app, card.id)).balance, 0);
    // The first two in full, the third in part; no one pays with what is gone.
    assert.deepEqual([results.filter(Boolean).length, all.filter(({ paidAt }) => paidAt).length], [3, 2]);
    await assertBooks(app);
  });
});
