/** Actions of administrators on an order other than moves: notes, resending emails, replacing keys, restocking. */
import { toOrderTemplate } from "../site/page-urls.ts";
import { writeAudit } from "../../records/audit.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import { fillTemplate } from "../../kit/text/placeholders.ts";
import type { Tx } from "../../store/store.ts";
import { ShopError } from "../base/errors.ts";
import { toAddress } from "../mails/mails.ts";
import { countReturnable, nameLine, replaceKey } from "../orders/delivery.ts";
import { type RepeatedMail, listRepeatable } from "../orders/mails.ts";
import { type MoveNote, type Moved, isQuiet, withHistory } from "../orders/order.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { orders } from "../orders/records.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import { mailLowStock } from "../stock/low-stock.ts";
import { putBack, takeSpare } from "../stock/stock.ts";
import { type AdminMove, type AdminMoveDeps, moveAsAdmin, toMoveNote } from "./admin-move.ts";

/** Entries of a history beyond which no notes are kept: there has to be room for what money does. */
const MAX_NOTES = 150;
/** Where the buyer's page is while the settings name no other. */

/** Units of a line that went back to the shelf. */
export interface ReturnedUnits {
  readonly lineId: string;
  readonly quantity: number;
}

/** Throws `invalid` for lines that are not there, and for more units than can go back. */
function assertReturnable(order: OrderRecord, units: readonly ReturnedUnits[]): void {
  const errors = units.flatMap(({ lineId, quantity }, index): FieldError[] => {
    const line = order.lines.find(({ id }) => id === lineId);
    const most = line === undefined ? 0 : countReturnable(order, line);
    if (quantity <= most) return [];
    const message = most === 0 ? "is not a line with restockable items" : `must be at most ${most}`;
    return [{ pointer: `/lines/${index}/${most === 0 ? "lineId" : "quantity"}`, code: "invalid", message }];
  });
  if (errors.length > 0) throw new AppError("invalid", "Some units cannot be restocked", { errors });
}

/** Puts units back, and says so on the order. */
async function restock(
  tx: Tx,
  order: OrderRecord,
  { units, ...by }: MoveNote & { readonly units: readonly ReturnedUnits[] },
): Promise<Moved> {
  assertReturnable(order, units);
  const back = new Map(units.map(({ lineId, quantity }) => [lineId, quantity]));
  await putBack(
    tx,
    order.lines.flatMap((line) => {
      const quantity = back.get(line.id);
      return quantity === undefined ? [] : [{ ...line, quantity }];
    }),
  );
  const lines = order.lines.map((line) => {
    const quantity = back.get(line.id) ?? 0;
    return quantity === 0 ? line : { ...line, returned: (line.returned ?? 0) + quantity };
  });
  const what = lines.flatMap((line) =>
    back.has(line.id) ? [`${back.get(line.id)} × ${nameLine(line)}`] : [],
  );
  const note = [what.join(", "), by.note ?? ""].filter((text) => text !== "").join(": ");
  const noted = withHistory(order, { at: by.atMs, by: by.by, event: "restocked", note });
  return { order: { ...noted, lines }, effects: [] };
}

/** The line with a key at `index`. Throws `invalid`. */
function getKeyed(order: OrderRecord, { lineId, index }: { lineId: string; index: number }): OrderLine {
  const line = order.lines.find(({ id }) => id === lineId);
  if (line?.secretIds[index] !== undefined) return line;
  const pointer = line === undefined ? "/lineId" : "/index";
  throw new AppError("invalid", "The order does not have this license key", {
    errors: [{ pointer, code: "invalid", message: "is not a license key of the order" }],
  });
}

/** The administrators' care of orders; each call throws `not_found`, `version_conflict`. */
export class OrderCare {
  readonly #deps: AdminMoveDeps;

  constructor(deps: AdminMoveDeps) {
    this.#deps = deps;
  }

