/**
 * How a payment begins at its provider: the order and the session are stored first, then the request is sent, then its
 * response is stored. A crash in between leaves a session that is begun again, and the same attempt returns the same
 * payment.
 */
import { providerTexts } from "../provider-texts.ts";
import { AppError } from "../../../kit/errors.ts";
import type { Tx } from "../../../store/store.ts";
import type { ShopDeps } from "../../base/deps.ts";
import { ShopError } from "../../base/errors.ts";
import { wakePayments } from "../../orders/effects.ts";
import { mailOrder } from "../../orders/mails.ts";
import { amountDueOf, awaitsPayment, withHistory } from "../../orders/order.ts";
import { type Payment, toPayment, toReturnUrl } from "../../orders/payment.ts";
import type { Begun, OrderRecord } from "../../orders/schema.ts";
import { toOrderToken } from "../../orders/token.ts";
import { paymentSessions } from "../records.ts";
import { orders } from "../../orders/records.ts";
import type { Provider, SiteSettings } from "../../site/schema.ts";
import { findProvider, readSite } from "../../site/settings.ts";
import type { PaymentRequest, PaymentStart, ProviderFault } from "../providers/provider.ts";
import type { PaymentSessionRecord } from "../schema.ts";
import { chooseProvider } from "./offered.ts";
import { openProvider } from "./open-provider.ts";
import { findSession, openSession, planAsk, planRetry, toSessionId } from "./sessions.ts";
import { createTools, toFault } from "./tools.ts";

const MINUTE_MS = 60_000;
/** A checkout does not wait longer for a slow service; its answer is stored when it comes. */
const WAIT_MS = 8_000;
/** Attempts of one order; each is a separate payment at a provider. */
const MAX_ATTEMPTS = 20;

export type BeginDeps = Pick<
  ShopDeps,
  "store" | "clock" | "box" | "outbox" | "publicUrl" | "log" | "paymentOutbound"
>;

/** An order with how it is paid now. */
export interface BegunPayment {
  readonly order: OrderRecord;
  readonly payment: Payment | undefined;
}

function describe({ language, number }: OrderRecord, { name }: SiteSettings): string {
  return providerTexts(language)("description", { number, shop: name });
}

/** Whether a provider's payments begin at its service. */
export function hasBeginning({ box }: Pick<ShopDeps, "box">, provider: Provider): boolean {
  return openProvider(box, provider).kind.begin !== undefined;
}

/** The part of a provider's response that the order stores. */
function toBegun(start: PaymentStart, attempt: number): Begun {
  const { kind, expiresAt } = start;
  switch (start.kind) {
    case "redirect":
      return { attempt, kind, expiresAt, url: start.url };
    case "qr":
      return { attempt, kind, expiresAt, text: start.text, url: start.url };
    case "form":
      return { attempt, kind, expiresAt, url: start.url, fields: { ...start.fields } };
    case "instructions":
      return { attempt, kind, expiresAt };
  }
}

/** What is known before the request. */
interface Beginning {
  readonly order: OrderRecord;
  readonly session: PaymentSessionRecord;
  readonly site: SiteSettings;
}

type Answered = { readonly start: PaymentStart } | { readonly fault: ProviderFault };

