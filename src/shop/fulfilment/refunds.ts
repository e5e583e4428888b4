/**
 * Refunds by administrators: through the provider that collected the payment if its kind supports that, otherwise as a
 * record of a refund made elsewhere. The request is stored before it is sent, and its key makes a repeat the same
 * refund: after a crash in between, the request is repeated without a double refund.
 */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { mailAdmin } from "../mails/mails.ts";
import { toDecimal } from "../base/money.ts";
import { withAttention, withHistory } from "../orders/order.ts";
import { CARD_PROVIDER } from "../orders/card-payments.ts";
import type { PlannedRefund, WantedRefund } from "../orders/refund-parts.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { listLedger } from "../payments/ledger.ts";
import { takeNotice } from "../payments/notices.ts";
import type { ProviderFault, RefundRequest, RefundResult } from "../payments/providers/provider.ts";
import type { NoticeRecord, RefundRecord } from "../payments/schema.ts";
import { askService, takeAsked } from "../payments/services/asked.ts";
import { type OpenProvider, openProvider } from "../payments/services/open-provider.ts";
import { findSession, planRetry } from "../payments/services/sessions.ts";
import { createTools, toFault } from "../payments/services/tools.ts";
import { refunds, notices } from "../payments/records.ts";
import { orders } from "../orders/records.ts";
import { readSite } from "../site/settings.ts";
import type { AdminMove } from "./admin-move.ts";
import { assertNewRefund, planSplit, refundToCards } from "./card-refunds.ts";
import { findPayment } from "./refundable-payment.ts";
import type { MoneyInput, OrderAdmin } from "./order-admin.ts";

const HOUR_MS = 3_600_000;
/** Services remember a key for 24 hours at least (Stripe): later, the same call could give the money back again. */
const KEY_MS = 12 * HOUR_MS;
const TRY_AGAIN_MS = 60_000;
/** How often, and for how long, a provider that said "pending" is polled. */
const ASK_MS = HOUR_MS;
const ASK_FOR_MS = 30 * 24 * HOUR_MS;
const BATCH = 20;

/** The result of a refund. "recorded": the shop moved no money. */
export interface Refunded {
  readonly order: OrderRecord;
  readonly refund: Pick<RefundRecord, "provider" | "amount" | "currency" | "reference" | "said"> & {
    readonly id?: string;
    readonly status: RefundRecord["status"] | "recorded";
    /** The items that it belongs to; absent: all of them, by value. */
    readonly parts?: RefundRecord["parts"];
  };
}

export interface RefundInput extends AdminMove, MoneyInput, WantedRefund {
  /** Default: through the service where it can, unless a reference says that it was given back elsewhere. */
  readonly through?: "service" | "record" | undefined;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "log" | "paymentOutbound">;

/** Data for a refund request to a provider. */
interface Work {
  readonly refund: RefundRecord;
  readonly order: OrderRecord;
  readonly payment: NoticeRecord;
  readonly open: OpenProvider;
}

function refuseAmount(order: OrderRecord, most: number): never {
  const { currency } = order;
  throw new AppError(
    "invalid",
    `The amount is too high: ${toDecimal(most, currency)} ${currency} can be refunded for this order`,
    {
      errors: [{ pointer: "/amount", code: "invalid", message: `must be 1 to ${most}` }],
    },
  );
}

/** The administrators' refunds. */
export class Refunds {
  readonly #deps: Deps;
  readonly #orderAdmin: OrderAdmin;

  constructor(deps: Deps, orderAdmin: OrderAdmin) {
    this.#deps = deps;
    this.#orderAdmin = orderAdmin;
  }

