/** A shop whose orders are paid at the stand-in of one provider, next to the model of its behavior. */
import assert from "node:assert/strict";
import { AppError } from "../../../../src/kit/errors.ts";
import { sealCredentials } from "../../../../src/shop/payments/services/open-provider.ts";
import type { Received } from "../../../../src/shop/payments/services/receive.ts";
import { sweepEvents } from "../../../../src/shop/payments/notices.ts";
import { type NoticeRecord } from "../../../../src/shop/payments/schema.ts";
import { notices } from "../../../../src/shop/payments/records.ts";
import { shopCollections } from "../../../../src/shop/app/records.ts";
import { demoProvider } from "../../../../src/shop/site/schema.ts";
import { createMemoryStore } from "../../../../src/store/journal/memory-store.ts";
import { observeStore } from "../../../../src/store/observed-store.ts";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { actor } from "../../plain-shop.ts";
import type { GatewayOptions, GatewayPayment } from "../gateways/gateway.ts";
import { ORIGIN, askGateway } from "../gateways/ask-gateway.ts";
import type { Facts, ModelOrder } from "../notices-model-records.ts";
import type { ShopModel } from "../notices-model.ts";
import { toAmount } from "../notices-sent.ts";
import { type Trial, createTrial } from "../notices-trial.ts";
import type { ServiceStep } from "./service-steps.ts";
import type { Said, Told, Voice } from "./voice.ts";

const MINUTE = 60_000;
/** More than a history makes of anything. */
const ALL = 1_000;

export interface ServiceTrial {
  readonly voice: Voice;
  /** Does a step to both, asserts that both answer the same, and says how. */
  step(step: ServiceStep, at: number): Promise<string>;
  /** Asserts that both are in the same state, that the books add up, and that the inbox says why. */
  compare(): Promise<void>;
  /** Lets the shop live on for some hours: what was paid while its order waited has to be known then. */
  settle(): Promise<void>;
}

interface Parts {
  readonly trial: Trial;
  readonly voice: Voice;
  readonly word: string;
  /** Orders that the shop's last requests to the service brought something about, one for each commit. */
  readonly heard: string[];
}

