/**
 * Background jobs for payments at providers: unanswered ones are begun again, those of waiting orders are polled on a
 * schedule, and unneeded ones are ended.
 */
import type { ReadTx } from "../../../store/store.ts";
import type { ShopDeps } from "../../base/deps.ts";
import { awaitsPayment } from "../../orders/order.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { paymentSessions } from "../records.ts";
import { orders } from "../../orders/records.ts";
import { readSite } from "../../site/settings.ts";
import { listLedger } from "../ledger.ts";
import { type ProviderNotice, ProviderFault } from "../providers/provider.ts";
import type { PaymentSessionRecord } from "../schema.ts";
import { askService, takeAsked } from "./asked.ts";
import type { PaymentStarts } from "./begin.ts";
import { type OpenProvider, openProvider } from "./open-provider.ts";
import { countSessions, planAsk, planRetry } from "./sessions.ts";
import { createTools, toFault } from "./tools.ts";

const BATCH = 50;
const AT_ONCE = 5;
/** As long as one node works on a session, no other takes it. */
const LEASE_MS = 120_000;
/** When a provider is unavailable, its other payments of this run wait this long. */
const AWAY_MS = 30_000;
/** A provider that has not responded for this long after the order ended is no longer polled. */
const GIVE_UP_MS = 7 * 86_400_000;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "log" | "paymentOutbound">;

/** A session that this node works on. */
interface Claimed {
  readonly session: PaymentSessionRecord;
  readonly order: OrderRecord;
  readonly open: OpenProvider | undefined;
  /** It waits for payment, by this attempt. */
  readonly isWanted: boolean;
  /** Money of this provider is in the books, and it can be of no other attempt. */
  readonly isPaid: boolean;
}

type Next = Partial<Pick<PaymentSessionRecord, "phase" | "dueAt" | "failures">>;
const over: Next = { phase: "over", dueAt: undefined, failures: 0 };

/** The jobs of payments at services. */
export class PaymentJobs {
  readonly #deps: Deps;
  readonly #starts: PaymentStarts;

  constructor(deps: Deps, starts: PaymentStarts) {
    this.#deps = deps;
    this.#starts = starts;
  }

  /** Does what is due; resolves with how many sessions, at most 50. */
  async run(): Promise<number> {
    const { store, clock } = this.#deps;
    const range = { to: [clock.now() + 1], limit: BATCH };
    const { items } = await store.read((tx) => tx.list(paymentSessions, "byDue", range));
    const away = new Set<string>();
    for (let at = 0; at < items.length; at += AT_ONCE)
      await Promise.all(items.slice(at, at + AT_ONCE).map((session) => this.#one(session, away)));
    return items.length;
  }

  async #one({ id, provider, orderId }: PaymentSessionRecord, away: Set<string>): Promise<void> {
    const { clock, log, store } = this.#deps;
    try {
      const claimed = await this.#claim(id, away.has(provider) ? AWAY_MS : undefined);
      if (claimed === undefined) return;
      if (claimed.session.phase === "beginning" && claimed.isWanted)
        return await this.#starts.beginAttempt(claimed.order.id, claimed.session.attempt);
      const next = await this.#work(claimed).catch((error: unknown) => {
        const fault = toFault(error);
        if (fault.kind !== "refused") away.add(provider);
        log.warn("A payment provider could not be reached; retrying", { orderId, provider, error });
        return this.#toRetry(claimed);
      });
      await store.transact(async (tx) => {
        const present = await tx.get(paymentSessions, id);
        // An order that ended in the meantime has made it due at once.
        if (present === undefined || (present.dueAt ?? 0) < (claimed.session.dueAt ?? 0)) return;
        await tx.put(paymentSessions, { ...present, ...next });
      });
    } catch (error) {
      log.warn("The state of a payment could not be updated; retrying", { orderId, at: clock.now(), error });
    }
  }

  /** Claims a session for this node; with `waitMs` it is postponed instead. */
  #claim(id: string, waitMs: number | undefined): Promise<Claimed | undefined> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const session = await tx.get(paymentSessions, id);
      const nowMs = clock.now();
      if (session?.dueAt === undefined || session.dueAt > nowMs) return undefined;
      const leased = await tx.put(paymentSessions, { ...session, dueAt: nowMs + (waitMs ?? LEASE_MS) });
      const order = await tx.get(orders, session.orderId);
      if (waitMs !== undefined || order === undefined) return undefined;
      return { session: leased, order, ...(await this.#look(tx, { session, order })) };
    });
  }

  async #look(
    tx: ReadTx,
    { session, order }: Pick<Claimed, "session" | "order">,
  ): Promise<Pick<Claimed, "open" | "isWanted" | "isPaid">> {
    const { paymentProviders } = await readSite(tx);
    // Also one that was switched off: what was begun there may be paid.
    const provider = paymentProviders.find(({ word }) => word === session.provider);
    const isWanted = awaitsPayment(order) && order.begun?.attempt === session.attempt;
    const ledger = isWanted ? [] : await listLedger(tx, order.id);
    const isBooked = ledger.some(
      ({ provider: word, state, type }) =>
        word === session.provider && state === "applied" && type === "payment",
    );
    const isPaid = isBooked && (await countSessions(tx, order, session.provider)) === 1;
    return { open: provider && openProvider(this.#deps.box, provider), isWanted, isPaid };
  }

  /** Asks, and says what is to be done next. @throws ProviderFault */
  async #work(claimed: Claimed): Promise<Next> {
    const { session, order, open, isWanted, isPaid } = claimed;
    if (open === undefined || isPaid) return over;
    const asked = await askService(this.#deps, open, { order, session });
    if (asked.kind === "notices") return this.#take(claimed, asked.notices);
    if (asked.isOver) return over;
    if (isWanted) {
      const nowMs = this.#deps.clock.now();
      return { dueAt: planAsk(open.kind, session, { expiresAt: order.expiresAt, nowMs }), failures: 0 };
    }
    await this.#cancel(claimed, open);
    return over;
  }

  async #take({ session, order, isWanted }: Claimed, notices: readonly ProviderNotice[]): Promise<Next> {
    const { provider } = session;
    await this.#deps.store.transact((tx) => takeAsked(tx, this.#deps, { provider, order, notices }));
    const isOver = !isWanted || notices.some(({ type }) => type === "payment");
    // Waiting and failed payments may still be paid.
    return isOver ? over : { dueAt: this.#deps.clock.now() + AWAY_MS, failures: 0 };
  }

  /** Ends a payment at its service. What is paid or gone there already cannot be ended, and need not be. */
  async #cancel({ session, order }: Claimed, { kind, setup }: OpenProvider): Promise<void> {
    const { reference, state } = session;
    // Some services name a payment only once it is paid; those kinds keep in the state what they called it.
    if (kind.cancel === undefined || (reference === "" && Object.keys(state).length === 0)) return;
    try {
      await kind.cancel(setup, { orderId: order.id, reference, state }, createTools(this.#deps));
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.kind !== "refused") throw error;
    }
  }

  #toRetry({ session, order, isWanted }: Claimed): Next {
    const nowMs = this.#deps.clock.now();
    if (!isWanted && nowMs > order.expiresAt + GIVE_UP_MS) return over;
    return { failures: session.failures + 1, dueAt: planRetry(session.failures + 1, nowMs) };
  }
}
