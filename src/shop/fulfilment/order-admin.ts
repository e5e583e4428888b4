/** Orders as administrators move them. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { CONTENT_PURPOSE } from "../licence-keys/product-secret.ts";
import { handOverAutomatic, isAutomatic } from "../orders/delivery.ts";
import { allowedFrom } from "../orders/moves.ts";
import { changeShipment, withTracking } from "../orders/shipment.ts";
import { releaseHeld } from "../orders/vat-hold.ts";
import { renewToken, resolveFlags } from "../orders/flags.ts";
import {
  type MoveNote,
  amountDueOf,
  assertAwaitsPayment,
  assertDeliverable,
  cancelOrder,
  deliverOrder,
} from "../orders/order.ts";
import type { WantedRefund } from "../orders/refund-parts.ts";
import type { Attention, OrderLine, OrderRecord } from "../orders/schema.ts";
import type { NoticeRecord } from "../payments/schema.ts";
import { takeNotice } from "../payments/notices.ts";
import { dismissUnclear } from "../payments/unclear-refunds.ts";
import { readSite } from "../site/settings.ts";
import { assertNewRefund, planSplit, refundToCards } from "./card-refunds.ts";
import { type AdminMove, type AdminMoveDeps, type Done, moveAsAdmin, toMoveNote } from "./admin-move.ts";

/** Content delivered by a person. */
export interface DeliveryInput {
  /** All lines that wait, when absent. */
  readonly lines?: readonly { readonly lineId: string; readonly content?: string | undefined }[] | undefined;
  readonly shipment?: OrderRecord["shipment"];
}

/** Money that came or went back elsewhere. */
export interface MoneyInput {
  readonly amount?: number | undefined;
  readonly reference?: string | undefined;
}

/** Lines as handed over by a person. Throws `invalid` for lines that are not there or were handed over. */
function handOver(
  box: ShopDeps["box"],
  order: OrderRecord,
  { lines: asked, atMs }: DeliveryInput & { readonly atMs: number },
): OrderLine[] {
  const wrong = (asked ?? []).flatMap(({ lineId }, index) =>
    order.lines.some(({ id, deliveredAt }) => id === lineId && deliveredAt === undefined)
      ? []
      : [
          {
            pointer: `/lines/${index}/lineId`,
            code: "invalid",
            message: "is not an undelivered line of the order",
          },
        ],
  );
  if (wrong.length > 0) throw new AppError("invalid", "Some lines cannot be delivered", { errors: wrong });
  return order.lines.map((line) => {
    const wanted = asked?.find(({ lineId }) => lineId === line.id);
    const isMeant = asked === undefined ? !isAutomatic(line) : wanted !== undefined;
    if (!isMeant || line.deliveredAt !== undefined) return line;
    const content = wanted?.content;
    const sealedContent = content === undefined ? line.sealedContent : box.seal(content, CONTENT_PURPOSE);
    return { ...line, deliveredAt: atMs, sealedContent };
  });
}

function isUnsaid({ amount, lines, shipping }: WantedRefund): boolean {
  return amount === undefined && lines === undefined && shipping === undefined;
}

function refuseCreditNote(): never {
  throw new AppError(
    "invalid",
    "A credit note can be created here only for an open chargeback of the order",
    {
      errors: [{ pointer: "/creditNote", code: "invalid", message: "requires the flag chargeback" }],
    },
  );
}

/** The administrators' logic of orders; each move throws `not_found`, `version_conflict`. */
export class OrderAdmin {
  readonly #deps: AdminMoveDeps;

  constructor(deps: AdminMoveDeps) {
    this.#deps = deps;
  }