/** Begins payments at their services. */
export class PaymentStarts {
  readonly #deps: BeginDeps;
  readonly #waitMs: number;
  /** Sessions that this process begins now. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: BeginDeps, { waitMs = WAIT_MS }: { readonly waitMs?: number } = {}) {
    this.#deps = deps;
    this.#waitMs = waitMs;
  }

  /** The session of a new order, in its transaction; undefined for providers without one. */
  async plan(
    tx: Tx,
    order: Omit<OrderRecord, "version">,
    { site, clientAddress }: { readonly site: SiteSettings; readonly clientAddress: string },
  ): Promise<Begun | undefined> {
    const { paymentMethod, createdAt } = order;
    const provider = findProvider(site, paymentMethod);
    if (provider === undefined || !hasBeginning(this.#deps, provider)) return undefined;
    await openSession(tx, order, {
      provider: paymentMethod,
      attempt: 1,
      amount: order.total - order.amountPaid,
      atMs: createdAt,
      clientAddress,
      isMailDue: "yes",
    });
    return { attempt: 1, kind: "beginning" };
  }

  /**
   * A new attempt for an order whose amount an edit changed, in its transaction; earlier ones end at their services.
   * Gives the order with it.
   */
  async replan(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<OrderRecord> {
    await wakePayments(tx, order);
    const amount = amountDueOf(order);
    if (amount === 0) return order;
    const atMs = order.updatedAt;
    const isChosen = order.paymentMethod !== "none";
    const known = isChosen ? findProvider(site, order.paymentMethod) : undefined;
    const provider = isChosen ? known : chooseProvider({ site, currency: order.currency, amount }, undefined);
    const minutes = provider?.expiryMinutes ?? site.orderExpiryMinutes;
    // An order with a due date keeps at least the time until then.
    const least = order.dueAt === undefined ? 0 : order.expiresAt;
    const expiresAt = Math.max(least, atMs + minutes * MINUTE_MS);
    const pendingUntil = order.status === "pending_payment" ? expiresAt : undefined;
    const next = { ...order, paymentMethod: provider?.word ?? order.paymentMethod, expiresAt, pendingUntil };
    if (provider === undefined || !hasBeginning(this.#deps, provider))
      return order.begun === undefined
        ? next
        : { ...next, begun: { ...toNextAttempt(order), kind: "template" } };
    const { attempt } = toNextAttempt(order);
    const before = await findSession(tx, order);
    const clientAddress = before?.clientAddress ?? "";
    await openSession(tx, order, { provider: provider.word, attempt, amount, clientAddress, atMs });
    return { ...next, begun: { attempt, kind: "beginning" } };
  }

  /**
   * Begins the order's newest attempt unless that was done, and waits for it a few seconds. Never rejects for what a
   * service does: the order then says that its payment could not begin.
   */
  async begin(orderId: string): Promise<BegunPayment> {
    const { store, box, publicUrl, log } = this.#deps;
    const read = (): Promise<BegunPayment> =>
      store.read(async (tx) => {
        const order = await tx.get(orders, orderId);
        if (order === undefined) throw new AppError("not_found", "There is no such order");
        return { order, payment: toPayment({ box, publicUrl }, order, await readSite(tx)) };
      });
    const before = await read();
    const { attempt = 0, kind } = before.order.begun ?? {};
    if (kind !== "beginning" && kind !== "failed") return before;
    const work = this.beginAttempt(orderId, attempt).catch((error: unknown) =>
      log.warn("The start of a payment could not be stored; retrying", { orderId, error }),
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#waitMs);
    });
    await Promise.race([work, over]);
    clearTimeout(timer);
    return read();
  }

  /** Begins one attempt; the same once more while it runs here is the same. */
  beginAttempt(orderId: string, attempt: number): Promise<void> {
    const id = toSessionId(orderId, attempt);
    const work = this.#running.get(id) ?? this.#begin(id).finally(() => this.#running.delete(id));
    this.#running.set(id, work);
    return work;
  }

  /**
   * Another attempt at an order's payment, or another method. An unchanged payment is returned again.
   * @throws AppError `not_found`, `illegal_transition`, `invalid`, `rate_limited` after many attempts
   */
  async again(
    orderId: string,
    { method, clientAddress }: { readonly method: string | undefined; readonly clientAddress: string },
  ): Promise<BegunPayment> {
    await this.#deps.store.transact((tx) => this.#prepare(tx, orderId, { method, clientAddress }));
    return this.begin(orderId);
  }

  async #prepare(
    tx: Tx,
    orderId: string,
    { method, clientAddress }: { method: string | undefined; clientAddress: string },
  ): Promise<void> {
    const { clock } = this.#deps;
    const order = await tx.get(orders, orderId);
    if (order === undefined) throw new AppError("not_found", "There is no such order");
    assertWaits(order);
    const site = await readSite(tx);
    const amount = amountDueOf(order);
    const provider = chooseProvider(
      { site, currency: order.currency, amount },
      method ?? order.paymentMethod,
    );
    const atMs = clock.now();
    const isOther = provider.word !== order.paymentMethod;
    const { begun } = order;
    const session = begun && (await tx.get(paymentSessions, toSessionId(orderId, begun.attempt)));
    const begins = hasBeginning(this.#deps, provider);
    // A renewal that its service charges by itself has not begun, and may be paid by hand all the same.
    if (!isOther && (begun === undefined ? !begins : mayStay(begun, { session, amount, atMs }))) return;
    const attempt = (begun?.attempt ?? 0) + 1;
    if (attempt > MAX_ATTEMPTS)
      throw new AppError(
        "rate_limited",
        "The payment of this order was started too often. Place a new order, or contact the shop",
        {
          retryAfterSeconds: 3_600,
        },
      );
    // End the previous payment at the provider, unless it was already paid.
    if (session !== undefined && session.phase !== "over")
      await tx.put(paymentSessions, { ...session, dueAt: atMs });
    const isBalance = order.status !== "pending_payment";
    const expiresAt = toExpiry(order, { provider, site, isOther, atMs });
    const pendingUntil = isBalance ? undefined : expiresAt;
    const next = { ...order, paymentMethod: provider.word, expiresAt, pendingUntil };
    const entry = { at: atMs, by: "buyer", event: "payment_method", note: provider.word };
    const noted = isOther ? withHistory(next, entry) : next;
    await tx.put(orders, { ...noted, begun: { attempt, kind: begins ? "beginning" : "template" } });
    if (begins)
      await openSession(tx, order, { provider: provider.word, attempt, amount, clientAddress, atMs });
  }

  async #begin(id: string): Promise<void> {
    const { store } = this.#deps;
    const known = await store.read((tx) => this.#find(tx, id));
    if (known === undefined) return;
    const answered = await this.#ask(known).then(
      (start): Answered => ({ start }),
      (error: unknown): Answered => ({ fault: toFault(error) }),
    );
    await store.transact((tx) => this.#store(tx, known, answered));
  }

  async #find(tx: Parameters<typeof readSite>[0], id: string): Promise<Beginning | undefined> {
    const session = await tx.get(paymentSessions, id);
    if (session?.phase !== "beginning") return undefined;
    const order = await tx.get(orders, session.orderId);
    return order && { order, session, site: await readSite(tx) };
  }

  async #ask({ order, session, site }: Beginning): Promise<PaymentStart> {
    const provider = findProvider(site, session.provider);
    if (provider === undefined) throw new AppError("conflict", "The payment provider was disabled");
    const { kind, setup } = openProvider(this.#deps.box, provider);
    if (kind.begin === undefined)
      throw new AppError("conflict", "The type of the payment provider has changed");
    return kind.begin(setup, this.#toRequest({ order, session, site }), createTools(this.#deps));
  }

  /** The same whenever the attempt is begun again. */
  #toRequest({ order, session, site }: Beginning): PaymentRequest {
    const { id, number, currency, email, language, shippingAddress, expiresAt } = order;
    const { publicUrl } = this.#deps;
    const isKept = order.lines.some(({ license }) => license?.renewal !== undefined);
    return {
      orderId: id,
      number,
      attempt: session.attempt,
      amount: session.amount,
      currency,
      email,
      language,
      description: describe(order, site),
      address: shippingAddress,
      clientAddress: session.clientAddress,
      returnUrl: toReturnUrl(this.#deps, order, site),
      notifyUrl: `${publicUrl}/api/webhooks/${session.provider}-pay`,
      expiresAt,
      isKept,
    };
  }

  async #store(tx: Tx, { session: { id } }: Beginning, answered: Answered): Promise<void> {
    const found = await this.#find(tx, id);
    // Another process was faster, with the same result.
    if (found === undefined) return;
    const { order, site } = found;
    const atMs = this.#deps.clock.now();
    const { isMailDue, clientAddress, ...session } = found.session;
    const isWanted = awaitsPayment(order) && order.begun?.attempt === session.attempt;
    const next =
      "start" in answered ? this.#toOpen(found, answered.start) : toFailed(found, answered.fault, atMs);
    await tx.put(paymentSessions, {
      ...session,
      ...next.session,
      // An unneeded payment is ended.
      ...(isWanted || next.session.phase === "over" ? {} : { dueAt: atMs }),
      ...(next.session.phase === "beginning" ? { clientAddress } : {}),
    });
    const stored = isWanted ? await tx.put(orders, { ...next.note(order), begun: next.begun }) : order;
    if (isMailDue === undefined || order.status !== "pending_payment") return;
    const payment = toPayment(this.#deps, stored, site);
    const orderToken = toOrderToken(this.#deps.box, stored);
    await mailOrder(tx, this.#deps, {
      kind: "order_placed",
      order: stored,
      orderToken,
      site,
      payUrl: payment?.url,
    });
  }

  #toOpen({ session, order, site }: Beginning, start: PaymentStart) {
    const provider = findProvider(site, session.provider);
    const kind = provider && openProvider(this.#deps.box, provider).kind;
    const nowMs = this.#deps.clock.now();
    return {
      begun: toBegun(start, session.attempt),
      note: (noted: OrderRecord): OrderRecord => ({ ...noted, updatedAt: nowMs }),
      session: {
        phase: "open" as const,
        reference: start.reference,
        state: { ...start.state },
        dueAt: kind && planAsk(kind, session, { expiresAt: order.expiresAt, nowMs }),
        failures: 0,
      },
    };
  }
}

/** Requests to an unavailable provider are repeated; rejected ones are not. */
function toFailed({ session }: Beginning, { kind, message, said }: ProviderFault, atMs: number) {
  const isRefused = kind === "refused";
  const failures = session.failures + 1;
  const note = said === "" ? message : `${message}: ${said}`;
  const entry = { at: atMs, by: `provider ${session.provider}`, event: "payment_not_begun", note };
  const begun: Begun = {
    attempt: session.attempt,
    kind: "failed",
    failure: isRefused ? "refused" : "unavailable",
  };
  return {
    begun,
    note: (order: OrderRecord): OrderRecord => (failures > 1 ? order : withHistory(order, entry)),
    session: {
      phase: isRefused ? ("over" as const) : ("beginning" as const),
      failures,
      dueAt: isRefused ? undefined : planRetry(failures, atMs),
    },
  };
}

function toNextAttempt({ begun }: OrderRecord): { attempt: number } {
  return { attempt: (begun?.attempt ?? 0) + 1 };
}

function assertWaits(order: OrderRecord): void {
  const { status, total } = order;
  if (awaitsPayment(order) && total > 0) return;
  throw new ShopError("illegal_transition", `An order with the status ${status} cannot be paid`);
}

/** Whether an attempt can be answered again, or begun again as it is. */
function mayStay(
  { kind, expiresAt = Number.POSITIVE_INFINITY }: Begun,
  { session, amount, atMs }: { session: PaymentSessionRecord | undefined; amount: number; atMs: number },
): boolean {
  if (kind === "template") return true;
  return session !== undefined && session.phase !== "over" && session.amount === amount && expiresAt > atMs;
}

/** A balance has no end: each attempt at it has its own time. */
function toExpiry(
  order: OrderRecord,
  {
    provider,
    site,
    isOther,
    atMs,
  }: { provider: Provider; site: SiteSettings; isOther: boolean; atMs: number },
): number {
  const minutes = provider.expiryMinutes ?? site.orderExpiryMinutes;
  if (order.status !== "pending_payment") return Math.max(order.expiresAt, atMs + minutes * MINUTE_MS);
  return isOther ? laterExpiry(order, provider, site) : order.expiresAt;
}

/** Another method may leave more time to pay, and never takes any. */
function laterExpiry({ createdAt, expiresAt }: OrderRecord, provider: Provider, site: SiteSettings): number {
  const minutes = provider.expiryMinutes ?? site.orderExpiryMinutes;
  return Math.max(expiresAt, createdAt + minutes * MINUTE_MS);
}
