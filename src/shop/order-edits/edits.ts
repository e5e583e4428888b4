/** Corrections of orders by administrators, and of shipping addresses by buyers. */
import { AppError } from "../../kit/errors.ts";
import type { RateLimit } from "../../kit/limits/rate-limit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { toDecimal } from "../base/money.ts";
import { toMailbox } from "../base/mailbox.ts";
import { giveDiscountsBack, moveDiscounts, takeDiscounts } from "../coupons/coupons.ts";
import { toGrantId } from "../files/grants.ts";
import { fileGrants } from "../files/records.ts";
import { type AdminMove, moveAsAdmin, toMoveNote } from "../fulfilment/admin-move.ts";
import { settleEdited } from "../orders/balance.ts";
import { commitMove, settle, wakePayments } from "../orders/effects.ts";
import {
  type MoveNote,
  type Moved,
  type OrderEffect,
  amountDueOf,
  awaitsPayment,
  withAttention,
  withHistory,
  withoutAttention,
} from "../orders/order.ts";
import { toPaymentStatus } from "../orders/payment-status.ts";
import type { OrderAccess, Orders } from "../orders/orders.ts";
import { orders } from "../orders/records.ts";
import type { Address, OrderChange, OrderRecord } from "../orders/schema.ts";
import type { PaymentStarts } from "../payments/services/begin.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { VatChecks, VatVerdict } from "../tax/vat-checks.ts";
import { readSite } from "../site/settings.ts";
import { listChanges } from "./changes.ts";
import { applyContact, assertLanguage, toPlaceKey } from "./contact.ts";
import { assertTaxOpen, changesTax, findEditedVatId, isRetaxed, toRetaxed, withVatCheck } from "./retax.ts";
import { type Repriced, reprice } from "./reprice.ts";
import { assertEditable, assertItemsOpen } from "./rules.ts";
import { assertUnits, moveUnits } from "./units.ts";
import type { WantedEdit } from "./schema.ts";

const DAY_MS = 86_400_000;
/** New shipping addresses of one order in a day by its buyer. */
const CHANGES_A_DAY = 5;

export interface AdminEdit extends AdminMove {
  readonly wanted: WantedEdit;
  readonly mail: boolean;
  readonly renewToken: boolean;
  /** The total that was shown; undefined if the total must stay. */
  readonly expectedTotal?: number | undefined;
}