  /** Keeps a note that no buyer sees. Throws `conflict` when there are too many. */
  note(move: AdminMove): Promise<OrderRecord> {
    return moveAsAdmin(this.#deps, { ...move, action: "order.note" }, (_tx, order) => {
      if (order.history.length >= MAX_NOTES)
        throw new AppError("conflict", "The history of this order is full. Notes can no longer be added");
      const { by, atMs, note } = toMoveNote(this.#deps, move);
      const noted = withHistory(order, { at: atMs, by, event: "note", note });
      return { moved: { order: noted, effects: [] }, changes: [] };
    });
  }

  /** Restocks units. Throws `invalid`, `conflict` (the stock is no longer tracked). */
  restock(move: AdminMove & { readonly lines: readonly ReturnedUnits[] }): Promise<OrderRecord> {
    const { lines: units } = move;
    return moveAsAdmin(this.#deps, { ...move, action: "order.restock" }, async (tx, order) => ({
      moved: await restock(tx, order, { ...toMoveNote(this.#deps, move), units }),
      changes: units.map(({ lineId, quantity }) => `${lineId}: ${quantity}`),
    }));
  }

  /** Sends a mail once more, as it would read now. Throws `conflict` for one that says what is not so, or that is switched off. */
  repeatMail(move: AdminMove & { readonly mail: RepeatedMail }): Promise<OrderRecord> {
    const { mail } = move;
    return moveAsAdmin(this.#deps, { ...move, action: "order.mail" }, async (tx, order) => {
      if (isQuiet(order))
        throw new AppError("conflict", "No emails are sent for this order before it is paid");
      if (!listRepeatable(order).includes(mail))
        throw new AppError(
          "conflict",
          `This email is not available for an order with the status ${order.status}`,
        );
      if (!(await readSmtp(tx)).notify[mail])
        throw new AppError("conflict", "This email is disabled in the mail settings");
      const { by, atMs, note } = toMoveNote(this.#deps, move);
      const noted = withHistory(order, { at: atMs, by, event: "mail_repeated", note: mail });
      return { moved: { order: noted, effects: [{ kind: "mail", mail, note }] }, changes: [`mail: ${mail}`] };
    });
  }

  /** Replaces a license key, which is never issued again. Throws `invalid`, `out_of_stock`. */
  replaceKey(
    move: AdminMove & { readonly lineId: string; readonly index: number; readonly mail: boolean },
  ): Promise<OrderRecord> {
    return moveAsAdmin(this.#deps, { ...move, action: "order.replace-key" }, async (tx, order) => {
      const { index, mail } = move;
      const line = getKeyed(order, move);
      const { by, atMs, note } = toMoveNote(this.#deps, move);
      const moves = await takeSpare(tx, line);
      const replaced = await replaceKey(tx, this.#deps.box, { orderId: order.id, line, index, atMs });
      if (replaced === undefined)
        throw new ShopError("out_of_stock", "The product has no available license keys. Add some first");
      await mailLowStock(tx, this.#deps, moves);
      const said = [nameLine(line), note ?? ""].filter((text) => text !== "").join(": ");
      const noted = withHistory(order, { at: atMs, by, event: "key_replaced", note: said });
      const lines = order.lines.map((one) => (one.id === line.id ? replaced : one));
      const kind =
        order.status === "delivered" || order.status === "completed" ? "order_delivered" : "order_paid";
      return {
        moved: { order: { ...noted, lines }, effects: mail ? [{ kind: "mail", mail: kind, note }] : [] },
        changes: [`line: ${line.id}`, `key: ${line.secretIds[index] ?? ""}`],
      };
    });
  }

  /** Where the buyer sees the order without a sign-in; recorded in the audit log, because the URL gives the rights of the buyer. */
  link({ id, actor }: Pick<AdminMove, "id" | "actor">): Promise<string> {
    const { store, clock, box, publicUrl } = this.#deps;
    return store.transact(async (tx) => {
      const order = await tx.get(orders, id);
      if (order === undefined) throw new AppError("not_found", "There is no such order");
      const template = toOrderTemplate(await readSite(tx));
      await writeAudit(tx, { actor, action: "order.link", target: id }, clock);
      const values = { orderId: id, number: order.number, token: toOrderToken(box, order) };
      return toAddress(publicUrl, fillTemplate(template, values));
    });
  }
}