  /**
   * Refunds a payment, or records a refund made elsewhere.
   * @throws AppError `not_found`, `version_conflict`, `invalid`, `already_exists`, `conflict` (no provider supports
   * it),
   *   `payment_service_failed` with the provider's message
   */
  async refund(input: RefundInput): Promise<Refunded> {
    const { through = input.reference === undefined ? undefined : "record" } = input;
    const begun = through === "record" ? undefined : await this.#begin(input);
    if (typeof begun === "object") return begun;
    if (begun === undefined) {
      if (through === "service")
        throw new AppError(
          "conflict",
          "No payment provider can refund this payment. Refund it elsewhere and record the refund",
        );
      return this.#record(input);
    }
    await this.#settle(begun);
    const { order, refund } = await this.#deps.store.read(async (tx) => ({
      order: await getOrder(tx, input.id),
      refund: (await tx.get(refunds, begun)) ?? refuseMissing(),
    }));
    if (refund.status !== "failed") return { order, refund };
    throw new ShopError(
      "payment_service_failed",
      `The payment provider rejected the refund: ${refund.said}`,
      {
        details: { said: refund.said },
      },
    );
  }

  /** Refunds of an order through services, the newest first. */
  list(orderId: string): Promise<readonly RefundRecord[]> {
    return this.#deps.store.read(async (tx) => {
      await getOrder(tx, orderId);
      const page = await tx.list(refunds, "byOrder", { prefix: [orderId], limit: 100, reverse: true });
      return page.items;
    });
  }

  /** Tries and asks again what is pending; resolves with how many, at most 20. */
  async run(): Promise<number> {
    const { store, clock, log } = this.#deps;
    const range = { to: [clock.now() + 1], limit: BATCH };
    const { items } = await store.read((tx) => tx.list(refunds, "byDue", range));
    for (const { id: refundId, orderId } of items)
      await this.#settle(refundId).catch((error: unknown) =>
        log.warn("The state of a refund could not be updated; retrying", { orderId, refundId, error }),
      );
    return items.length;
  }

  async #record(input: RefundInput): Promise<Refunded> {
    const { id, reference = "" } = input;
    const { planned, toCards } = await this.#deps.store.read(async (tx) => {
      const before = await getOrder(tx, id);
      await assertNewRefund(tx, id, input.reference);
      return planSplit(tx, before, input);
    });
    const order = await this.#orderAdmin.refund(input);
    const { amount, parts } = planned;
    if (amount === toCards.amount && amount > 0) return toCardRefund(order, planned);
    const said = "No money was moved; the refund was only recorded";
    return {
      order,
      refund: {
        status: "recorded",
        provider: "manual",
        amount,
        parts,
        currency: order.currency,
        reference,
        said,
      },
    };
  }

  /**
   * Gives gift cards their part back, and stores a request to a provider for the rest: its id. The result where
   * nothing is left for a provider; undefined if none supports it.
   */
  #begin(input: RefundInput): Promise<string | Refunded | undefined> {
    const { id, version, note, actor } = input;
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const order = await getOrder(tx, id);
      if (version !== undefined && version !== order.version)
        throw new AppError("version_conflict", "Someone else changed the order. Reload it and try again", {
          details: { currentVersion: order.version },
        });
      const { items } = await tx.list(refunds, "byOrder", { prefix: [id], limit: 1_000 });
      const open = items.filter(({ status }) => status === "pending" || status === "unclear");
      const { planned, toCards, rest } = await planSplit(tx, order, input, open);
      const most = order.amountPaid - open.reduce((sum, each) => sum + each.amount, 0);
      if (planned.amount < 1 || planned.amount > most) refuseAmount(order, most);
      const { amount, parts } = rest;
      if (amount === 0) {
        const changes = [`amount: ${planned.amount}`, "through: gift card"];
        await writeAudit(tx, { actor, action: "order.refund", target: id, changes }, clock);
        return toCardRefund(
          await refundToCards(tx, this.#deps, order, { ...toCards, reason: note }),
          planned,
        );
      }
      const payment = await findPayment(tx, this.#deps.box, { order, amount, open });
      if (payment === undefined) return undefined;
      const { provider } = payment;
      const atMs = clock.now();
      const current = await refundToCards(tx, this.#deps, order, { ...toCards, reason: note });
      const refund = await tx.insert(refunds, {
        id: newId("rfd", atMs),
        orderId: id,
        provider,
        noticeId: payment.id,
        amount,
        parts,
        reason: note,
        currency: order.currency,
        status: "pending",
        reference: "",
        said: "",
        tries: 0,
        dueAt: atMs + TRY_AGAIN_MS,
        createdAt: atMs,
        updatedAt: atMs,
      });
      const changes = [`amount: ${amount}`, `through: ${provider}`, `refund: ${refund.id}`];
      await writeAudit(tx, { actor, action: "order.refund", target: id, changes }, clock);
      const money = `${toDecimal(amount, order.currency)} ${order.currency}`;
      const entry = { at: atMs, by: "admin", event: "refund_begun", note: `${money} through ${provider}` };
      await tx.put(orders, withHistory(current, entry));
      return refund.id;
    });
  }

  /** Sends the request to the provider once, and stores its answer. */
  async #settle(refundId: string): Promise<void> {
    const { store } = this.#deps;
    const work = await store.transact((tx) => this.#claim(tx, refundId));
    if (work === undefined) return;
    if (work.refund.reference !== "") return this.#askAgain(work);
    const result = await this.#call(work).catch(toFault);
    await store.transact((tx) => this.#finish(tx, work, result));
  }

  /** Claims a pending refund for this node, for as long as a call may last. */
  async #claim(tx: Tx, refundId: string): Promise<Work | undefined> {
    const { clock, box } = this.#deps;
    const refund = await tx.get(refunds, refundId);
    const isTried = refund !== undefined && refund.tries > 0;
    if (refund?.status !== "pending" || (isTried && (refund.dueAt ?? 0) > clock.now())) return undefined;
    const { paymentProviders } = await readSite(tx);
    const provider = paymentProviders.find(({ word }) => word === refund.provider);
    const order = await tx.get(orders, refund.orderId);
    const payment = await tx.get(notices, refund.noticeId);
    const dueAt = clock.now() + TRY_AGAIN_MS;
    const claimed = await tx.put(refunds, { ...refund, tries: refund.tries + 1, dueAt });
    if (provider === undefined || order === undefined || payment === undefined) return undefined;
    return { refund: claimed, order, payment, open: openProvider(box, provider) };
  }

  async #call({ refund, order, payment, open }: Work): Promise<RefundResult> {
    const { kind, setup } = open;
    if (kind.refund === undefined)
      throw new AppError("conflict", "The payment provider no longer supports refunds");
    const session = await this.#deps.store.read((tx) => findSession(tx, order, refund.provider));
    const request: RefundRequest = {
      orderId: order.id,
      number: order.number,
      reference: payment.providerRef,
      state: { ...session?.state, ...payment.serviceState },
      paid: payment.amount,
      amount: refund.amount,
      currency: refund.currency,
      reason: refund.reason,
      key: refund.id,
    };
    return kind.refund(setup, request, createTools(this.#deps));
  }

  async #finish(tx: Tx, work: Work, result: RefundResult | ProviderFault): Promise<void> {
    const refund = await tx.get(refunds, work.refund.id);
    if (refund?.status !== "pending") return;
    const nowMs = this.#deps.clock.now();
    const { dueAt: _due, ...kept } = { ...refund, updatedAt: nowMs };
    if (result instanceof Error) {
      const said = [result.message, result.said]
        .filter((text) => text !== "")
        .join(": ")
        .slice(0, 1_000);
      // Refused at the first try: it surely did not happen. Later, an earlier try may have.
      if (result.kind === "refused" && refund.tries <= 1) {
        await tx.put(refunds, { ...kept, status: "failed", said });
        await this.#note(tx, refund, { event: "refund_failed", note: said });
        return;
      }
      if (result.kind === "refused" || nowMs > refund.createdAt + KEY_MS)
        return this.#giveUp(tx, { ...kept, said });
      await tx.put(refunds, { ...kept, said, dueAt: planRetry(refund.tries, nowMs) });
      return;
    }
    const { reference } = result;
    if (result.kind === "pending") {
      const said = "The payment provider is processing the refund and confirms later";
      await tx.put(refunds, { ...kept, reference, said, dueAt: nowMs + ASK_MS });
      return;
    }
    await tx.put(refunds, {
      ...kept,
      reference,
      status: "moved",
      said: "The payment provider refunded the money",
    });
    await this.#book(tx, { ...refund, reference });
  }

  /** The ledger has it like any other; its service may say the same, before or after. */
  async #book(tx: Tx, refund: RefundRecord): Promise<void> {
    const { provider, orderId, amount, currency, reference, id, parts } = refund;
    const input = {
      providerRef: reference,
      claimedOrderId: orderId,
      type: "refund" as const,
      amount,
      currency,
    };
    const arrived = {
      provider,
      eventId: `refund:${id}`,
      verified: "asked",
      raw: "",
      parts,
      isForced: true,
    } as const;
    await takeNotice(tx, this.#deps, { ...arrived, input });
  }

  /** Queries a refund that the provider had not made yet. */
  async #askAgain({ refund, order, open }: Work): Promise<void> {
    const { store, clock } = this.#deps;
    const { provider } = refund;
    const session = await store.read((tx) => findSession(tx, order, provider));
    const asked = await askService(this.#deps, open, { order, session }).catch(toFault);
    await store.transact(async (tx) => {
      if (!(asked instanceof Error) && asked.kind === "notices")
        await takeAsked(tx, this.#deps, { provider, order, notices: asked.notices });
      const ledger = await listLedger(tx, order.id);
      const isBooked = ledger.some(
        (each) =>
          each.type === "refund" && each.provider === provider && each.providerRef === refund.reference,
      );
      const { dueAt: _due, ...present } = (await tx.get(refunds, refund.id)) ?? refund;
      const nowMs = clock.now();
      if (isBooked)
        await tx.put(refunds, {
          ...present,
          status: "moved",
          said: "The payment provider refunded the money",
          updatedAt: nowMs,
        });
      else if (nowMs > refund.createdAt + ASK_FOR_MS) await this.#giveUp(tx, present);
      else await tx.put(refunds, { ...present, dueAt: nowMs + ASK_MS });
    });
  }

  /** A person has to look at the service. */
  async #giveUp(tx: Tx, refund: RefundRecord): Promise<void> {
    await tx.put(refunds, { ...refund, status: "unclear" });
    const note = `It is unknown whether the payment provider refunded the money. Check there; if so, record the refund, otherwise resolve the flag. ${refund.said}`;
    const noted = await this.#note(tx, refund, { event: "refund_unclear", note });
    const order = noted && (await tx.put(orders, withAttention(noted, "refund_unclear")));
    const subject = `a refund of order ${order?.number ?? refund.orderId} is unclear`;
    await mailAdmin(tx, this.#deps, { subject, lines: [note] });
  }

  async #note(
    tx: Tx,
    { orderId, provider }: RefundRecord,
    entry: { event: string; note: string },
  ): Promise<OrderRecord | undefined> {
    const order = await tx.get(orders, orderId);
    const at = this.#deps.clock.now();
    return order && tx.put(orders, withHistory(order, { at, by: `provider ${provider}`, ...entry }));
  }
}

/** The result of a refund that went back to gift cards as a whole. */
function toCardRefund(order: OrderRecord, { amount, parts }: PlannedRefund): Refunded {
  const said = "The gift cards that paid have the amount again";
  const { currency } = order;
  return {
    order,
    refund: { status: "moved", provider: CARD_PROVIDER, amount, parts, currency, reference: "", said },
  };
}

function refuseMissing(): never {
  throw new AppError("internal", "A refund is missing");
}

async function getOrder(tx: ReadTx, id: string): Promise<OrderRecord> {
  const order = await tx.get(orders, id);
  if (order === undefined) throw new AppError("not_found", "There is no such order");
  return order;
}