/** What an edit would do. */
export interface EditPreview extends Omit<Repriced, "isCouponLost"> {
  readonly before: OrderRecord;
  readonly changes: readonly OrderChange[];
  readonly isCouponLost: boolean;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">;

interface Told extends MoveNote {
  readonly changes: readonly OrderChange[];
  readonly who?: string | undefined;
  readonly mail: boolean;
  readonly renewToken?: boolean;
  readonly reasons?: string;
}

/** The edited order with its entry in the history, and its effects. */
function toEdited(
  after: OrderRecord,
  { changes, who, mail, renewToken = false, by, atMs, note, reasons = "" }: Told,
): Moved {
  const said = [note ?? "", reasons].filter((part) => part !== "").join(" · ") || undefined;
  const noted = withHistory(after, { at: atMs, by, event: "edited", note: said, who, changes: [...changes] });
  const effects: OrderEffect[] = [{ kind: "correct_invoice" }];
  if (mail) effects.push({ kind: "mail", mail: "order_edited", note, changes });
  return {
    order: renewToken ? { ...noted, tokenRenewals: (noted.tokenRenewals ?? 0) + 1 } : noted,
    effects,
  };
}

/** Moves what belongs to the buyer's mailbox to another one: use of a coupon, downloads, the count of unpaid orders. */
async function moveMailbox(
  tx: Tx,
  { box }: Pick<Deps, "box">,
  { before, after }: { readonly before: OrderRecord; readonly after: OrderRecord },
): Promise<OrderRecord> {
  if (before.emailLower === after.emailLower) return after;
  await giveDiscountsBack(tx, { box }, before);
  await takeDiscounts(tx, { box }, after);
  for (const { id } of after.lines) {
    const grant = await tx.get(fileGrants, toGrantId(after.id, id));
    if (grant !== undefined) await tx.put(fileGrants, { ...grant, emailLower: after.emailLower });
  }
  const openEmail = after.openEmail && box.lookup(toMailbox(after.email), "open-email");
  return openEmail === undefined ? after : { ...after, openEmail };
}

async function getOrder(tx: ReadTx, id: string): Promise<OrderRecord> {
  const order = await tx.get(orders, id);
  if (order === undefined) throw new AppError("not_found", "There is no such order");
  return order;
}

function refuseTotal({ total, currency }: OrderRecord, expectedTotal: number | undefined): never {
  const message = `The edit changes the total to ${toDecimal(total, currency)} ${currency}. Preview the edit, and send this total as expectedTotal`;
  throw new ShopError("price_changed", message, { details: { total, expectedTotal, currency } });
}

function isOpenPaid({ status }: OrderRecord): boolean {
  return status === "paid" || status === "fulfilling";
}

/** Whether an edit is about items or shipping. */
function hasItems({ lines = [], items = [], shipping }: WantedEdit): boolean {
  return lines.length + items.length > 0 || shipping !== undefined;
}

interface Planning {
  readonly box: ShopDeps["box"];
  readonly wanted: WantedEdit;
  readonly site: SiteSettings;
  readonly isPreview: boolean;
  /** What VIES says about another VAT ID. */
  readonly verdict: VatVerdict | undefined;
  readonly atMs: number;
}

/** What an edit makes of an order. @throws AppError as {@link OrderEdits.edit} does */
async function plan(
  tx: ReadTx,
  before: OrderRecord,
  { box, wanted, site, isPreview, verdict, atMs }: Planning,
): Promise<Repriced> {
  assertEditable(before);
  if (wanted.language !== before.language) assertLanguage(wanted.language, site);
  const contact = applyContact(before, wanted);
  const moved = isRetaxed(before, contact) ? toRetaxed(contact, site, verdict) : undefined;
  const retaxed = moved !== undefined && changesTax(before, contact, moved) ? moved : undefined;
  if (!hasItems(wanted) && retaxed === undefined) return { after: contact, isCouponLost: false, quotes: [] };
  await assertItemsOpen(tx, before);
  if (retaxed !== undefined) assertTaxOpen(before);
  const buyer = retaxed === undefined ? contact : withVatCheck(contact, retaxed, atMs);
  const repriced = await reprice(tx, buyer, { box, nowMs: atMs, site, wanted, isPreview, retaxed });
  const { after } = repriced;
  if (after.total === 0 && isOpenPaid(before) && before.total > 0)
    throw new AppError("conflict", "A paid order cannot become free. Refund it and cancel it instead");
  await assertUnits(tx, { before, after });
  return repriced;
}

/** The order with what it owes, or is owed, after its total changed. */
function toDue(order: OrderRecord): OrderRecord {
  const { total, amountPaid, amountRefunded } = order;
  const paymentStatus = toPaymentStatus({
    total,
    received: amountPaid + amountRefunded,
    refunded: amountRefunded,
  });
  const plain = {
    ...withoutAttention(order, "balance_due", "overpaid"),
    paymentStatus,
    balanceDue: undefined,
  };
  if (amountPaid >= total) {
    const paid = withoutAttention(plain, "underpaid", "payment_claim");
    return amountPaid > total ? withAttention(paid, "overpaid") : paid;
  }
  if (!isOpenPaid(order)) return plain;
  return { ...withAttention(plain, "balance_due"), balanceDue: total - amountPaid };
}

/** The history has the reasons for prices of their own, and the buyer's email has not. */
function withReasons(told: Told, { lines = [], items = [] }: WantedEdit): Told {
  const reasons = [...lines, ...items].flatMap(({ reason }) => reason ?? []);
  return { ...told, reasons: [...new Set(reasons)].join("; ") };
}

function refusePlace(field: "country" | "postalCode"): never {
  const message = "would change the tax or the shipping costs. Contact the shop to change the address";
  throw new AppError("invalid", `This ${field === "country" ? "country" : "postal code"} ${message}`, {
    errors: [{ pointer: `/shippingAddress/${field}`, code: "place", message }],
  });
}

/** An order with another address of its buyer. Throws `illegal_transition`, `invalid`, `conflict`. */
function toReaddressed(before: OrderRecord, shippingAddress: Address): OrderRecord {
  assertEditable(before);
  const after = applyContact(before, { shippingAddress });
  if (before.shippingAddress === undefined)
    throw new AppError("conflict", "Nothing in this order is shipped, so it has no shipping address");
  if (toPlaceKey(before) !== toPlaceKey(after))
    refusePlace(before.shippingAddress.country === shippingAddress.country ? "postalCode" : "country");
  return after;
}

function refuseSame(): never {
  throw new AppError("conflict", "The order already has these values. Nothing was changed");
}

/** Edits orders. */
export class OrderEdits {
  readonly #deps: Deps;
  readonly #orders: Pick<Orders, "get">;
  readonly #starts: PaymentStarts;
  readonly #vatChecks: VatChecks;
  readonly #changes: RateLimit;

  constructor(
    deps: Deps,
    parts: {
      readonly orders: Pick<Orders, "get">;
      readonly starts: PaymentStarts;
      readonly vatChecks: VatChecks;
    },
  ) {
    this.#deps = deps;
    this.#orders = parts.orders;
    this.#starts = parts.starts;
    this.#vatChecks = parts.vatChecks;
    this.#changes = deps.limits.create("order-addresses", { limit: CHANGES_A_DAY, windowMs: DAY_MS });
  }

