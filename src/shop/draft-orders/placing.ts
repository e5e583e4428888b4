/** A draft becomes an order, once: by staff (paid, or with an invoice that is paid later) or by the buyer of the link. */
import { writeAudit } from "../../records/audit.ts";
import { assertVersion } from "../../records/versions.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { addDays, startOfDay, toDay } from "../../kit/time/zone-days.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { assertHandedOver } from "../checkout/checkout.ts";
import { assertConsents } from "../checkout/consents.ts";
import { type Preview, toPreview } from "../checkout/preview.ts";
import { chooseMethod, toNewOrder } from "../checkout/to-order.ts";
import { takeDiscounts } from "../coupons/coupons.ts";
import { assertNotBlocked } from "../customers/identity.ts";
import { commitMove, settle } from "../orders/effects.ts";
import { mailOrder } from "../orders/mails.ts";
import { type Payment, toPayment } from "../orders/payment.ts";
import { orders } from "../orders/records.ts";
import type { OrderChange, OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { takeNotice } from "../payments/notices.ts";
import type { PaymentStarts } from "../payments/services/begin.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { reserve } from "../stock/stock.ts";
import type { VatVerdict } from "../tax/vat-checks.ts";
import type { Actor } from "../users/caller.ts";
import {
  type DraftOrders,
  type DraftPrices,
  assertOpen,
  assertTotal,
  listSince,
  refuseWithoutEmail,
  toContent,
} from "./drafts.ts";
import { isDraftToken } from "./link.ts";
import { toBuyer, toInput } from "./prices.ts";
import { draftOrders } from "./records.ts";
import type { DraftRecord, paidMethods } from "./schema.ts";

const HOUR_MS = 3_600_000;
/** After its due date an invoiced order waits this long before it expires. */
const GRACE_MS = 30 * 24 * HOUR_MS;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

interface Parts {
  readonly drafts: DraftOrders;
  readonly starts: PaymentStarts;
}

/** What staff looked at, and who they are. */
interface ByStaff {
  readonly id: string;
  readonly actor: Actor;
  readonly version: number;
  readonly expectedTotal: number;
  readonly note: string;
  readonly clientAddress: string;
}

/** A payment that came already. */
export interface PaidDraft extends ByStaff {
  readonly method: (typeof paidMethods)[number];
  readonly paidOn?: string | undefined;
  readonly reference?: string | undefined;
}

/** An order that is paid later, by its invoice. */
export interface InvoicedDraft extends ByStaff {
  readonly dueOn: string;
  readonly paymentMethod?: string | undefined;
}

/** The buyer's answer to a payment link. */
export interface AcceptedDraft {
  readonly number: string;
  readonly token: string;
  readonly version: number;
  readonly expectedTotal: number;
  readonly paymentMethod?: string | undefined;
  readonly consents?:
    | { readonly digitalContent?: boolean | undefined; readonly terms?: boolean | undefined }
    | undefined;
  readonly clientAddress: string;
}

/** A draft as its buyer sees it. */
export interface BuyersDraft {
  readonly draft: DraftRecord;
  /** Absent once it is an order. */
  readonly preview?: Preview | undefined;
  /** Since the shop sent the link. */
  readonly changes: readonly OrderChange[];
  /** The order that it became. */
  readonly order?: OrderRecord | undefined;
  readonly orderToken?: string | undefined;
}

export interface PlacedDraft {
  readonly order: OrderRecord;
  readonly orderToken: string;
  readonly payment: Payment | undefined;
  readonly isRepeat: boolean;
}

/** How the order is placed. */
interface Placing {
  readonly draft: DraftRecord;
  readonly prices: DraftPrices;
  readonly site: SiteSettings;
  readonly method: string;
  readonly expiresAt: number;
  readonly by: "admin" | "buyer";
  readonly who?: string | undefined;
  readonly clientAddress: string;
  readonly consents?: AcceptedDraft["consents"];
  readonly more?: Partial<Pick<OrderRecord, "dueAt" | "isQuiet" | "paidAt">>;
}

function refuseDay(pointer: string, message: string): never {
  throw new AppError("invalid", `The date ${message}`, { errors: [{ pointer, code: "invalid", message }] });
}

/** Noon of a day in the past, or now. Throws `invalid` for a day that is to come. */
function toPaidAt(paidOn: string | undefined, timeZone: string, nowMs: number): number {
  const today = toDay(nowMs, timeZone);
  if (paidOn === undefined || paidOn === today) return nowMs;
  if (paidOn > today) refuseDay("/paidOn", "must not be in the future");
  return startOfDay(paidOn, timeZone) + 12 * HOUR_MS;
}

/** The end of a day from today on. Throws `invalid`. */
function toDueAt(dueOn: string, timeZone: string, nowMs: number): number {
  const today = toDay(nowMs, timeZone);
  if (dueOn < today) refuseDay("/dueOn", "must not be in the past");
  if (dueOn > addDays(today, 365)) refuseDay("/dueOn", "must be within a year");
  return startOfDay(addDays(dueOn, 1), timeZone) - 1;
}

/** The new order: who placed it, of which draft, and with which discount. */
function toOrder({ draft, prices, method, expiresAt, by, who, consents, more }: Placing, nowMs: number) {
  const content = toContent(draft);
  const input = { ...toInput(content), consents };
  const keys = { openUser: undefined, openEmail: undefined, openAddress: undefined };
  const caller = toBuyer(content);
  const made = toNewOrder({ input, caller, priced: prices.priced, method, expiresAt, nowMs, keys });
  const { discount } = content;
  const isStaff = by === "admin";
  return Object.assign({}, made, more, {
    // Without the buyer's consent nothing is waived.
    lines: isStaff
      ? made.lines.map((line) =>
          line.withdrawal === "waived" ? { ...line, withdrawal: "open" as const } : line,
        )
      : made.lines,
    consents: isStaff ? undefined : made.consents,
    history: [{ at: nowMs, by, event: "placed", to: "pending_payment" as const, who }],
    ownDiscount: discount && { kind: discount.kind, value: discount.value },
    draftId: draft.id,
  });
}

/** Places orders of drafts. */
export class DraftPlacing {
  readonly #deps: Deps;
  readonly #drafts: DraftOrders;
  readonly #starts: PaymentStarts;

  constructor(deps: Deps, { drafts, starts }: Parts) {
    this.#deps = deps;
    this.#drafts = drafts;
    this.#starts = starts;
  }

  /**
   * Places a draft that was paid in another way, with its payment in the ledger.
   * @throws AppError `not_found`, `version_conflict`, `conflict`, `price_changed`, `invalid`, `out_of_stock`
   */
  markPaid(paid: PaidDraft): Promise<OrderRecord> {
    const { clock } = this.#deps;
    return this.#byStaff(paid, "draft_order.mark_paid", async (tx, found) => {
      const nowMs = clock.now();
      const paidAt = toPaidAt(paid.paidOn, found.site.timeZone, nowMs);
      const { total } = found.prices.quoted;
      const method = total === 0 ? "none" : paid.method;
      // Quiet: the buyer's first email is that of the payment, and confirms the contract.
      const more = { isQuiet: true, paidAt };
      const order = await this.#insert(tx, { ...found, method, expiresAt: nowMs, more });
      if (total === 0) return order;
      const { reference = newId("man", nowMs), note } = paid;
      const { id: claimedOrderId, currency } = order;
      const input = {
        providerRef: reference,
        claimedOrderId,
        type: "payment",
        amount: total,
        currency,
        paidAt,
      } as const;
      const arrived = {
        provider: "manual",
        eventId: `payment:${reference}`,
        verified: "admin",
        raw: note,
      } as const;
      const { result, reason } = await takeNotice(tx, this.#deps, { ...arrived, input, isForced: true });
      if (result === "duplicate")
        throw new AppError(
          "already_exists",
          `A payment with the reference "${reference}" was already recorded`,
        );
      if (result !== "applied") throw new AppError("conflict", reason);
      return (await tx.get(orders, order.id)) ?? order;
    });
  }

  /**
   * Places a draft with its invoice, which is paid until the due date.
   * @throws AppError as {@link markPaid}; `conflict` while the shop writes no invoices
   */
  async invoice(wanted: InvoicedDraft): Promise<OrderRecord> {
    const deps = this.#deps;
    const order = await this.#byStaff(wanted, "draft_order.invoice", async (tx, found) => {
      const { site, prices } = found;
      if (!site.invoices.enabled)
        throw new AppError(
          "conflict",
          "Invoices are disabled. Enable them in the settings, or send a payment link",
        );
      if (prices.quoted.total === 0)
        throw new AppError(
          "conflict",
          "There is nothing to pay, so there is no invoice. Mark the draft as paid",
        );
      const nowMs = deps.clock.now();
      const dueAt = toDueAt(wanted.dueOn, site.timeZone, nowMs);
      const { word: method } = chooseMethod(prices.priced, wanted.paymentMethod || undefined, nowMs);
      const made = { ...found, method, expiresAt: dueAt + GRACE_MS, more: { dueAt } };
      const placed = await this.#insert(tx, made);
      const effects = [{ kind: "invoice", on: "order" }] as const;
      const invoiced = await commitMove(tx, deps, { order: placed, effects, site });
      if (invoiced.begun === undefined) await this.#mailPlaced(tx, invoiced, site);
      return invoiced;
    });
    return (await this.#starts.begin(order.id)).order;
  }

  /** A draft for who has its link. Throws `not_found`, `link_expired`. */
  async open(number: string, token: string, clientAddress: string): Promise<BuyersDraft> {
    const { store, box } = this.#deps;
    const known = this.#admit(await this.#drafts.getByNumber(number), token);
    const verdict = await this.#drafts.ask(toContent(known), clientAddress);
    return store.read(async (tx) => {
      const draft = this.#admit((await tx.get(draftOrders, known.id)) ?? known, token);
      const order = draft.orderId === undefined ? undefined : await tx.get(orders, draft.orderId);
      if (order !== undefined) return { draft, order, orderToken: toOrderToken(box, order), changes: [] };
      const { priced, changes } = await this.#price(tx, draft, verdict);
      return { draft, changes, preview: await toPreview(tx, priced, { needsAccount: false, shares: [] }) };
    });
  }

  /**
   * The buyer places the order; once more gives the same order.
   * @throws AppError `not_found`, `link_expired`, `version_conflict` and `price_changed` with what changed,
   *   `invalid`, `out_of_stock`, `coupon_invalid`
   */
  async accept(accepted: AcceptedDraft): Promise<PlacedDraft> {
    const { store, box, clock } = this.#deps;
    const { number, token, version, clientAddress } = accepted;
    const known = this.#admit(await this.#drafts.getByNumber(number), token);
    const verdict = await this.#drafts.ask(toContent(known), clientAddress);
    const { order, isRepeat } = await store.transact(async (tx) => {
      const draft = this.#admit((await tx.get(draftOrders, known.id)) ?? known, token);
      const before = draft.orderId === undefined ? undefined : await tx.get(orders, draft.orderId);
      if (before !== undefined) return { order: before, isRepeat: true };
      const since = listSince(draft, version);
      if (since === undefined || since.length > 0) {
        const details = { currentVersion: draft.version, changes: since ?? [] };
        throw new AppError(
          "version_conflict",
          "The shop changed this order. Review the changes and try again",
          { details },
        );
      }
      const site = await readSite(tx);
      const prices = await this.#price(tx, draft, verdict, site);
      assertTotal(prices, accepted.expectedTotal);
      assertConsents(prices.priced, { ...toInput(toContent(draft)), consents: accepted.consents });
      const { word: method, expiresAt } = chooseMethod(prices.priced, accepted.paymentMethod, clock.now());
      const { consents } = accepted;
      const placing = {
        draft,
        prices,
        site,
        method,
        expiresAt,
        by: "buyer",
        clientAddress,
        consents,
      } as const;
      const placed = await this.#insert(tx, placing);
      if (placed.begun === undefined && placed.total > 0) await this.#mailPlaced(tx, placed, site);
      return { order: placed, isRepeat: false };
    });
    const begun = await this.#starts.begin(order.id);
    return {
      order: begun.order,
      payment: begun.payment,
      orderToken: toOrderToken(box, begun.order),
      isRepeat,
    };
  }

  /** A draft for who has the token of its last link. */
  #admit(draft: DraftRecord, token: string): DraftRecord {
    const { box, clock } = this.#deps;
    if (!isDraftToken(box, draft, token)) throw new AppError("not_found", "This draft order does not exist");
    const isOver = draft.link === undefined || draft.link.expiresAt <= clock.now();
    if (isOver)
      throw new ShopError("link_expired", "This payment link has expired. Ask the shop for a new one");
    return draft;
  }

  #price(
    tx: ReadTx,
    draft: DraftRecord,
    verdict: VatVerdict | undefined,
    site?: SiteSettings,
  ): Promise<DraftPrices> {
    const wanted = { content: toContent(draft), verdict, before: draft.quoted };
    return this.#drafts.price(tx, site === undefined ? wanted : { ...wanted, site });
  }

  async #byStaff(
    { id, actor, version, expectedTotal, note, clientAddress }: ByStaff,
    action: string,
    work: (tx: Tx, found: Omit<Placing, "method" | "expiresAt">) => Promise<OrderRecord>,
  ): Promise<OrderRecord> {
    const { store, clock } = this.#deps;
    const verdict = await this.#drafts.ask(toContent(await this.#drafts.get(id)), clientAddress);
    return store.transact(async (tx) => {
      const draft = await tx.get(draftOrders, id);
      if (draft === undefined) throw new AppError("not_found", `There is no draft order "${id}"`);
      assertOpen(draft);
      assertVersion(draft.version, { version }, "draft order");
      if (draft.email === undefined) refuseWithoutEmail();
      const site = await readSite(tx);
      const prices = await this.#price(tx, draft, verdict, site);
      assertTotal(prices, expectedTotal);
      const order = await work(tx, { draft, prices, site, by: "admin", who: actor.name, clientAddress });
      const changes = [
        `order: ${order.number}`,
        `total: ${order.total}`,
        ...(note === "" ? [] : [`note: ${note}`]),
      ];
      await writeAudit(tx, { actor, action, target: id, changes }, clock);
      return order;
    });
  }

  /** Stores the order with its units, its coupon and its payment, and notes it on the draft. */
  async #insert(tx: Tx, placing: Placing): Promise<OrderRecord> {
    const deps = this.#deps;
    const { draft, site, prices, clientAddress } = placing;
    const nowMs = deps.clock.now();
    const { lines } = prices.priced;
    assertHandedOver(lines);
    const made = toOrder(placing, nowMs);
    await assertNotBlocked(tx, deps.box, made);
    await reserve(tx, made.lines);
    const isOpen = made.total > 0 && made.paidAt === undefined;
    const begun = isOpen ? await this.#starts.plan(tx, made, { site, clientAddress }) : undefined;
    const order = await tx.insert(orders, begun === undefined ? made : { ...made, begun });
    await takeDiscounts(tx, deps, order);
    const { id: orderId, number: orderNumber } = order;
    await tx.put(draftOrders, { ...draft, state: "ordered", orderId, orderNumber, updatedAt: nowMs });
    if (order.total > 0) return order;
    return settle(tx, deps, { by: "system", atMs: nowMs, note: "nothing to pay", order });
  }

  #mailPlaced(tx: Tx, order: OrderRecord, site: SiteSettings): Promise<void> {
    const deps = this.#deps;
    const payUrl = toPayment(deps, order, site)?.url;
    const orderToken = toOrderToken(deps.box, order);
    return mailOrder(tx, deps, { kind: "order_placed", order, orderToken, site, payUrl });
  }
}
