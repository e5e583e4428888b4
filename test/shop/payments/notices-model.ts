/**
 * What payments, notices and the passing of time do to orders and stock, in a few plain rules: the model that
 * the shop is compared with. Written from the shop's design; nothing of the shop's logic is used here.
 */
import { payBalance } from "./notices-model-edits.ts";
import {
  type Facts,
  type HowReceived,
  type ModelLine,
  type ModelNotice,
  type ModelOrder,
  type ModelStock,
  findGiven,
  hasLeft,
  isOpen,
  keyOf,
} from "./notices-model-records.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LATE_MS = 12 * HOUR;
const EVENT_MS = 7 * DAY;
const COMPLETE_MS = 14 * DAY;

interface State {
  orders: ModelOrder[];
  stock: Map<string, ModelStock>;
  notices: Map<string, ModelNotice>;
  /** "provider event" → the notice that has it, until when. */
  events: Map<string, { key: string; until: number }>;
}

/** What the shop refuses with. */
class Refusal extends Error {}
function refuse(code: string): never {
  throw new Refusal(code);
}

export class ShopModel {
  state: State = { orders: [], stock: new Map(), notices: new Map(), events: new Map() };
  nowMs: number;
  readonly currency: string;

  /** The first provider: orders that cost nothing at first are paid with it. */
  readonly firstMethod: string;

  constructor(nowMs: number, currency: string, firstMethod: string) {
    this.firstMethod = firstMethod;
    this.nowMs = nowMs;
    this.currency = currency;
  }

  /** "ok", or the code of the refusal, after which nothing has changed. */
  attempt(work: () => void): string {
    const before = structuredClone(this.state);
    try {
      work();
      return "ok";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.state = before;
      return error.message;
    }
  }

  /** Refuses what is attempted. */
  refuse(code: string): never {
    return refuse(code);
  }

  findOrder(id: string): ModelOrder | undefined {
    return this.state.orders.find((order) => order.id === id);
  }

  order(id: string): ModelOrder {
    return this.findOrder(id) ?? refuse("not_found");
  }

  notice(key: string): ModelNotice {
    return this.state.notices.get(key) ?? refuse("not_found");
  }

  stockOf({ stockId }: ModelLine): ModelStock {
    return this.state.stock.get(stockId) ?? refuse("not_found");
  }

  isEnoughFor(lines: readonly ModelLine[]): boolean {
    return lines.every((line) => {
      const { isTracked, onHand, reserved } = this.stockOf(line);
      return !isTracked || onHand - reserved >= line.quantity;
    });
  }

  reserve(lines: readonly ModelLine[], sign: 1 | -1): void {
    for (const line of lines) {
      const stock = this.stockOf(line);
      if (stock.isTracked) stock.reserved += sign * line.quantity;
    }
  }

  place(
    order: Omit<ModelOrder, "status" | "received" | "refunded" | "attention" | "completesAt" | "balance">,
  ): void {
    if (!this.isEnoughFor(order.lines)) refuse("out_of_stock");
    const fields = { status: "pending_payment", received: 0, refunded: 0, completesAt: 0, balance: 0 };
    const placed = { ...order, ...fields, attention: new Set<string>() };
    this.state.orders.push(placed);
    this.reserve(order.lines, 1);
    if (order.total === 0) this.settle(placed);
  }

  /** Hands over what needs no person; false when keys are missing. */
  giveKeys(order: ModelOrder): boolean {
    let isComplete = true;
    for (const line of order.lines) {
      const stock = this.stockOf(line);
      if (line.delivered || !stock.isAutomatic) continue;
      if (stock.freeKeys < line.quantity) isComplete = false;
      else {
        stock.freeKeys -= line.quantity;
        line.delivered = true;
      }
    }
    return isComplete;
  }

  progress(order: ModelOrder): void {
    if (order.lines.every(({ delivered }) => delivered)) {
      order.status = "delivered";
      order.completesAt = this.nowMs + COMPLETE_MS;
    } else if (order.lines.some(({ delivered }) => delivered)) order.status = "fulfilling";
  }

  /** The order was paid: promised units leave. */
  settle(order: ModelOrder): void {
    if (order.status === "expired") this.reserve(order.lines, 1);
    this.reserve(order.lines, -1);
    for (const line of order.lines) {
      const stock = this.stockOf(line);
      if (stock.isTracked) stock.onHand -= line.quantity;
      stock.sold += line.quantity;
    }
    order.status = "paid";
    if (!this.giveKeys(order)) order.attention.add("stock_shortfall");
    this.progress(order);
  }

