/** Two shops on one database, as two processes have it, with what races are made of: many requests at once through both. */
import assert from "node:assert/strict";
import { coupons } from "../../src/shop/coupons/records.ts";
import { orders } from "../../src/shop/orders/records.ts";
import type { CouponRecord } from "../../src/shop/coupons/schema.ts";
import type { OrderRecord } from "../../src/shop/orders/schema.ts";
import type { MailSender } from "../../src/kit/mail/mail.ts";
import type { Store } from "../../src/store/store.ts";
import { createFixedClock } from "../support/fixed-clock.ts";
import { type TestShop, createTestShop } from "./app-fixture.ts";
import { type GoodsOptions, addProduct, liftLimits, setProvider } from "./goods.ts";

/** Where shops commit: one store, or two on one database. */
export interface OpenedStores {
  readonly stores: readonly [Store, ...Store[]];
  readonly close: () => Promise<void>;
}

export interface RaceBench {
  /** The shop whose turn it is. */
  app(turn: number): TestShop;
  /** Plain reads. */
  readonly store: Store;
  /** Ids of the mails that either shop sent. */
  readonly sentMails: readonly string[];
  /** Stores a product; its id. Units of it that come or go in another way than by sale are found after the race. */
  addProduct(options: GoodsOptions): Promise<string>;
  /** Units that every stock record began with. */
  readonly units: ReadonlyMap<string, number>;
  findOrder(id: string): Promise<OrderRecord>;
  /** Orders one thing; as another guest of another address for each `turn`. */
  checkOut(turn: number, body: Record<string, unknown>, more?: CheckOutOptions): Promise<Response>;
  /** Places so many orders, one after the other. */
  place(count: number, productId: string, more?: { email?: string }): Promise<OrderRecord[]>;
  addCoupon(fields: Partial<CouponRecord> & { code: string }): Promise<CouponRecord>;
  /** Issues a gift card; gives its code. */
  addGiftCard(amount: number): Promise<string>;
  readonly close: () => Promise<void>;
}

export interface CheckOutOptions {
  readonly as?: string;
  readonly email?: string;
  readonly from?: string;
  readonly key?: string;
}

/** A shop whose requests are repeated when it is too busy to store anything, as payment providers and buyers do. */
function withPatience(app: TestShop): TestShop {
  const again = async (send: () => Promise<Response>): Promise<Response> => {
    for (;;) {
      const answer = await send();
      if (answer.status !== 503) return answer;
      // The limits of the pool are in real time: a slow machine must not fail a race.
      await answer.body?.cancel();
    }
  };
  return {
    ...app,
    send: (...all) => again(() => app.send(...all)),
    admin: (...all) => again(() => app.admin(...all)),
  };
}

/** Creates the shops of a race; limits of open orders are lifted, and the provider "test" is set up. */
export async function createRaceBench({ stores, close }: OpenedStores): Promise<RaceBench> {
  const clock = createFixedClock();
  const [first] = stores;
  const sentMails: string[] = [];
  const sender: MailSender = {
    send: async ({ id = "" }) => {
      sentMails.push(id);
      return { status: "sent" };
    },
    close: () => undefined,
  };
  const options = { clock, sender, isShared: true };
  const one = withPatience(await createTestShop({ ...options, store: first }));
  await setProvider(one);
  await liftLimits(one);
  const apps = [one, withPatience(await createTestShop({ ...options, store: stores[1] ?? first }))];
  const app = (turn: number): TestShop => apps[turn % 2] ?? one;

  const checkOut: RaceBench["checkOut"] = (turn, body, more = {}) => {
    const { as, email = `buyer-${turn}@example.org`, from = `198.51.${turn >> 8}.${turn & 255}`, key } = more;
    return app(turn).send("POST", "/api/checkout", {
      body: { contact: { email }, consents: { digitalContent: true }, ...body },
      from,
      as,
      ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    });
  };
  const findOrder: RaceBench["findOrder"] = async (id) =>
    (await first.read((tx) => tx.get(orders, id))) ?? assert.fail(`order ${id} is not there`);

  const units = new Map<string, number>();

  return {
    app,
    store: first,
    units,
    sentMails,
    addProduct: async (options) => {
      const { id } = await addProduct(one, options);
      units.set(id, options.keys?.length ?? options.onHand ?? 0);
      return id;
    },
    findOrder,
    checkOut,
    place: async (count, productId, more) => {
      const placed: OrderRecord[] = [];
      for (let turn = 0; turn < count; turn += 1) {
        const response = await checkOut(turn, { items: [{ productId, quantity: 1 }] }, more);
        assert.equal(response.status, 201, await response.clone().text());
        const { order }: { order: { id: string } } = await response.json();
        placed.push(await findOrder(order.id));
      }
      return placed;
    },
    addCoupon: (fields) =>
      first.transact((tx) =>
        tx.insert(coupons, {
          id: `cpn_${fields.code.toLowerCase()}`,
          codeKey: fields.code,
          kind: "percent",
          value: 1_000,
          currency: "EUR",
          minimum: 0,
          used: 0,
          productIds: [],
          categoryIds: [],
          enabled: true,
          note: "",
          createdAt: clock.now(),
          updatedAt: clock.now(),
          ...fields,
        }),
      ),
    addGiftCard: async (amount) => {
      const { giftCardsAdmin } = one.shop;
      const actor = { name: "race", clientId: "race", requestId: "race" };
      const { card } = await giftCardsAdmin.create({ amount, note: "race" }, actor);
      return giftCardsAdmin.reveal(card.id, actor);
    },
    close,
  };
}

/** So many calls at once, each with its turn. */
export function atOnce<R>(count: number, call: (turn: number) => Promise<R>): Promise<R[]> {
  return Promise.all(Array.from({ length: count }, (_, turn) => call(turn)));
}

/** How many answers there were of each status and, of problems, code: `{ "201": 10, "409 out_of_stock": 190 }`. */
export async function countAnswers(answers: readonly Response[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const { code }: { code?: string } = await answer.clone().json();
    const name = answer.ok ? String(answer.status) : `${answer.status} ${code ?? ""}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