  /** Records a payment that came in another way. Throws `illegal_transition`, `already_exists`, `out_of_stock`. */
  markPaid(move: AdminMove & MoneyInput): Promise<OrderRecord> {
    return this.#move(move, "order.mark-paid", (tx, order) => {
      assertAwaitsPayment(order, { to: "paid", allowed: allowedFrom(order.status) });
      const amount = move.amount ?? amountDueOf(order);
      return this.#record(tx, order, { ...move, type: "payment", amount });
    });
  }

  /** Hands over lines; keys that were missing are looked for again. Throws `illegal_transition`, `invalid`. */
  deliver(move: AdminMove & DeliveryInput): Promise<OrderRecord> {
    return this.#move(move, "order.deliver", async (tx, order) => {
      assertDeliverable(order);
      const by = this.#by(move);
      const lines = handOver(this.#deps.box, order, { ...move, atMs: by.atMs });
      const goods = await handOverAutomatic(tx, this.#deps.box, { ...order, lines }, by.atMs);
      const { autoCompleteDays } = await readSite(tx);
      const shipment = move.shipment && withTracking({ ...move.shipment, shippedAt: by.atMs });
      const delivered = deliverOrder(order, { ...goods, ...by, autoCompleteDays, shipment });
      return { moved: delivered, changes: [`status: ${delivered.order.status}`] };
    });
  }

  /** Changes the shipment of an order, and notifies the buyer if requested. Throws `illegal_transition`. */
  ship(
    move: AdminMove & { shipment: NonNullable<OrderRecord["shipment"]>; mail: boolean },
  ): Promise<OrderRecord> {
    return this.#move(move, "order.shipment", (_tx, order) => {
      const { shipment, mail: isMailed } = move;
      const { carrier, trackingNumber } = shipment;
      return {
        moved: changeShipment(order, { ...this.#by(move), shipment, isMailed }),
        changes: [`carrier: ${carrier}`, `trackingNumber: ${trackingNumber}`],
      };
    });
  }

  /** Cancels; a paid order only after all its money was given back. Throws `illegal_transition`. */
  cancel(move: AdminMove): Promise<OrderRecord> {
    return this.#move(move, "order.cancel", (_tx, order) => ({
      moved: cancelOrder(order, this.#by(move)),
      changes: [`from: ${order.status}`],
    }));
  }

  /** Records money that was given back (all of it unless an amount or lines say). Throws `invalid`, `already_exists`. */
  refund(move: AdminMove & MoneyInput & WantedRefund): Promise<OrderRecord> {
    return this.#move(move, "order.refund", async (tx, order) => {
      await assertNewRefund(tx, order.id, move.reference);
      const wanted = isUnsaid(move) ? { amount: order.amountPaid } : move;
      const { planned, toCards, rest } = await planSplit(tx, order, wanted);
      const { amount } = planned;
      if (amount < 1 || amount > order.amountPaid) {
        throw new AppError(
          "invalid",
          `The amount is too high: ${order.amountPaid} can be refunded for this order`,
          {
            errors: [{ pointer: "/amount", code: "invalid", message: `must be 1 to ${order.amountPaid}` }],
          },
        );
      }
      const next = await refundToCards(tx, this.#deps, order, {
        ...toCards,
        reason: move.note,
        reference: move.reference,
      });
      if (rest.amount === 0) return { changes: [`amount: ${amount}`, "through: gift card"] };
      return this.#record(tx, next, { ...move, type: "refund", amount: rest.amount, parts: rest.parts });
    });
  }

  /** Replaces the order's token and mails the new one to the buyer. Throws `conflict` (nothing is mailed). */
  renewToken(move: AdminMove): Promise<OrderRecord> {
    return this.#move(move, "order.renew-token", (_tx, order) => ({
      moved: renewToken(order, this.#by(move)),
      changes: [],
    }));
  }

  /**
   * Clears flags that a person has reviewed; with `creditNote` a dispute is lost, and its amount is credited. Throws
   * `invalid` for a credit note without the flag of a dispute.
   */
  resolve(
    move: AdminMove & { flags: readonly Attention[]; creditNote?: boolean | undefined },
  ): Promise<OrderRecord> {
    const { creditNote: isCredited = false, flags } = move;
    return this.#move(move, "order.resolve", async (tx, order) => {
      if (isCredited && !(flags.includes("chargeback") && order.attention.includes("chargeback")))
        refuseCreditNote();
      if (flags.includes("refund_unclear")) await dismissUnclear(tx, order.id, this.#deps.clock.now());
      const by = this.#by(move);
      const { order: resolved, effects } = resolveFlags(order, { ...by, flags, isCredited });
      const check = { state: "valid", at: by.atMs } as const;
      const freed = flags.includes("vat_id")
        ? await releaseHeld(tx, this.#deps.box, resolved, { ...by, check })
        : { order: resolved, effects: [] };
      return {
        moved: { order: freed.order, effects: [...effects, ...freed.effects] },
        changes: [...flags, ...(isCredited ? ["credit note"] : [])],
      };
    });
  }

  #by(move: AdminMove): MoveNote {
    return toMoveNote(this.#deps, move);
  }

  #move(
    move: AdminMove,
    action: string,
    work: (tx: Tx, order: OrderRecord) => Done | Promise<Done>,
  ): Promise<OrderRecord> {
    return moveAsAdmin(this.#deps, { ...move, action }, work);
  }

  /** Adds an entry of an administrator to the ledger, and lets the rules for notices do the rest. */
  async #record(
    tx: Tx,
    order: OrderRecord,
    entry: MoneyInput & {
      type: "payment" | "refund";
      amount: number;
      note: string;
      parts?: NoticeRecord["parts"];
    },
  ): Promise<Done> {
    const { type, amount, reference = newId("man", this.#deps.clock.now()), note, parts } = entry;
    const input = {
      providerRef: reference,
      claimedOrderId: order.id,
      type,
      amount,
      currency: order.currency,
    };
    const arrived = {
      provider: "manual",
      eventId: `${type}:${reference}`,
      verified: "admin",
      raw: note,
      parts,
    } as const;
    const { result, reason } = await takeNotice(tx, this.#deps, { ...arrived, input, isForced: true });
    if (result === "duplicate")
      throw new AppError(
        "already_exists",
        `A ${type} with the reference "${reference}" was already recorded`,
      );
    if (result !== "applied") throw new AppError("conflict", reason);
    return { changes: [`amount: ${amount}`, `reference: ${reference}`] };
  }
}