  #endUnpaid(order: ModelOrder, status: string): void {
    this.reserve(order.lines, -1);
    order.status = status;
  }

  /** Notifications from outside; the answer. Unconfirmed ones wait until a query of the provider confirms them. */
  receive(facts: Facts, eventId: string, options: HowReceived = {}): string {
    const { isForced = false, isUnconfirmed = false, isAsked = false } = options;
    const key = keyOf(facts);
    const event = `${facts.provider} ${eventId}`;
    const known = findGiven(this.state.notices.values(), facts, options) ?? this.state.notices.get(key);
    if (known?.isUnconfirmed === true && !isUnconfirmed) {
      const about = this.findOrder(known.orderId ?? known.claimed);
      Object.assign(known, { isUnconfirmed: false, isAsked: true });
      known.state = about === undefined ? "unmatched" : this.judge(about, known, false);
      return known.state === "noted" ? "applied" : known.state;
    }
    if (known !== undefined) {
      known.repeats += 1;
      return isOpen(known) ? known.state : "duplicate";
    }
    const isContradiction =
      this.state.events.has(event) ||
      [...this.state.notices.values()].some(
        ({ provider, ref, type }) => provider === facts.provider && ref === facts.ref && type === facts.type,
      );
    const order = this.state.orders.find(
      ({ id, number }) => id === facts.claimed || number === facts.claimed.toUpperCase(),
    );
    const rest = { state: "unmatched", orderId: order?.id, repeats: 0, isUnconfirmed, isAsked };
    const notice: ModelNotice = { ...facts, ...rest };
    if (!this.state.events.has(event)) this.state.events.set(event, { key, until: this.nowMs + EVENT_MS });
    if (isContradiction) notice.state = "needs_review";
    else if (order !== undefined)
      notice.state = isUnconfirmed ? "needs_review" : this.judge(order, facts, isForced);
    this.state.notices.set(key, notice);
    return notice.state === "noted" ? "applied" : notice.state;
  }

  /** What a notice does to an order; the notice's state. */
  judge(order: ModelOrder, facts: Facts, isForced: boolean): string {
    const { type, amount, currency, provider } = facts;
    const review = (...flags: string[]): string => {
      for (const flag of flags) order.attention.add(flag);
      return "needs_review";
    };
    if (type === "pending" || type === "failed") return "noted";
    if (currency !== this.currency) return review("currency_mismatch");
    const hasPaid = [...this.state.notices.values()].some(
      (one) =>
        one.provider === provider &&
        one.state === "applied" &&
        one.type === "payment" &&
        one.orderId === order.id,
    );
    const isOther = provider !== "manual" && provider !== order.method && (type === "payment" || !hasPaid);
    if (isOther && !isForced) return review("other_method");
    if (amount === 0) return "noted";
    if (type !== "payment") {
      const isChargeback = type === "chargeback";
      if (amount > order.received - order.refunded) return review(...(isChargeback ? ["chargeback"] : []));
      order.refunded += amount;
      if (isChargeback) order.attention.add("chargeback");
      else order.attention.delete("overpaid");
    } else {
      const isBack = this.#isReturned(order, facts);
      const isBalance = !isBack && this.balanceOf(order) > 0;
      const problem = isBack || isBalance ? undefined : this.#whyNotPaid(order, amount, isForced);
      if (problem !== undefined) return review(...problem);
      const isFirst = !isBack && !isBalance;
      order.received += amount;
      const net = order.received - order.refunded;
      if (net < order.total) order.attention.add("underpaid");
      else {
        for (const flag of ["underpaid", "payment_claim", "late_payment", "stock_shortfall", "other_method"])
          order.attention.delete(flag);
        if (net > order.total) order.attention.add("overpaid");
        if (isFirst) this.settle(order);
      }
      if (isBalance) payBalance(this, order, amount);
    }
    if (provider === "open") order.attention.add("unverified_notice");
    return "applied";
  }

  /** Whether an order that was paid gets back what a refund or dispute of the same reference had taken. */
  #isReturned(order: ModelOrder, facts: Facts): boolean {
    if (["pending_payment", "expired", "canceled"].includes(order.status)) return false;
    return hasLeft(this.state.notices.values(), order.id, facts);
  }

  /** What is due of a paid order. */
  balanceOf({ status, received, refunded, balance }: ModelOrder): number {
    const isBack = refunded > 0 && received <= refunded;
    return (status === "paid" || status === "fulfilling") && !isBack ? balance : 0;
  }

  /** The flags of a payment that a person has to decide about. */
  #whyNotPaid(order: ModelOrder, amount: number, isForced: boolean): string[] | undefined {
    if (order.status === "pending_payment") return undefined;
    if (order.status === "canceled") return ["paid_after_cancel"];
    if (order.status !== "expired") return ["duplicate_payment"];
    if (!isForced && this.nowMs > order.expiresAt + LATE_MS) return ["late_payment"];
    if (order.received - order.refunded + amount < order.total) return ["late_payment", "underpaid"];
    if (this.isEnoughFor(order.lines)) return undefined;
    return isForced ? refuse("out_of_stock") : ["late_payment", "stock_shortfall"];
  }

  /** Time passes, and with it what happens by itself. */
  runJobs(): void {
    for (const order of this.state.orders) {
      if (order.status === "pending_payment" && this.nowMs >= order.expiresAt)
        this.#endUnpaid(order, "expired");
      if (order.status === "delivered" && this.nowMs >= order.completesAt) order.status = "completed";
    }
    for (const [event, { until }] of this.state.events)
      if (until <= this.nowMs) this.state.events.delete(event);
  }

  /** Money that an administrator writes down. */
  record(order: ModelOrder, entry: { type: string; ref: string; amount: number }): void {
    const facts = { provider: "manual", claimed: order.id, currency: this.currency, ...entry };
    const key = keyOf(facts);
    if (this.state.notices.has(key)) refuse("already_exists");
    const answer = this.receiveForced(order, facts);
    if (answer !== "applied") refuse("conflict");
  }

  /** What staff recorded with this reference. */
  findManual({ ref, type }: Pick<Facts, "ref" | "type">): ModelNotice | undefined {
    const all = [...this.state.notices.values()];
    return all.find((one) => one.provider === "manual" && one.ref === ref && one.type === type);
  }

  receiveForced(order: ModelOrder, facts: Facts): string {
    const event = `manual ${facts.type}:${facts.ref}`;
    if (this.findManual(facts) !== undefined) return "needs_review";
    const state = this.judge(order, facts, true);
    this.state.events.set(event, { key: keyOf(facts), until: this.nowMs + EVENT_MS });
    this.state.notices.set(keyOf(facts), {
      ...facts,
      state,
      orderId: order.id,
      repeats: 0,
      isUnconfirmed: false,
      isAsked: false,
    });
    return state;
  }

  markPaid(order: ModelOrder, { ref, amount }: { ref: string; amount: number | undefined }): void {
    const balance = this.balanceOf(order);
    const isOpenOrder = order.status === "pending_payment" || order.status === "expired";
    if (!isOpenOrder && balance === 0) refuse("illegal_transition");
    const due = isOpenOrder ? order.total - (order.received - order.refunded) : balance;
    this.record(order, { type: "payment", ref, amount: amount ?? due });
  }

  refund(order: ModelOrder, { ref, amount }: { ref: string; amount: number | undefined }): void {
    // Also where less than the amount is left to refund: the answer of the first one may have been lost.
    if (this.findManual({ ref, type: "refund" })?.orderId === order.id) refuse("already_exists");
    const paid = order.received - order.refunded;
    const wanted = amount ?? paid;
    if (wanted < 1 || wanted > paid) refuse("invalid");
    this.record(order, { type: "refund", ref, amount: wanted });
  }

  cancel(order: ModelOrder, isAdmin: boolean): void {
    const { status, received, refunded, attention } = order;
    if (status === "canceled" && !isAdmin) return;
    const isUndelivered = isAdmin && (status === "paid" || status === "fulfilling");
    if (status !== "pending_payment" && !isUndelivered) refuse("illegal_transition");
    if (received - refunded > 0) refuse("illegal_transition");
    if (status === "pending_payment") {
      this.#endUnpaid(order, "canceled");
      return;
    }
    for (const line of order.lines.filter(({ delivered }) => !delivered)) {
      const stock = this.stockOf(line);
      if (stock.isTracked) stock.onHand += line.quantity;
      stock.sold -= line.quantity;
    }
    attention.delete("stock_shortfall");
    order.status = "canceled";
  }

  deliver(order: ModelOrder): void {
    if (this.balanceOf(order) > 0) refuse("conflict");
    if (order.status !== "paid" && order.status !== "fulfilling") refuse("illegal_transition");
    for (const line of order.lines) if (!this.stockOf(line).isAutomatic) line.delivered = true;
    if (this.giveKeys(order)) order.attention.delete("stock_shortfall");
    order.status = "fulfilling";
    this.progress(order);
  }

  confirm(order: ModelOrder): void {
    if (order.status === "completed") return;
    if (order.status !== "delivered") refuse("illegal_transition");
    order.status = "completed";
  }

  claim(order: ModelOrder): void {
    const isOpenOrder = order.status === "pending_payment" || order.status === "expired";
    if (!isOpenOrder && this.balanceOf(order) === 0) refuse("illegal_transition");
    order.attention.add("payment_claim");
  }

  assign(notice: ModelNotice, orderId: string): void {
    if (!isOpen(notice)) refuse("conflict");
    const order = this.order(orderId);
    const state = this.judge(order, notice, true);
    if (state !== "applied") refuse("conflict");
    Object.assign(notice, { state, orderId, isUnconfirmed: false });
  }

  dismiss(notice: ModelNotice): void {
    if (!isOpen(notice)) refuse("conflict");
    notice.state = "dismissed";
  }

  replay(notice: ModelNotice): void {
    if (notice.state === "applied" || notice.isUnconfirmed) refuse("conflict");
    const order = this.findOrder(notice.orderId ?? notice.claimed);
    if (order === undefined) return;
    Object.assign(notice, { state: this.judge(order, notice, false), orderId: order.id });
  }
}
