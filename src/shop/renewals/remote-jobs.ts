/** Tells payment services how subscriptions are wanted, and books what they charged: asked, not only told. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { nameLine } from "../orders/delivery.ts";
import { orders } from "../orders/records.ts";
import { mailAdmin } from "../mails/mails.ts";
import type {
  ChargedPeriod,
  SyncedSubscription,
  WantedSubscription,
} from "../payments/providers/provider.ts";
import { takeAsked } from "../payments/services/asked.ts";
import { type OpenProvider, openProvider } from "../payments/services/open-provider.ts";
import { planRetry } from "../payments/services/sessions.ts";
import { createTools, toFault } from "../payments/services/tools.ts";
import { readSite } from "../site/settings.ts";
import { listEvery } from "../../store/every-page.ts";
import { notices } from "../payments/records.ts";
import { renewals, subscriptions } from "../subscriptions/records.ts";
import type { RenewalRecord, SubscriptionRecord } from "../subscriptions/schema.ts";
import { withEvent } from "../subscriptions/settle.ts";
import { mailRenewal } from "./mails.ts";
import { runDue } from "../base/due.ts";
import type { RenewalDeps, RenewalOrders } from "./renewal-orders.ts";

const BATCH = 50;
/** As long as one node works on a subscription, no other takes it. */
const LEASE_MS = 120_000;
/** While a period is late, Trivet asks its provider again. */
const ASK_AGAIN_MS = 12 * 3_600_000;
const MAX_SAID = 1_000;

type Deps = RenewalDeps & Pick<ShopDeps, "paymentOutbound">;

interface Claimed {
  readonly subscription: SubscriptionRecord;
  readonly open: OpenProvider;
  readonly wanted: WantedSubscription;
}

/** Runs what is due. */
export class RemoteJobs {
  readonly #deps: Deps;
  readonly #orders: RenewalOrders;

  constructor(deps: Deps, renewalOrders: RenewalOrders) {
    this.#deps = deps;
    this.#orders = renewalOrders;
  }

  /** Does what is due; resolves with how many subscriptions were looked at, at most 50. */
  run(): Promise<number> {
    return runDue(this.#deps, { of: subscriptions, index: "byRemoteDue", limit: BATCH }, (id) =>
      this.#one(id),
    );
  }

