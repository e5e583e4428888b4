/** A shop and its model side by side: each step is done to both, and both are compared. */
import assert from "node:assert/strict";
import { AppError } from "../../../src/kit/errors.ts";
import type { SecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import { SECRET_PURPOSE } from "../../../src/shop/licence-keys/product-secret.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import { sweepEvents } from "../../../src/shop/payments/notices.ts";
import { attentionSchema, type OrderRecord } from "../../../src/shop/orders/schema.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { secrets, stock } from "../../../src/shop/products/records.ts";
import type { Provider } from "../../../src/shop/site/schema.ts";
import { invoiceSettingsSchema } from "../../../src/shop/site/selling-schema.ts";
import { readSettings, replaceSettings } from "../../../src/shop/site/settings.ts";
import { addProduct, order, WEBHOOK_SECRET, noOrderLimits } from "../goods.ts";
import { EXPIRY_MS } from "./notices-model-edits.ts";
import { ShopModel } from "./notices-model.ts";
import { doDraft, doEdit, doLineRefund } from "./notices-trial-staff.ts";
import { type ModelOrder, isOpen, keyOf } from "./notices-model-records.ts";
import { describeModel, readShop, toFacts } from "./notices-picture.ts";
import { type Sent, toAmount, toEventId, toReceived, toSent } from "./notices-sent.ts";
import type { Step } from "./notices-steps.ts";
import { goods, priceOf } from "./notices-trial-goods.ts";
import { type PlainShop, type PlainShopOptions, actor, createPlainShop } from "../plain-shop.ts";

/** More than a history makes of anything. */
const ALL = 1_000;
export interface Trial {
  readonly app: PlainShop;
  readonly model: ShopModel;
  /** Does a step to both, asserts that both answer the same, and says how. */
  step(step: Step, at: number): Promise<string>;
  /** Asserts that both are in the same state, and that the books add up. */
  compare(): Promise<void>;
}

/** Where a trial takes place. */
export interface World {
  readonly currency: string;
  /** The words of the providers that orders are to be paid with, in turn. */
  readonly methods: readonly string[];
  readonly providers: (box: SecretBox) => Provider[];
  readonly options?: PlainShopOptions;
}

class ShopTrial implements Trial {
  readonly app: PlainShop;
  readonly model: ShopModel;
  readonly #world: World;
  readonly #sent: Sent[] = [];

  constructor(app: PlainShop, world: World) {
    this.app = app;
    this.#world = world;
    this.model = new ShopModel(app.clock.now(), world.currency, world.methods[0] ?? "");
  }

  async stockUp(): Promise<void> {
    for (const product of goods) {
      await addProduct(this.app, product);
      const count = product.keys?.length ?? 0;
      this.model.state.stock.set(product.id, {
        isTracked: product.stockMode !== "unlimited",
        isAutomatic: product.keys !== undefined,
        onHand: product.onHand ?? count,
        reserved: 0,
        sold: 0,
        freeKeys: count,
      });
    }
  }

  step(step: Step, at: number): Promise<string> {
    switch (step.kind) {
      case "notice":
      case "burst":
        return this.#send(toSent(step, this.#pick(step.order), at), step.kind === "burst" ? 3 : 1);
      case "again":
        return this.#again(step, at);
      case "place":
        return this.#place(step.items);
      case "draft":
        return doDraft({ app: this.app, model: this.model, both: this.both }, step, at);
      case "edit":
        return doEdit({ app: this.app, model: this.model, both: this.both }, step);
      case "refundLine":
        return doLineRefund({ app: this.app, model: this.model, both: this.both }, step, at);
      case "restock":
        return this.#restock(goods[step.product % goods.length]?.id ?? "", at);
      case "time":
        return this.#pass(step.minutes, step.isRunning);
      case "markPaid":
      case "refund":
        return this.#record(step, at);
      case "assign":
      case "dismiss":
      case "trial":
      case "replay":
        return this.#decide(step);
      case "cancel":
      case "adminCancel":
      case "deliver":
      case "confirm":
      case "claim":
      case "resolve":
        return this.#move(step.kind, step.order);
    }
  }

  #pick(number: number): ModelOrder | undefined {
    const all = this.model.state.orders;
    return all[number % Math.max(1, all.length)];
  }

  #again(step: Extract<Step, { kind: "again" }>, at: number): Promise<string> {
    const before = this.#sent[step.notice % Math.max(1, this.#sent.length)];
    if (before === undefined) return Promise.resolve("nothing");
    const { facts } = before;
    const change = {
      none: {},
      amount: { amount: facts.amount + 1 },
      order: { claimed: this.#pick(step.notice)?.id ?? "" },
      currency: { currency: "USD" },
    }[step.change];
    const event = { same: before.event, fresh: `again${at}`, other: "e1" }[step.event];
    return this.#send({ ...before, facts: { ...facts, ...change }, event }, 1);
  }

  async #send(sent: Sent, times: number): Promise<string> {
    this.#sent.push(sent);
    const notice = toReceived(sent);
    const outcomes = await Promise.all(
      Array.from({ length: times }, () => this.app.shop.notices.receive(notice)),
    );
    const expected = Array.from({ length: times }, () => this.model.receive(sent.facts, toEventId(sent)));
    const answers = outcomes.map(({ result }) => result).sort();
    assert.deepEqual(answers, expected.sort(), notice.body);
    return answers.join(",");
  }

  /** Does the same to both; "ok", or the code that both refuse with. */
  readonly both = async (real: () => Promise<unknown>, modelled: () => void): Promise<string> => {
    const answer = await real().then(
      () => "ok",
      (error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      },
    );
    assert.equal(answer, this.model.attempt(modelled));
    return answer;
  };

  async #place(items: readonly [number, number][]): Promise<string> {
    const model = this.model;
    const lines = items.map(([product, quantity]) => ({
      productId: goods[product % goods.length]?.id ?? "",
      quantity,
    }));
    const { methods } = this.#world;
    const paymentMethod = methods[model.state.orders.length % methods.length] ?? assert.fail("no methods");
    const total = lines.reduce((sum, { productId, quantity }) => sum + priceOf(productId) * quantity, 0);
    let placed: OrderRecord | undefined;
    return this.both(
      async () => {
        placed = (await order(this.app, lines, { paymentMethod })).order;
      },
      () =>
        model.place({
          id: placed?.id ?? "none",
          number: placed?.number ?? "none",
          total,
          method: total === 0 ? "none" : paymentMethod,
          expiresAt: model.nowMs + EXPIRY_MS,
          isInvoiced: false,
          lines: lines.map(({ productId, quantity }) => ({
            stockId: productId,
            quantity,
            unitPrice: priceOf(productId),
            delivered: false,
          })),
        }),
    );
  }

  async #restock(id: string, at: number): Promise<string> {
    const own = this.model.state.stock.get(id) ?? assert.fail(id);
    await this.app.store.transact(async (tx) => {
      if (own.isTracked) await tx.adjust(stock, id, { field: "onHand", by: 1 });
      if (!own.isAutomatic) return;
      const { box } = this.app.shop.deps;
      const key = `${id} ${at}`;
      await tx.insert(secrets, {
        id: `sec_${id}_z${at}`,
        productId: id,
        stockId: id,
        state: "free",
        addedAt: 1,
        sealed: box.seal(key, SECRET_PURPOSE),
        mac: box.mac(key, SECRET_PURPOSE),
      });
    });
    if (own.isTracked) own.onHand += 1;
    if (own.isAutomatic) own.freeKeys += 1;
    return "ok";
  }

  async #pass(minutes: number, isRunning: boolean): Promise<string> {
    const { clock, shop, store } = this.app;
    clock.advance(minutes * 60_000);
    this.model.nowMs = clock.now();
    if (!isRunning) return "stopped";
    await shop.orderJobs.expire();
    await shop.orderJobs.complete();
    await sweepEvents(store, clock.now());
    this.model.runJobs();
    return "ok";
  }

  async #record(step: Extract<Step, { kind: "markPaid" | "refund" }>, at: number): Promise<string> {
    const one = this.#pick(step.order);
    if (one === undefined) return "nothing";
    const { orderAdmin } = this.app.shop;
    const type = step.kind === "refund" ? "refund" : "payment";
    const ref = step.ref === "" ? `manual${at}` : step.ref;
    const wanted = step.amount === "default" ? undefined : Math.max(1, toAmount(step.amount, type, one));
    const move = { id: one.id, actor, note: "", reference: ref, amount: wanted };
    return this.both(
      () => orderAdmin[step.kind](move),
      () => this.model[step.kind](this.model.order(one.id), { ref, amount: wanted }),
    );
  }

  async #move(kind: MoveKind, number: number): Promise<string> {
    const one = this.#pick(number);
    if (one === undefined) return "nothing";
    const model = this.model;
    const { orders: own, orderAdmin } = this.app.shop;
    const move = { id: one.id, actor, note: "" };
    const access = { isAdmin: true };
    const flags = attentionSchema.options;
    const real = {
      cancel: () => own.cancel(one.id, access),
      adminCancel: () => orderAdmin.cancel(move),
      deliver: () => orderAdmin.deliver(move),
      confirm: () => own.confirm(one.id, access),
      claim: () => own.claimPayment(one.id, access, ""),
      resolve: () => orderAdmin.resolve({ ...move, flags }),
    }[kind];
    const get = (): ModelOrder => model.order(one.id);
    const modelled = {
      cancel: () => model.cancel(get(), false),
      adminCancel: () => model.cancel(get(), true),
      deliver: () => model.deliver(get()),
      confirm: () => model.confirm(get()),
      claim: () => model.claim(get()),
      resolve: () => get().attention.clear(),
    }[kind];
    return this.both(real, modelled);
  }

  async #decide(step: Extract<Step, { kind: "assign" | "dismiss" | "trial" | "replay" }>): Promise<string> {
    const model = this.model;
    const all = [...model.state.notices.values()];
    const open = all.filter(isOpen);
    // Mostly one about which something is to be decided.
    const from = open.length > 0 && step.notice % 4 > 0 ? open : all;
    const one = from[step.notice % Math.max(1, from.length)];
    if (one === undefined) return "nothing";
    const key = keyOf(one);
    const { payments } = this.app.shop;
    const id = await this.#idOf(key);
    if (step.kind === "assign") {
      const own = step.isOwn ? one.orderId : undefined;
      const orderId = own ?? this.#pick(step.order)?.id ?? "ord_nobody";
      return this.both(
        () => payments.assign(id, orderId, { actor, note: "" }),
        () => model.assign(model.notice(key), orderId),
      );
    }
    if (step.kind === "dismiss")
      return this.both(
        () => payments.dismiss(id, { actor, note: "" }),
        () => model.dismiss(model.notice(key)),
      );
    const isTrial = step.kind === "trial";
    return this.both(
      () => payments.replay(id, { actor, isTrial }),
      () => {
        if (isTrial && one.state !== "applied" && !one.isUnconfirmed) return;
        model.replay(model.notice(key));
      },
    );
  }

  async #idOf(key: string): Promise<string> {
    const { items } = await this.app.store.read((tx) => tx.list(notices, "byReceived", { limit: ALL }));
    const found = items.find((item) => keyOf(toFacts(item)) === key);
    return found?.id ?? assert.fail(`the shop lacks ${key}`);
  }

  async compare(): Promise<void> {
    const { store } = this.app;
    const [real, report] = await Promise.all([readShop(store), checkLedger(store)]);
    assert.deepEqual(real, describeModel(this.model));
    assert.deepEqual(report.faults, []);
    const sum = report.sums.get(this.model.currency);
    const { orders: all } = this.model.state;
    assert.equal(
      sum?.amountPaid ?? 0,
      all.reduce((paid, { received, refunded }) => paid + received - refunded, 0),
    );
    for (const { isTracked, onHand, reserved } of this.model.state.stock.values())
      assert.ok(!isTracked || (reserved >= 0 && onHand >= reserved));
  }
}

