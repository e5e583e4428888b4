/** What administrators do for an order beside its moves. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { stock } from "../../../src/shop/products/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { readSmtp } from "../../../src/shop/site/settings.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import {
  type GoodsOptions,
  addProduct,
  liftLimits,
  order,
  sendNotice,
  setProvider,
  toNotice,
} from "../goods.ts";

interface View {
  readonly status: string;
  readonly version: number;
  readonly lines: { id: string; returned?: number; delivered?: string[] }[];
  readonly history: { event: string; note?: string }[];
}

const EMAIL = "ann@example.org";
let app: TestShop;
let placed: OrderRecord;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
});

async function place(goods: GoodsOptions = {}, quantity = 3): Promise<void> {
  const product = await addProduct(app, goods);
  placed = (await order(app, [{ productId: product.id, quantity }], { userId: "usr_ann" })).order;
}

async function pay(): Promise<void> {
  assert.equal((await sendNotice(app, toNotice(placed))).status, 200);
}

const admin = (move: string, body: object = {}): Promise<Response> =>
  app.admin("POST", `/api/admin/orders/${placed.id}/${move}`, body);
const stockOf = async (): Promise<unknown[]> => {
  const record = await app.store.read((tx) => tx.get(stock, placed.lines[0]?.stockId ?? ""));
  return [record?.onHand, record?.reserved, record?.sold];
};
const firstLine = (): string => placed.lines[0]?.id ?? "";

describe("units that come back", () => {
  it("go back to the stock, each once, also when the order is canceled after that", async () => {
    await place();
    const back = (quantity: number): object => ({
      lines: [{ lineId: firstLine(), quantity }],
      note: "unopened",
    });
    assert.deepEqual(await code(await admin("restock", back(1))), [422, "invalid"]);
    await pay();
    assert.deepEqual(await stockOf(), [7, 0, 3]);
    const view = await read<View>(await admin("restock", back(1)));
    assert.equal(view.lines[0]?.returned, 1);
    assert.deepEqual(view.history.at(-1)?.note, "1 × Mug: unopened");
    assert.deepEqual(await stockOf(), [8, 0, 2]);
    assert.deepEqual(await code(await admin("restock", back(3))), [422, "invalid"]);
    assert.equal((await admin("refund", { amount: 3_000 })).status, 200);
    assert.equal((await read<View>(await admin("cancel"))).status, "canceled");
    assert.deepEqual(await stockOf(), [10, 0, 0]);
    assert.deepEqual(await code(await admin("restock", back(1))), [422, "invalid"]);
  });

  it("go back after they were delivered, and the packing slip of what waits leaves them out", async () => {
    await place();
    await pay();
    const path = `/api/admin/orders/${placed.id}/packing-slip/html`;
    await admin("restock", { lines: [{ lineId: firstLine(), quantity: 1 }] });
    assert.match(await (await app.admin("GET", path)).text(), />2</u);
    await admin("deliver");
    await admin("restock", { lines: [{ lineId: firstLine(), quantity: 2 }] });
    assert.deepEqual(await stockOf(), [10, 0, 0]);
  });

  it("are products: a key that was seen stays with the order", async () => {
    await place({ keys: ["KEY-1", "KEY-2"] }, 1);
    await pay();
    const body = { lines: [{ lineId: firstLine(), quantity: 1 }] };
    assert.deepEqual(await code(await admin("restock", body)), [422, "invalid"]);
    assert.deepEqual(await code(await admin("restock", { lines: [] })), [422, "invalid"]);
    const stale = await admin("restock", { ...body, version: 1 });
    assert.deepEqual(await code(stale), [409, "version_conflict"]);
  });
});

describe("a licence key that does not work", () => {
  it("is replaced by a free one, which the buyer is mailed", async () => {
    await place({ keys: ["KEY-1", "KEY-2", "KEY-3"] }, 2);
    await pay();
    const view = await read<View>(
      await admin("replace-key", { lineId: firstLine(), index: 0, note: "used" }),
    );
    assert.deepEqual(view.lines[0]?.delivered, ["KEY-3", "KEY-2"]);
    assert.deepEqual(await stockOf(), [0, 0, 2]);
    const [mail] = await app.mails(EMAIL);
    assert.match(mail?.text ?? "", /KEY-3/u);
    const again = await admin("replace-key", { lineId: firstLine(), index: 1 });
    assert.deepEqual(await code(again), [409, "out_of_stock"]);
    assert.deepEqual(await code(await admin("replace-key", { lineId: firstLine(), index: 2 })), [
      422,
      "invalid",
    ]);
    assert.deepEqual(await code(await admin("replace-key", { lineId: "lin_0", index: 0 })), [422, "invalid"]);
  });

  it("is not replaced by one that is promised to another order", async () => {
    await place({ id: "prd_keys", keys: ["KEY-1", "KEY-2"] }, 1);
    await pay();
    await order(app, [{ productId: "prd_keys" }], { email: "bob@example.org" });
    const refused = await admin("replace-key", { lineId: firstLine(), index: 0 });
    assert.deepEqual(await code(refused), [409, "out_of_stock"]);
  });
});

describe("a note", () => {
  it("is shown in the history to administrators only", async () => {
    await place();
    const view = await read<View>(await admin("note", { note: " rang up " }));
    assert.deepEqual(view.history.at(-1)?.note, "rang up");
    const seen = await read<View>(await app.send("GET", `/api/orders/${placed.id}`, { as: "ann" }));
    assert.ok(seen.history.every(({ event }) => event !== "note"));
    assert.deepEqual(await code(await admin("note", { note: " " })), [422, "invalid"]);
  });
});

describe("a mail once more", () => {
  it("is one that says what is so now", async () => {
    await place();
    await admin("repeat-mail", { mail: "order_placed" });
    const mails = await app.mails(EMAIL);
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ["order_placed", "order_placed"],
    );
    assert.match(mails[0]?.text ?? "", /pay\.example\.org/u);
    assert.deepEqual(await code(await admin("repeat-mail", { mail: "order_delivered" })), [409, "conflict"]);
    const { notify } = await app.store.read(readSmtp);
    await app.setSmtp({ notify: { ...notify, order_placed: false } });
    assert.deepEqual(await code(await admin("repeat-mail", { mail: "order_placed" })), [409, "conflict"]);
  });
});

describe("the buyer's page", () => {
  it("is opened by the address that an administrator asks for, which the audit notes", async () => {
    await place();
    const { url } = await read<{ url: string }>(
      await app.admin("POST", `/api/admin/orders/${placed.id}/link`),
    );
    const token = new URL(url).searchParams.get("token") ?? "";
    const seen = await app.send("GET", `/api/orders/${placed.id}`, { headers: { "x-order-token": token } });
    assert.equal(seen.status, 200);
    assert.match(await (await app.admin("GET", "/api/admin/audit")).text(), /order\.link/u);
    assert.equal((await app.send("POST", `/api/admin/orders/${placed.id}/link`)).status, 401);
    assert.deepEqual(await code(await app.admin("POST", "/api/admin/orders/ord_0/link")), [404, "not_found"]);
  });
});

describe("what a search finds", () => {
  it("is exported as a table", async () => {
    await place();
    const response = await app.admin("GET", "/api/admin/orders/search/export?q=mug");
    assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
    assert.match(await response.text(), new RegExp(placed.number, "u"));
    const none = await (await app.admin("GET", "/api/admin/orders/search/export?q=lamp")).text();
    assert.equal(none.trim().split("\r\n").length, 1);
  });
});
