/** Many orders at once, exports, and all that happened about one. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { readCsv } from "../../../src/kit/files/csv.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Result {
  readonly id: string;
  readonly result: string;
  readonly status?: string;
  readonly code?: string;
}
interface Item {
  readonly at: string;
  readonly kind: string;
  readonly what: string;
  readonly state?: string;
  readonly by?: string;
  readonly note?: string;
  readonly amount?: number;
}

const BULK = "/api/admin/orders/bulk";
const EXPORT = "/api/admin/orders/export";

let app: TestShop;
let productId: string;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  productId = (await addProduct(app, { onHand: 1_000, title: "=Mug", sku: "M-1" })).id;
});

async function place(isPaid: boolean): Promise<string> {
  const placed = (await order(app, [{ productId, quantity: 2 }])).order;
  app.clock.advance(1_000);
  if (isPaid) await sendNotice(app, toNotice(placed));
  return placed.id;
}

describe("POST /api/admin/orders/bulk", () => {
  it("moves each order by itself, and says what became of each", async () => {
    const paid = await place(true);
    const open = await place(false);
    const { items } = await read<{ items: Result[] }>(
      await app.admin("POST", BULK, { action: "deliver", ids: [open, paid, "ord_none"] }),
    );
    assert.deepEqual(
      items.map(({ id, result, status, code: refusal }) => [id, result, status ?? refusal]),
      [
        [open, "refused", "illegal_transition"],
        [paid, "done", "delivered"],
        ["ord_none", "refused", "not_found"],
      ],
    );
    const again = await read<{ items: Result[] }>(
      await app.admin("POST", BULK, { action: "cancel", ids: [open, paid], note: "sold out" }),
    );
    assert.deepEqual(
      again.items.map(({ result }) => result),
      ["done", "refused"],
    );
    const [mail] = await app.mails("ann@example.org");
    assert.match(mail?.text ?? "", /sold out/u);
    const audit = await (await app.admin("GET", "/api/admin/audit")).text();
    assert.equal(audit.match(/order\.deliver/gu)?.length, 1);
  });

  it("takes a hundred orders, each once, from administrators", async () => {
    assert.equal((await app.send("POST", BULK, { body: { action: "cancel", ids: ["x"] } })).status, 401);
    const ids = Array.from({ length: 101 }, (_, n) => `ord_${n}`);
    for (const body of [
      { action: "cancel", ids },
      { action: "cancel", ids: [] },
      { action: "cancel", ids: ["ord_1", "ord_1"] },
      { action: "refund", ids: ["ord_1"] },
    ])
      assert.deepEqual(await code(await app.admin("POST", BULK, body)), [422, "invalid"]);
  });
});

describe("POST /api/admin/orders/export", () => {
  it("writes CSV that no spreadsheet takes for formulas, with a byte order mark when it is wanted", async () => {
    const ids = [await place(true), await place(false)];
    const response = await app.admin("POST", EXPORT, { ids, bom: true });
    assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    const [head = "", first = "", second = "", last] = new TextDecoder().decode(bytes).split("\r\n");
    assert.match(head, /^number,id,createdAt,status/u);
    assert.ok(
      first.includes(`,${ids[0]},`) && first.includes(",paid,paid,") && first.includes(",20.00,"),
      first,
    );
    assert.ok(second.includes(",pending_payment,unpaid,"), second);
    assert.match(first, /2 × =Mug \(M-1\)/u);
    assert.equal(last, "");
    const plain = await (await app.admin("POST", EXPORT, { ids })).text();
    assert.equal(plain.startsWith("number,"), true);
  });

  it("writes where the goods go, and decimal commas with semicolons", async () => {
    const address = {
      name: "Jörg Öß",
      company: "Café; Co",
      line1: "Hauptstr. 1",
      line2: "2. Stock",
      city: "Köln",
      region: "NRW",
      postalCode: "01067",
      country: "DE",
      phone: "+49 30 1",
    };
    const placed = (await order(app, [{ productId, quantity: 1 }], { shippingAddress: address })).order;
    const rowsOf = async (body: object): Promise<(readonly string[])[]> => {
      const response = await app.admin("POST", EXPORT, { ids: [placed.id], ...body });
      const rows: (readonly string[])[] = [];
      for await (const { cells } of readCsv(new Uint8Array(await response.arrayBuffer())).rows)
        rows.push(cells);
      return rows;
    };
    const [head = [], cells = []] = await rowsOf({});
    const of = (column: string): string | undefined => cells[head.indexOf(column)];
    for (const [part, value] of Object.entries(address))
      assert.equal(of(`shipping${part.charAt(0).toUpperCase()}${part.slice(1)}`), value, part);
    assert.equal(of("total"), "10.00");
    const [, german = []] = await rowsOf({ bom: true, separator: "semicolon" });
    assert.equal(german[head.indexOf("total")], "10,00");
    assert.equal(german[head.indexOf("shippingCompany")], "Café; Co");
  });

  it("writes NDJSON in the order of the ids, or says which are not there", async () => {
    const ids = [await place(false), await place(false)].toReversed();
    const response = await app.admin("POST", EXPORT, { ids, format: "ndjson" });
    const lines = (await response.text()).trim().split("\n");
    const found = lines.map((line): unknown => JSON.parse(line));
    assert.deepEqual(
      found.map((one) => (one as { id: string }).id),
      ids,
    ); // what the line above has read
    const missing = await app.admin("POST", EXPORT, { ids: [...ids, "ord_none"] });
    assert.deepEqual(await code(missing), [404, "not_found"]);
    const many = Array.from({ length: 501 }, (_, n) => `ord_${n}`);
    assert.deepEqual(await code(await app.admin("POST", EXPORT, { ids: many })), [422, "invalid"]);
  });
});

describe("GET /api/admin/orders/{id}/timeline", () => {
  it("has history, notices and mails in one order, also a notice that was refused", async () => {
    const id = await place(true);
    await sendNotice(app, toNotice({ id, total: 7, currency: "EUR" }, { id: "second" }));
    app.clock.advance(1_000);
    await app.admin("POST", `/api/admin/orders/${id}/deliver`, { note: "by van" });
    app.clock.advance(1_000);
    await app.admin("POST", `/api/admin/orders/${id}/refund`, { amount: 500 });
    const { items } = await read<{ items: Item[] }>(
      await app.admin("GET", `/api/admin/orders/${id}/timeline`),
    );
    const told = items.map(({ kind, what, state = "" }) => `${kind} ${what} ${state}`.trim());
    for (const expected of [
      "history placed pending_payment",
      "mail order_placed waiting",
      "history pay paid",
      "payment_notice payment applied",
      "payment_notice payment needs_review",
      "history deliver delivered",
      "payment_notice refund applied",
      "mail order_refunded waiting",
    ])
      assert.ok(told.includes(expected), `${expected}\n${told.join("\n")}`);
    assert.deepEqual(
      items.map(({ at }) => at),
      items.map(({ at }) => at).toSorted(),
    );
    assert.equal(told[0], "history placed pending_payment");
    const refund = items.find(({ kind, what }) => kind === "payment_notice" && what === "refund");
    assert.deepEqual([refund?.by, refund?.amount], ["manual", 500]);
  });

  it("is for administrators, and of orders that there are", async () => {
    assert.equal((await app.send("GET", "/api/admin/orders/ord_none/timeline")).status, 401);
    const none = await app.admin("GET", "/api/admin/orders/ord_none/timeline");
    assert.deepEqual(await code(none), [404, "not_found"]);
  });
});