type MoveKind = "cancel" | "adminCancel" | "deliver" | "confirm" | "claim" | "resolve";

const provider = { title: "Pay", enabled: true, payUrlTemplate: "", instructions: "" };

/** Two providers that send the shop's own notices, of which one sends no proof. */
const ownNotices: World = {
  currency: "EUR",
  methods: ["test", "test", "open"],
  providers: (box) => [
    {
      ...provider,
      word: "test",
      requireWebhookSecret: true,
      secret: box.seal(WEBHOOK_SECRET, PROVIDER_PURPOSE),
    },
    { ...provider, word: "open", requireWebhookSecret: false },
  ],
};

/** A shop with four products and three orders. */
export async function createTrial(world: World = ownNotices): Promise<Trial> {
  const { currency, options, providers } = world;
  const invoices = invoiceSettingsSchema.parse({ enabled: true });
  const limits = { maxPending: { user: ALL, address: ALL, email: ALL }, orderLimits: noOrderLimits };
  const app = await createPlainShop({ currency, invoices, ...limits }, options);
  await app.store.transact(async (tx) => {
    const before = (await readSettings(tx, "site")).fields;
    const fields = { ...before, paymentProviders: providers(app.shop.deps.box) };
    await replaceSettings(tx, { group: "site", fields, actor, clock: app.clock });
  });
  const trial = new ShopTrial(app, world);
  await trial.stockUp();
  for (const product of [0, 1, 2]) await trial.step({ kind: "place", items: [[product, 2]] }, -1);
  return trial;
}