class VoiceTrial implements ServiceTrial {
  readonly voice: Voice;
  readonly #parts: Parts;
  readonly #sent: Said[] = [];
  /** Paid while its order waited: found without a notification. */
  readonly #paid: { readonly payment: GatewayPayment; readonly orderId: string }[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.voice = parts.voice;
  }

  async step(step: ServiceStep, at: number): Promise<string> {
    if (step.kind === "says") return this.#say(step, at);
    if (step.kind === "giveBack") return this.#giveBack(step);
    if (step.kind === "pass") return this.#pass(step.minutes, step.isRunning);
    if (step.kind !== "repeat") return this.#parts.trial.step(step, at);
    const said = this.#sent[step.notice % Math.max(1, this.#sent.length)];
    return said === undefined ? "nothing" : this.#send(said, step);
  }

  /** Orders that the service knows, with their payments. */
  #listBegun(): { order: ModelOrder; payment: GatewayPayment }[] {
    return this.#parts.trial.model.state.orders.flatMap((order) => {
      const payment = this.voice.find(order);
      return payment === undefined ? [] : [{ order, payment }];
    });
  }

  async #say(step: Extract<ServiceStep, { kind: "says" }>, at: number): Promise<string> {
    const begun = this.#listBegun();
    const scene = begun[step.order % begun.length];
    const other = begun[step.other % begun.length];
    const said = scene && other && (await this.voice.says[step.what]?.({ ...scene, other, at }));
    if (scene === undefined || said === undefined) return `${step.what} nothing`;
    const { payment, order } = scene;
    if (payment.isPaid && order.status === "pending_payment") this.#paid.push({ payment, orderId: order.id });
    const answers: string[] = [];
    for (const one of [said].flat()) {
      if (one.send !== undefined) this.#sent.push(one);
      answers.push(one.send === undefined ? "ok" : await this.#send(one, { times: 1, isForged: false }));
    }
    return `${step.what} ${answers.join(",")}`;
  }

  async #send(said: Said, { times, isForged }: { times: number; isForged: boolean }): Promise<string> {
    const { trial, word } = this.#parts;
    const right = said.send?.() ?? assert.fail("nothing to send");
    const { method, query, headers, body } = isForged ? this.voice.gateway.forge(right) : right;
    const url = `${ORIGIN}/api/webhooks/${word}-pay${query}`;
    const notice = { provider: word, method, url, body, headers: new Headers(headers), address: "192.0.2.9" };
    const outcomes = await Promise.all(
      Array.from({ length: times }, () =>
        trial.app.shop.notices.receive(notice).then((received) => this.#readAnswer(received), toCode),
      ),
    );
    const refusal = isForged && said.refusal === undefined ? "unauthenticated" : said.refusal;
    const expected = Array.from({ length: times }, () => refusal ?? this.#hear(said.told()));
    // Many wrong proofs of one address have to wait.
    const answers = outcomes.map((each) =>
      isForged && each === "too_many_attempts" ? "unauthenticated" : each,
    );
    assert.deepEqual(answers.sort(), expected.sort(), `${method} ${query} ${body}`);
    return answers.join(",");
  }

  #readAnswer({ result, answer }: Received): string {
    const { expects } = this.voice.gateway;
    if (expects !== undefined) assert.equal(answer?.body, expects);
    return result;
  }

  /** The model's answer to a notification, or to the provider's answer to a query. */
  #hear(told: readonly Told[]): string {
    const results = told.map((each) =>
      this.voice.mustAsk === true ? this.#confirm(each) : this.#take(each),
    );
    return results[0] ?? "ignored";
  }

  #take(told: Told, options: Parameters<ShopModel["receive"]>[2] = {}): string {
    const { trial, word } = this.#parts;
    const { event, ...said } = told;
    const facts: Facts = { ...said, provider: word };
    return trial.model.receive(facts, event ?? `${said.type}:${said.ref}`, options);
  }

  #ask(orderId: string): readonly Told[] {
    const order = this.#parts.trial.model.findOrder(orderId);
    const payment = order && this.voice.find(order);
    return (payment && this.voice.asked?.(payment, order)) ?? [];
  }

  #confirm(told: Told): string {
    if (this.#parts.trial.model.findOrder(told.claimed) === undefined) return this.#take(told);
    const asked = this.#ask(told.claimed);
    const results = asked.map((each) => this.#take(each, { isAsked: true }));
    const isSaid = asked.some(
      ({ ref, type, amount, currency }) =>
        ref === told.ref && type === told.type && amount === told.amount && currency === told.currency,
    );
    if (isSaid) return results[0] ?? assert.fail();
    const kept = this.#take(told, { isUnconfirmed: true });
    return asked.length > 0 || kept === "duplicate" ? kept : "unavailable";
  }

  /** The newest payment of the service that can give so much back. */
  #findPaid(order: ModelOrder, amount: number): Facts | string {
    const { trial, word } = this.#parts;
    if (amount < 1 || amount > order.received - order.refunded) return "invalid";
    const own = [...trial.model.state.notices.values()].filter(
      ({ state, orderId, provider }) => state === "applied" && orderId === order.id && provider === word,
    );
    const came = own.filter(({ type }) => type === "payment");
    const sum = (all: readonly Facts[]): number => all.reduce((total, each) => total + each.amount, 0);
    const left = sum(came) - sum(own.filter(({ type }) => type !== "payment"));
    // Money that came back, such as after a dispute, is no payment of its own at the service.
    const real = came.filter(({ ref }) => !own.some((each) => each.type !== "payment" && each.ref === ref));
    return real.findLast((each) => amount <= each.amount && amount <= left) ?? "conflict";
  }

  async #giveBack(step: Extract<ServiceStep, { kind: "giveBack" }>): Promise<string> {
    const { trial } = this.#parts;
    const all = trial.model.state.orders;
    const order = all[step.order % all.length];
    if (order === undefined) return "nothing";
    const amount = toAmount(step.amount, "refund", order);
    const { refunds } = this.voice;
    const plan =
      refunds === undefined && amount <= order.received - order.refunded && amount > 0
        ? "conflict"
        : this.#findPaid(order, amount);
    const payment = typeof plan === "string" ? undefined : this.#findPayment(plan);
    const paid = typeof plan === "string" ? 0 : plan.amount;
    const isTaken = payment !== undefined && refunds?.takes(payment, amount, paid) === true;
    const code = typeof plan === "string" ? plan : isTaken ? "ok" : "payment_service_failed";
    let id = "";
    const move = { id: order.id, actor, note: "", amount, through: "service" } as const;
    let said = "";
    const answer = await trial.app.shop.refunds.refund(move).then(
      ({ refund }) => {
        id = refund.id ?? "";
        assert.equal(refund.status, "moved", refund.said);
        return "ok";
      },
      (error: unknown) => {
        said = String(error);
        return toCode(error);
      },
    );
    assert.equal(answer, code, `${amount} of ${order.number}: ${said}`);
    if (payment === undefined || !isTaken || typeof plan === "string") return answer;
    const ref = refunds?.nameOf(payment, id) ?? "";
    const { currency } = payment;
    this.#take(
      { ref, type: "refund", claimed: order.id, amount, currency, event: `refund:${id}` },
      { isForced: true, isAsked: true },
    );
    return answer;
  }

  /** The payment that the service is asked to give back for a notice of it. */
  #findPayment({ ref, claimed }: Facts): GatewayPayment | undefined {
    const begun = this.#listBegun();
    if (this.voice.refunds?.isByOrder === true)
      return begun.find(({ order }) => order.id === claimed)?.payment;
    return begun.find(({ order, payment }) =>
      [
        ...(this.voice.asked?.(payment, order) ?? []),
        payment.isPaid ? { type: "payment", ref: payment.reference } : undefined,
      ].some((each) => each?.type === "payment" && each.ref === ref),
    )?.payment;
  }

  async #pass(minutes: number, isRunning: boolean): Promise<string> {
    const { app, model } = this.#parts.trial;
    app.clock.advance(minutes * MINUTE);
    model.nowMs = app.clock.now();
    if (!isRunning) return "stopped";
    await app.shop.orderJobs.expire();
    await app.shop.orderJobs.complete();
    await sweepEvents(app.store, app.clock.now());
    model.runJobs();
    this.#parts.heard.length = 0;
    while ((await app.shop.paymentJobs.run()) > 0);
    for (const orderId of this.#parts.heard)
      for (const told of this.#ask(orderId)) this.#take(told, { isAsked: true });
    return this.#parts.heard.length > 0 ? "asked" : "ok";
  }

  async compare(): Promise<void> {
    const { trial } = this.#parts;
    await trial.compare();
    const { items } = await trial.app.store.read((tx) => tx.list(notices, "byReceived", { limit: ALL }));
    for (const { open, reason } of items) if (open === "yes") assert.notEqual(reason, "");
  }

  async settle(): Promise<void> {
    for (const minutes of [1, 3, 10, 20, 60]) {
      await this.#pass(minutes, true);
      await this.compare();
    }
    if (this.voice.asked === undefined) return;
    const known = [...this.#parts.trial.model.state.notices.values()];
    for (const { payment, orderId } of this.#paid) {
      const isKnown = this.#ask(orderId).every(({ ref, type }) =>
        known.some((each) => each.ref === ref && each.type === type),
      );
      // Another payment paid the order: the provider is no longer polled.
      const isOther = known.some(
        (each) => each.orderId === orderId && each.state === "applied" && each.type === "payment",
      );
      assert.ok(isKnown || isOther, `${payment.reference} was paid and is forgotten`);
    }
  }
}

