/** What staff do in a day: correct addresses and items, write orders by phone, and give back single lines. */
import assert from "node:assert/strict";
import { read } from "../app-fixture.ts";
import type { Placed } from "./buyers.ts";
import type { DayShop } from "./day-shop.ts";

interface Order {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly total: number;
  readonly amountPaid: number;
  readonly amountRefunded: number;
  readonly attention: readonly string[];
  readonly lines: readonly { readonly id: string; readonly quantity: number; readonly refundable: number }[];
}

const address = { name: "Corrected", line1: "Street 2", city: "Town", postalCode: "12345", country: "DE" };

async function load({ app }: DayShop, { order }: Pick<Placed, "order">): Promise<Order> {
  return read(await app.admin("GET", `/api/admin/orders/${order.id}`));
}

/** Raises a quantity of a parcel that waits, and takes the rest of the payment. */
async function swap({ app }: DayShop, order: Order): Promise<void> {
  const path = `/api/admin/orders/${order.id}`;
  const [line] = order.lines;
  const lines = [{ lineId: line?.id, unitPrice: 1_234, reason: "agreed" }];
  const { total: expectedTotal } = await read<{ total: number }>(
    await app.admin("POST", `${path}/edit-preview`, { lines }),
  );
  const body = { version: order.version, lines, expectedTotal };
  const edited = await read<{ amountDue: number; attention: string[] }>(
    await app.admin("POST", `${path}/edit`, body),
  );
  if (edited.amountDue > 0)
    await read(await app.admin("POST", `${path}/mark-paid`, { reference: `rest ${order.id}` }));
}

/** Edits, drafts and refunds; resolves with how many of each. */
export async function correctSome(
  shop: DayShop,
  placed: readonly Placed[],
): Promise<{ edited: number; drafts: number; refunded: number }> {
  const { app, products } = shop;
  const counts = { edited: 0, drafts: 0, refunded: 0 };
  const paid = placed.filter(({ fate }) => fate === "paid");
  for (const one of paid) {
    const order = await load(shop, one);
    const isPlain = order.amountRefunded === 0 && order.attention.length === 0;
    if (!isPlain || order.status !== "paid") continue;
    const path = `/api/admin/orders/${order.id}`;
    if (counts.edited < 12) {
      counts.edited += 1;
      const body = {
        version: order.version,
        billingAddress: { ...address, name: `Corrected ${counts.edited}` },
      };
      await read(await app.admin("POST", `${path}/edit`, body));
      if (counts.edited % 2 === 0) await swap(shop, await load(shop, one));
      continue;
    }
    if (counts.refunded === 12) break;
    counts.refunded += 1;
    const [line] = order.lines;
    const lines = [{ lineId: line?.id, quantity: 1 }];
    await read(await app.admin("POST", `${path}/refund`, { lines, reference: `line ${order.id}` }));
  }
  for (const { id: productId, goods } of products
    .filter((product) => product.goods === "shipping")
    .slice(0, 9)) {
    assert.equal(goods, "shipping");
    const draft = await read<{ id: string; version: number; quoted: { total: number } }>(
      await app.admin("POST", "/api/admin/draft-orders", {
        email: `phone${counts.drafts}@example.org`,
        shippingAddress: address,
        items: [
          { productId, quantity: 1 },
          { title: "Gift wrap", quantity: 1, unitPrice: 300, taxClass: "reduced" },
        ],
        discount: { kind: "percent", value: 500, reason: "regular" },
      }),
      201,
    );
    const { version, quoted } = draft;
    const body = { version, expectedTotal: quoted.total, method: "cash", reference: `phone ${draft.id}` };
    const placedDraft = await read<{ id: string }>(
      await app.admin("POST", `/api/admin/draft-orders/${draft.id}/mark-paid`, body),
      201,
    );
    assert.ok(placedDraft.id.startsWith("ord_"));
    counts.drafts += 1;
  }
  return counts;
}