  async #one(id: string): Promise<void> {
    const { log } = this.#deps;
    try {
      const claimed = await this.#claim(id);
      if (claimed === undefined) return;
      const { open, wanted } = claimed;
      const synced = await open.kind.subscriptions
        ?.sync(open.setup, wanted, createTools(this.#deps))
        .catch(toFault);
      if (synced === undefined) return;
      if (synced instanceof Error) await this.#fail(claimed, synced);
      else await this.#store(claimed, synced);
    } catch (error) {
      log.warn("A subscription could not be synchronized; retrying", { subscriptionId: id, error });
    }
  }

  /** Claims a subscription for this node, with how it is wanted. */
  #claim(id: string): Promise<Claimed | undefined> {
    const { store, clock, box } = this.#deps;
    return store.transact(async (tx) => {
      const subscription = await tx.get(subscriptions, id);
      const atMs = clock.now();
      if (subscription?.remoteDueAt === undefined || subscription.remoteDueAt > atMs) return undefined;
      const { remote } = subscription;
      const { paymentProviders } = await readSite(tx);
      const provider = paymentProviders.find(({ word }) => word === remote?.provider);
      const open = provider && openProvider(box, provider);
      if (remote === undefined || open?.kind.subscriptions === undefined) {
        await tx.put(subscriptions, { ...subscription, remoteDueAt: undefined });
        return undefined;
      }
      const leased = await tx.put(subscriptions, { ...subscription, remoteDueAt: atMs + LEASE_MS });
      return { subscription: leased, open, wanted: await this.#toWanted(tx, leased, remote) };
    });
  }

  async #toWanted(
    tx: Tx,
    subscription: SubscriptionRecord,
    remote: NonNullable<SubscriptionRecord["remote"]>,
  ): Promise<WantedSubscription> {
    const { id, number, orderId, productId, currency, terms, state, paidUntil } = subscription;
    const found = await this.#orders.findOpen(tx, subscription);
    const isOver = state === "ended" || subscription.way !== "automatic";
    const amount =
      found?.order?.total ?? (isOver ? 0 : await this.#orders.estimate(tx, subscription, undefined));
    return {
      id,
      number,
      orderId,
      productId,
      title: nameLine(subscription),
      reference: remote.reference,
      state: remote.state,
      amount: amount ?? 0,
      currency,
      every: terms.every,
      count: terms.count,
      chargeAt: paidUntil,
      isEnding: state === "canceled",
      isOver: isOver || amount === undefined,
    };
  }

  /** The service refused, or could not be reached. */
  async #fail(
    { subscription, open }: Claimed,
    { kind, message, said = "" }: { kind: string; message: string; said?: string },
  ): Promise<void> {
    const deps = this.#deps;
    await deps.store.transact(async (tx) => {
      const present = await tx.get(subscriptions, subscription.id);
      if (present?.remote === undefined) return;
      const atMs = deps.clock.now();
      const failures = present.remote.failures + 1;
      const told = `${message} ${said}`.trim().slice(0, MAX_SAID);
      const remote = { ...present.remote, failures, said: told };
      if (kind !== "refused" || present.remote.reference !== "") {
        await tx.put(subscriptions, { ...present, remote, remoteDueAt: planRetry(failures, atMs) });
        return;
      }
      // It cannot be charged by itself: the buyer gets invoices.
      const by = `provider ${open.setup.word}`;
      const manual = withEvent(
        { ...present, way: "invoice", remote },
        { at: atMs, by, event: "manual", note: told },
      );
      await tx.put(subscriptions, { ...manual, remoteDueAt: undefined });
    });
  }