function toCode(error: unknown): string {
  if (error instanceof AppError) return error.code;
  throw error;
}

/** Creates the shop with three orders. */
export async function createServiceTrial(create: (options: GatewayOptions) => Voice): Promise<ServiceTrial> {
  const clock = createFixedClock();
  const voice = create({ origin: ORIGIN, now: () => clock.now() });
  const { gateway } = voice;
  const { kind, options, credentials, currency, answer } = gateway;
  const word = kind === "demo" ? demoProvider.word : "service";
  const heard: string[] = [];
  const memory = createMemoryStore({ collections: shopCollections });
  const store = observeStore(memory, {
    collections: [notices],
    onCommit: (changes) => {
      const [first] = changes;
      if (first?.record !== undefined) heard.push((first.record as NoticeRecord).claimedOrderId);
    },
    onError: (error) => {
      throw error;
    },
  });
  const trial = await createTrial({
    currency,
    methods: [word],
    providers: (box) => [
      kind === "demo"
        ? { ...demoProvider, enabled: true }
        : {
            word,
            title: "The service",
            enabled: true,
            requireWebhookSecret: true,
            kind,
            payUrlTemplate: "",
            instructions: "",
            options: { ...options },
            sealedCredentials: sealCredentials(box, credentials),
          },
    ],
    options: {
      clock,
      store,
      ...(answer === undefined
        ? {}
        : { paymentOutbound: { send: (request) => askGateway({ answer }, request) } }),
    },
  });
  voice.connect?.(trial.app);
  return new VoiceTrial({ trial, voice, word, heard });
}