  /** What an edit would do; stores nothing. Throws like `edit`. */
  async preview(id: string, wanted: WantedEdit): Promise<EditPreview> {
    const verdict = await this.#ask(id, wanted);
    const { box, clock } = this.#deps;
    const atMs = clock.now();
    return this.#deps.store.read(async (tx) => {
      const before = await getOrder(tx, id);
      const site = await readSite(tx);
      const planned = await plan(tx, before, { box, wanted, site, isPreview: true, verdict, atMs });
      return { ...planned, before, changes: listChanges(before, planned.after) };
    });
  }

  /**
   * Corrects an order; its invoice follows in the same transaction.
   * @throws AppError `not_found`, `version_conflict`, `illegal_transition`, `invalid`, `conflict`
   */
  async edit({ wanted, mail, renewToken, expectedTotal, ...move }: AdminEdit): Promise<OrderRecord> {
    const verdict = await this.#ask(move.id, wanted);
    const order = await moveAsAdmin(this.#deps, { ...move, action: "order.edit" }, async (tx, before) => {
      const site = await readSite(tx);
      const { box, clock } = this.#deps;
      const atMs = clock.now();
      const { after } = await plan(tx, before, { box, wanted, site, isPreview: false, verdict, atMs });
      if (after.total !== before.total && after.total !== expectedTotal) refuseTotal(after, expectedTotal);
      const changes = listChanges(before, after);
      if (changes.length === 0 && !renewToken) refuseSame();
      const moved = await moveMailbox(tx, this.#deps, { before, after });
      const told = { ...toMoveNote(this.#deps, move), changes, who: move.actor.name, mail, renewToken };
      await this.#commit(tx, { before, site, moved: toEdited(moved, withReasons(told, wanted)), ...told });
      // The audit log is kept for good: it names the fields, and no addresses.
      const names = [...new Set(changes.map(({ field }) => field))];
      return { changes: [...names, ...(renewToken ? ["token"] : [])] };
    });
    if (order.begun?.kind === "beginning") await this.#starts.begin(order.id);
    return order;
  }

  /** What VIES says about the VAT ID of an edit that changes the tax; asked before the transaction. */
  async #ask(id: string, wanted: WantedEdit): Promise<VatVerdict | undefined> {
    if ((wanted.vatId ?? "") === "" && wanted.billingAddress === undefined && wanted.country === undefined)
      return undefined;
    const found = await this.#deps.store.read(async (tx) => {
      const order = await tx.get(orders, id);
      return order && { order, site: await readSite(tx) };
    });
    if (found === undefined) return undefined;
    const { order, site } = found;
    const after = applyContact(order, wanted);
    const vatId = isRetaxed(order, after) ? findEditedVatId(after, site) : undefined;
    if (vatId === undefined) return undefined;
    return this.#vatChecks.check({ vatId, requester: site.seller.vatId });
  }

  /** Stores an edit with its units, its payments, and what it makes due. */
  async #commit(
    tx: Tx,
    { before, site, moved, by, atMs }: MoveNote & { before: OrderRecord; site: SiteSettings; moved: Moved },
  ): Promise<void> {
    const deps = this.#deps;
    const { order: after, effects } = moved;
    await moveUnits(tx, deps, { before, after });
    // Another mailbox has them already.
    if (before.emailLower === after.emailLower) await moveDiscounts(tx, deps, { before, after });
    if (after.total === before.total) {
      const isSwapped = after.lines !== before.lines && isOpenPaid(after);
      await (isSwapped && after.balanceDue === undefined
        ? settleEdited(tx, deps, { order: after, effects, by, atMs })
        : commitMove(tx, deps, moved));
      return;
    }
    const due = toDue(after);
    if (!awaitsPayment(due) || amountDueOf(due) === 0) {
      await wakePayments(tx, due);
      if (due.status !== "pending_payment") await settleEdited(tx, deps, { order: due, effects, by, atMs });
      else {
        const paid = await settle(tx, deps, { order: due, by: "system", atMs, note: "paid by an edit" });
        await commitMove(tx, deps, { order: paid, effects });
      }
      return;
    }
    await commitMove(tx, deps, { order: await this.#starts.replan(tx, due, site), effects });
  }

  /**
   * The buyer corrects the shipping address, in the same country.
   * @throws AppError `not_found`, `rate_limited`, `illegal_transition`, `invalid`, `conflict`
   */
  async changeAddress(id: string, access: OrderAccess, address: Address): Promise<void> {
    const { store, clock } = this.#deps;
    await this.#orders.get(id, access);
    await store.read(async (tx) => toReaddressed(await getOrder(tx, id), address));
    const { allowed, retryAfterSeconds } = this.#changes.hit(id);
    if (!allowed) {
      const message =
        "The shipping address was changed too often today. Try again later, or contact the shop";
      throw new AppError("rate_limited", message, { retryAfterSeconds });
    }
    await store.transact(async (tx) => {
      const before = await getOrder(tx, id);
      const after = toReaddressed(before, address);
      const changes = listChanges(before, after);
      if (changes.length === 0) return;
      const told = { by: "buyer", atMs: clock.now(), changes, mail: true };
      await commitMove(tx, this.#deps, toEdited(after, told));
    });
  }
}
