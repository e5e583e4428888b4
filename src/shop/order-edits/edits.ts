/** Corrections of orders by administrators, and of shipping addresses by buyers. */
import { AppError } from "../../kit/errors.ts";
import type { RateLimit } from "../../kit/limits/rate-limit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toMailbox } from "../base/mailbox.ts";
import { giveCouponBack, retakeCoupon } from "../coupons/coupons.ts";
import { toGrantId } from "../files/grants.ts";
import { fileGrants } from "../files/records.ts";
import { type AdminMove, moveAsAdmin, toMoveNote } from "../fulfilment/admin-move.ts";
import { commitMove } from "../orders/effects.ts";
import { type MoveNote, type Moved, type OrderEffect, withHistory } from "../orders/order.ts";
import type { OrderAccess, Orders } from "../orders/orders.ts";
import { orders } from "../orders/records.ts";
import type { Address, OrderChange, OrderRecord } from "../orders/schema.ts";
import { readSite } from "../site/settings.ts";
import { listChanges } from "./changes.ts";
import { applyContact, assertLanguage, toPlaceKey } from "./contact.ts";
import { assertEditable } from "./rules.ts";
import type { WantedEdit } from "./schema.ts";

const DAY_MS = 86_400_000;
/** New shipping addresses of one order in a day by its buyer. */
const CHANGES_A_DAY = 5;

export interface AdminEdit extends AdminMove {
  readonly wanted: WantedEdit;
  readonly mail: boolean;
  readonly renewToken: boolean;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">;

interface Told extends MoveNote {
  readonly changes: readonly OrderChange[];
  readonly who?: string | undefined;
  readonly mail: boolean;
  readonly renewToken?: boolean;
}

/** The edited order with its entry in the history, and its effects. */
function toEdited(
  after: OrderRecord,
  { changes, who, mail, renewToken = false, by, atMs, note }: Told,
): Moved {
  const noted = withHistory(after, { at: atMs, by, event: "edited", note, who, changes: [...changes] });
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
  await giveCouponBack(tx, { box }, before);
  await retakeCoupon(tx, { box }, after);
  for (const { id } of after.lines) {
    const grant = await tx.get(fileGrants, toGrantId(after.id, id));
    if (grant !== undefined) await tx.put(fileGrants, { ...grant, emailLower: after.emailLower });
  }
  const openEmail = after.openEmail && box.mac(toMailbox(after.email), "open-email");
  return openEmail === undefined ? after : { ...after, openEmail };
}

async function getOrder(tx: ReadTx, id: string): Promise<OrderRecord> {
  const order = await tx.get(orders, id);
  if (order === undefined) throw new AppError("not_found", "There is no such order");
  return order;
}

function refuseAmounts(): never {
  throw new AppError(
    "conflict",
    "This change would change tax or shipping. Cancel the order and place a new one",
  );
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
  readonly #changes: RateLimit;

  constructor(deps: Deps, orderReads: Pick<Orders, "get">) {
    this.#deps = deps;
    this.#orders = orderReads;
    this.#changes = deps.limits.create("order-addresses", { limit: CHANGES_A_DAY, windowMs: DAY_MS });
  }

  /**
   * Corrects an order; its invoice follows in the same transaction.
   * @throws AppError `not_found`, `version_conflict`, `illegal_transition`, `invalid`, `conflict`
   */
  edit({ wanted, mail, renewToken, ...move }: AdminEdit): Promise<OrderRecord> {
    return moveAsAdmin(this.#deps, { ...move, action: "order.edit" }, async (tx, before) => {
      assertEditable(before);
      if (wanted.language !== before.language) assertLanguage(wanted.language, await readSite(tx));
      const after = applyContact(before, wanted);
      if (toPlaceKey(before) !== toPlaceKey(after)) refuseAmounts();
      const changes = listChanges(before, after);
      if (changes.length === 0 && !renewToken) refuseSame();
      const moved = await moveMailbox(tx, this.#deps, { before, after });
      const told = { ...toMoveNote(this.#deps, move), changes, who: move.actor.name, mail, renewToken };
      // The audit log is kept for good: it names the fields, and no addresses.
      const names = [...new Set(changes.map(({ field }) => field))];
      return { moved: toEdited(moved, told), changes: [...names, ...(renewToken ? ["token"] : [])] };
    });
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