  async #store({ subscription, open }: Claimed, synced: SyncedSubscription): Promise<void> {
    const { store, clock } = this.#deps;
    await store.transact(async (tx) => {
      const present = await tx.get(subscriptions, subscription.id);
      if (present?.remote === undefined) return;
      const atMs = clock.now();
      const { reference, state, isOver } = synced;
      const remote = {
        ...present.remote,
        reference,
        state: { ...state },
        isOver,
        failures: 0,
        said: undefined,
      };
      const isTold = (present.remoteDueAt ?? 0) < (subscription.remoteDueAt ?? 0);
      const next = isTold ? present.remoteDueAt : undefined;
      await tx.put(subscriptions, {
        ...present,
        remote,
        remoteReference: reference === "" ? undefined : reference,
        remoteDueAt: next,
      });
      for (const period of synced.periods) await this.#book(tx, { id: present.id, open, period });
      const booked = (await tx.get(subscriptions, present.id)) ?? present;
      const isEndedThere = isOver && !(present.remote.isOver ?? false);
      const after = isEndedThere ? await this.#overThere(tx, booked, open.setup.word) : booked;
      const isLate = after.state === "past_due" || (after.open !== undefined && after.paidUntil <= atMs);
      if (isLate && !isOver && after.remoteDueAt === undefined)
        await tx.put(subscriptions, { ...after, remoteDueAt: atMs + ASK_AGAIN_MS });
    });
  }

  /** It ended at the service: someone canceled it there, or the service gave up. */
  async #overThere(tx: Tx, subscription: SubscriptionRecord, word: string): Promise<SubscriptionRecord> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    if (subscription.state !== "active") return subscription;
    const canceled: SubscriptionRecord = { ...subscription, state: "canceled", canceledAt: atMs };
    const noted = withEvent(canceled, { at: atMs, by: `provider ${word}`, event: "canceled" });
    const stored = await tx.put(subscriptions, noted);
    const first = await tx.get(orders, stored.orderId);
    if (first !== undefined)
      await mailRenewal(tx, deps, { kind: "renewal_canceled", subscription: stored, first });
    return stored;
  }

  /** The renewal that a charged period belongs to: the one that begins nearest; made now where there is none. */
  async #findRenewal(
    tx: Tx,
    id: string,
    from: number,
  ): Promise<{ renewal: RenewalRecord; subscription: SubscriptionRecord } | undefined> {
    const subscription = await tx.get(subscriptions, id);
    if (subscription === undefined) return undefined;
    const known = await listEvery(tx, renewals, { index: "bySubscription", range: { prefix: [id] } });
    const distance = (time: number): number => Math.abs(time - from);
    const [nearest] = known
      .filter(({ state }) => state !== "canceled" && state !== "unpaid")
      .toSorted((a, b) => distance(a.from) - distance(b.from));
    const isNext = nearest === undefined || distance(subscription.paidUntil) < distance(nearest.from);
    if (!isNext) return { renewal: nearest, subscription };
    if (subscription.open !== undefined || subscription.state === "ended") {
      const last = known.at(-1);
      return last && { renewal: last, subscription };
    }
    // Charged before the order was made.
    const made = await this.#orders.make(tx, subscription, { verdict: undefined });
    const open = await this.#orders.findOpen(tx, made);
    return open && { renewal: open.renewal, subscription: made };
  }

  async #book(
    tx: Tx,
    { id, open, period }: { id: string; open: OpenProvider; period: ChargedPeriod },
  ): Promise<void> {
    const deps = this.#deps;
    const provider = open.setup.word;
    const [payment] = period.notices;
    const known = payment && (await tx.by(notices, "byReference", [provider, payment.reference, "payment"]));
    if (known?.orderId !== undefined) {
      await this.#take(tx, { provider, orderId: known.orderId, period });
      return;
    }
    if (payment === undefined && !period.hasFailed) return;
    const found = await this.#findRenewal(tx, id, period.from);
    if (found === undefined) {
      if (payment !== undefined)
        await mailAdmin(tx, deps, {
          subject: `a payment of subscription ${id} has no renewal`,
          lines: [`${provider} charged ${payment.reference} for a subscription that ended. Refund it there.`],
        });
      return;
    }
    const { renewal, subscription } = found;
    if (payment !== undefined) await this.#take(tx, { provider, orderId: renewal.orderId, period });
    else if (renewal.state === "open")
      await this.#tellFailure(tx, { renewal, subscription, period, provider });
  }

  async #take(
    tx: Tx,
    { provider, orderId, period }: { provider: string; orderId: string; period: ChargedPeriod },
  ): Promise<void> {
    const order = await tx.get(orders, orderId);
    if (order !== undefined) await takeAsked(tx, this.#deps, { provider, order, notices: period.notices });
  }

  async #tellFailure(
    tx: Tx,
    about: {
      renewal: RenewalRecord;
      subscription: SubscriptionRecord;
      period: ChargedPeriod;
      provider: string;
    },
  ): Promise<void> {
    const deps = this.#deps;
    const { renewal, subscription, period, provider } = about;
    const { payUrl } = period;
    const atMs = deps.clock.now();
    if (renewal.failedAt !== undefined) {
      if (renewal.payUrl !== payUrl) await tx.put(renewals, { ...renewal, payUrl });
      return;
    }
    await tx.put(renewals, { ...renewal, payUrl, failedAt: atMs, updatedAt: atMs });
    const event = { at: atMs, by: `provider ${provider}`, event: "payment_failed" } as const;
    const stored = await tx.put(subscriptions, withEvent(subscription, { ...event, note: period.reference }));
    const first = await tx.get(orders, subscription.orderId);
    const order = await tx.get(orders, renewal.orderId);
    if (first !== undefined && order !== undefined)
      await mailRenewal(tx, deps, { kind: "renewal_failed", subscription: stored, first, order, payUrl });
  }
}
