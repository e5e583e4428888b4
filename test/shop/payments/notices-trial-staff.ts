/** Steps of staff in a trial: drafts, edits, and refunds by line, each done to the shop and to its model. */
import assert from "node:assert/strict";
import { AppError } from "../../../src/kit/errors.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { draftContentSchema } from "../../../src/shop/draft-orders/schema.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type PlainShop, actor } from "../plain-shop.ts";
import { editOrder, editedLines, totalOf } from "./notices-model-edits.ts";
import type { ShopModel } from "./notices-model.ts";
import type { ModelOrder } from "./notices-model-records.ts";
import type { DraftStep, EditStep, LineRefundStep } from "./notices-steps.ts";
import { goods, priceOf } from "./notices-trial-goods.ts";

const DAY_MS = 86_400_000;
const DUE_DAYS = 10;
/** After its due date an invoiced order waits this long. */
const GRACE_DAYS = 30;

interface Sides {
  readonly app: PlainShop;
  readonly model: ShopModel;
  readonly both: (real: () => Promise<unknown>, modelled: () => void) => Promise<string>;
}

function pick({ model }: Sides, number: number): ModelOrder | undefined {
  const all = model.state.orders;
  return all[number % Math.max(1, all.length)];
}

export async function doDraft(sides: Sides, { items, isInvoiced }: DraftStep, at: number): Promise<string> {
  const { app, model, both } = sides;
  const lines = items.map(([product, quantity]) => {
    const stockId = goods[product % goods.length]?.id ?? "";
    return { stockId, quantity, unitPrice: priceOf(stockId), delivered: false };
  });
  const total = totalOf(lines);
  const by = { actor, clientAddress: "", note: "" };
  const content = draftContentSchema.parse({
    email: `draft${at}@example.org`,
    items: lines.map(({ stockId: productId, quantity }) => ({ productId, quantity })),
  });
  const draft = await app.shop.draftOrders.create(content, by, "");
  const known = { ...by, id: draft.id, version: draft.version, expectedTotal: total };
  const reference = `cash${at}`;
  const dueDay = Math.floor(model.nowMs / DAY_MS) + DUE_DAYS;
  const dueOn = new Date(dueDay * DAY_MS).toISOString().slice(0, 10);
  let placed: OrderRecord | undefined;
  return both(
    async () => {
      const { draftPlacing } = app.shop;
      placed = isInvoiced
        ? await draftPlacing.invoice({ ...known, dueOn })
        : await draftPlacing.markPaid({ ...known, method: "cash", reference });
    },
    () => {
      // An invoice over nothing is refused.
      if (isInvoiced && total === 0) model.refuse("conflict");
      const id = placed?.id ?? "none";
      const paidMethod = total === 0 ? "none" : "cash";
      const dueAt = (dueDay + 1) * DAY_MS - 1;
      model.place({
        id,
        number: placed?.number ?? "none",
        total,
        lines,
        isInvoiced,
        method: isInvoiced ? (placed?.paymentMethod ?? "") : paidMethod,
        expiresAt: isInvoiced ? dueAt + GRACE_DAYS * DAY_MS : model.nowMs,
      });
      if (!isInvoiced && total > 0)
        model.record(model.order(id), { type: "payment", ref: reference, amount: total });
    },
  );
}

export async function doEdit(sides: Sides, step: EditStep): Promise<string> {
  const { app, model, both } = sides;
  const one = pick(sides, step.order);
  if (one === undefined) return "nothing";
  const stored = await app.store.read((tx) => tx.get(orders, one.id));
  const lineId = stored?.lines[step.line % stored.lines.length]?.id ?? assert.fail(one.id);
  const { quantity, unitPrice } = step;
  const change = { lineId, quantity, unitPrice, reason: unitPrice === undefined ? undefined : "agreed" };
  const expectedTotal = totalOf(editedLines(one, step));
  const edit = { wanted: { lines: [change] }, mail: true, renewToken: false, expectedTotal };
  return both(
    () => app.shop.orderEdits.edit({ id: one.id, actor, note: "", ...edit }),
    () => editOrder(model, model.order(one.id), step),
  );
}

/** What one unit of a line cost, where nothing was given back before; unknown after other refunds. */
function expectRefund(order: ModelOrder, line: ModelOrder["lines"][number]): number | "invalid" | undefined {
  const paid = order.received - order.refunded;
  if (paid > order.total) return "invalid";
  if (order.refunded > 0 || paid < order.total) return undefined;
  return line.unitPrice === 0 ? "invalid" : line.unitPrice;
}

export async function doLineRefund(sides: Sides, step: LineRefundStep, at: number): Promise<string> {
  const { app, model, both } = sides;
  const one = pick(sides, step.order);
  const line = one?.lines[step.line % one.lines.length];
  if (one === undefined || line === undefined) return "nothing";
  const stored = (await app.store.read((tx) => tx.get(orders, one.id))) ?? assert.fail(one.id);
  const lineId = stored.lines[step.line % stored.lines.length]?.id ?? assert.fail(one.id);
  const expected = expectRefund(one, line);
  const ref = `line${at}`;
  const paid = one.received - one.refunded;
  let refused: string | undefined;
  let amount = 0;
  return both(
    async () => {
      try {
        const wanted = { lines: [{ lineId, quantity: 1 }], reference: ref };
        const after = await app.shop.orderAdmin.refund({ id: one.id, actor, note: "", ...wanted });
        amount = paid - after.amountPaid;
      } catch (error) {
        if (error instanceof AppError) refused = error.code;
        throw error;
      }
    },
    () => {
      if (expected !== undefined) assert.equal(refused ?? amount, expected, `a unit of ${lineId}`);
      if (refused !== undefined) {
        assert.equal(refused, "invalid");
        model.refuse("invalid");
      }
      // Never more than the line is worth.
      assert.ok(amount > 0 && amount <= line.quantity * line.unitPrice, `${amount} of ${lineId}`);
      model.refund(model.order(one.id), { ref, amount });
    },
  );
}
