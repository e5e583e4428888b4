/** Invoices and credit notes: when they are written, what they say, who reads them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, sendNotice, setProvider, toNotice } from "../goods.ts";

const seller = sellerSchema.parse({
  name: "Müller & Söhne",
  line1: "Hauptstraße 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "DE123456789",
});
const address = { name: "Ann", line1: "Street 1", city: "Berlin", postalCode: "10115", country: "DE" };

interface Placed {
  readonly order: { id: string; number: string; total: number; currency: string };
  readonly accessToken: string;
}
type Shown = Pick<
  InvoiceRecord,
  "id" | "kind" | "number" | "total" | "tax" | "vatId" | "notes" | "corrects" | "lines"
>;
interface Document extends Shown {
  readonly pdfUrl: string;
  readonly htmlUrl: string;
}

describe("invoices", () => {
  let app: TestShop;
  let mug: string;
  let book: string;
  const set = (invoices: object, tax: object = {}): Promise<void> =>
    app.setSite({
      seller,
      tax: taxSettingsSchema.parse({ enabled: true, ...tax }),
      invoices: invoiceSettingsSchema.parse({ enabled: true, ...invoices }),
    });
  beforeEach(async () => {
    app = await createTestShop();
    await setProvider(app);
    await set({});
    mug = (await addProduct(app, { id: "prd_mug", price: 1_190, deliveryType: "shipping" })).id;
    book = (await addProduct(app, { id: "prd_book", title: "Book", price: 1_070, taxClass: "reduced" })).id;
  });
  const place = async (fields: object = {}): Promise<Placed> =>
    read(
      await app.send("POST", "/api/checkout", {
        body: {
          items: [mug, book].map((productId) => ({ productId, quantity: 1 })),
          contact: { email: "Ann@Example.org" },
          shippingAddress: address,
          consents: { digitalContent: true },
          ...fields,
        },
      }),
      201,
    );
  const pay = async (fields: object = {}): Promise<Placed> => {
    const placed = await place(fields);
    assert.equal((await sendNotice(app, toNotice(placed.order))).status, 200);
    return placed;
  };
  const refund = async ({ order }: Placed, amount: number): Promise<void> => {
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, { amount }));
  };
  const list = async (query = ""): Promise<Shown[]> =>
    (await read<{ items: Shown[] }>(await app.admin("GET", `/api/admin/invoices${query}`))).items;
  const documents = async ({ order, accessToken }: Placed): Promise<Document[]> => {
    const answer = await app.send("GET", `/api/orders/${order.id}/documents`, {
      headers: { "x-order-token": accessToken },
    });
    return (await read<{ items: Document[] }>(answer)).items;
  };
  const open = (address_: string): Promise<Response> =>
    app.fetch(address_.replace("https://shop.example.org", ""));

  it("are written with the payment: number, seller, buyer, lines, tax by rate", async () => {
    const unpaid = await place();
    assert.deepEqual(await documents(unpaid), []);
    const { order } = await pay({ billingAddress: { ...address, name: "Ann's firm" } });
    const [invoice = assert.fail()] = await list();
    assert.deepEqual(
      [invoice.kind, invoice.number, invoice.total, invoice.lines.length],
      ["invoice", "2026-00001", 2_260, 2],
    );
    assert.deepEqual(invoice.tax, {
      amount: 260,
      shipping: 0,
      rates: [
        { kind: "taxed", country: "DE", rate: 1_900, net: 1_000, tax: 190, gross: 1_190 },
        { kind: "taxed", country: "DE", rate: 700, net: 1_000, tax: 70, gross: 1_070 },
      ],
    });
    const shown = await read<Record<string, unknown>>(
      await app.admin("GET", `/api/admin/orders/${order.id}`),
    );
    assert.equal(shown["invoiceNumber"], "2026-00001");
  });

  it("are written with the whole delivery where the settings say so, once", async () => {
    await set({ issueOn: "delivery" });
    const { order } = await pay();
    assert.deepEqual(await list(), []);
    const path = `/api/admin/orders/${order.id}/deliver`;
    const { lines } = await read<{ lines: { id: string }[] }>(
      await app.admin("GET", `/api/admin/orders/${order.id}`),
    );
    await read(await app.admin("POST", path, { lines: [{ lineId: lines[0]?.id }] }));
    assert.deepEqual(await list(), []);
    await read(await app.admin("POST", path, {}));
    assert.deepEqual(
      (await list()).map(({ number }) => number),
      ["2026-00001"],
    );
  });

  it("are not written for nothing, nor while they are off", async () => {
    await app.setSite({ freeGuestOrders: true });
    const gift = (await addProduct(app, { id: "prd_gift", price: 0 })).id;
    await place({ items: [{ productId: gift, quantity: 1 }] });
    await app.setSite({ invoices: invoiceSettingsSchema.parse({}) });
    await pay();
    assert.deepEqual(await list(), []);
  });

  it("are corrected by credit notes with numbers of their own, in parts and to the last unit", async () => {
    const placed = await pay();
    await refund(placed, 1_000);
    await refund(placed, 1_260);
    const all = await list(`?orderId=${placed.order.id}`);
    const [whole = assert.fail(), part = assert.fail(), invoice = assert.fail()] = all;
    assert.deepEqual(
      [part, whole].map(({ kind, number, total }) => [kind, number, total]),
      [
        ["credit_note", "C2026-00001", 1_000],
        ["credit_note", "C2026-00002", 1_260],
      ],
    );
    assert.equal(part.corrects?.number, "2026-00001");
    assert.equal((part.tax?.amount ?? 0) + (whole.tax?.amount ?? 0), invoice.tax?.amount);
    invoice.tax?.rates.forEach((row, index) => {
      const given = [part, whole].map(({ tax }) => tax?.rates[index]?.gross ?? 0);
      assert.equal(given[0] === undefined ? 0 : given[0] + (given[1] ?? 0), row.gross);
    });
  });

  it("stay valid while a dispute may be won, and are credited once a person marks it as lost", async () => {
    const { order } = await pay();
    const resolve = (body: object): Promise<Response> =>
      app.admin("POST", `/api/admin/orders/${order.id}/resolve`, body);
    const lost = { flags: ["chargeback"], note: "the bank decided", creditNote: true };
    assert.deepEqual(await code(await resolve(lost)), [422, "invalid"]);
    await sendNotice(app, toNotice(order, { id: "dispute", status: "chargeback" }));
    assert.deepEqual(await list("?kind=credit_note"), []);
    assert.deepEqual(await code(await resolve({ ...lost, flags: ["underpaid"] })), [422, "invalid"]);
    await read(await resolve(lost));
    assert.deepEqual(
      (await list("?kind=credit_note")).map(({ total, corrects }) => [total, corrects?.number]),
      [[order.total, (await list("?kind=invoice"))[0]?.number]],
    );
    assert.deepEqual(await code(await resolve(lost)), [422, "invalid"]);
  });

  it("credit notes count on where they share the invoices' series, and not what was paid too much", async () => {
    await set({ creditNotes: "same" });
    const placed = await place();
    await sendNotice(app, toNotice(placed.order, { amount: placed.order.total + 500 }));
    await refund(placed, 500);
    assert.deepEqual(
      (await list()).map(({ number }) => number),
      ["2026-00001"],
    );
    await refund(placed, 10);
    assert.deepEqual(
      (await list("?kind=credit_note")).map(({ number, total }) => [number, total]),
      [["2026-00002", 10]],
    );
  });

  it("say why no tax is charged: to a business abroad, and by a small one", async () => {
    await set({}, { vatIds: "checked" });
    const billingAddress = { ...address, country: "FR", company: "Atelier SARL" };
    const abroad = { vatId: "fr 40 303 265 045", billingAddress, shippingAddress: billingAddress };
    await pay(abroad);
    const [invoice = assert.fail()] = await list();
    assert.equal(invoice.vatId, "FR40303265045");
    assert.deepEqual(
      invoice.tax?.rates.map(({ kind }) => kind).toSorted((a, b) => (a < b ? -1 : 1)),
      ["intra_community", "reverse_charge"],
    );
    assert.deepEqual([invoice.total, invoice.tax?.amount, invoice.notes.length], [2_000, 0, 2]);
    await set({}, { smallBusiness: true });
    await pay();
    assert.match((await list())[0]?.notes[0] ?? "", /§ 19 UStG/u);
  });

  it("put tax on top of net prices, and the order says both", async () => {
    await set({}, { pricesIncludeTax: false });
    const { order } = await pay();
    assert.equal(order.total, 2_260 + 226 + 75);
    assert.match(
      (await app.mails()).find(({ kind }) => kind === "order_paid")?.text ?? "",
      /VAT: €3\.01\nTotal: €25\.61/u,
    );
    const shown = await read<{
      tax: { amount: number };
      pricesIncludeTax: boolean;
      lines: { tax: number }[];
    }>(await app.admin("GET", `/api/admin/orders/${order.id}`));
    assert.deepEqual(
      [shown.tax.amount, shown.pricesIncludeTax, shown.lines.map(({ tax }) => tax)],
      [301, false, [226, 75]],
    );
  });

  it("open for the buyer: a list by the order's token, addresses that open by themselves until it is renewed", async () => {
    const placed = await pay();
    const [invoice = assert.fail()] = await documents(placed);
    const page = await open(invoice.htmlUrl);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/u);
    assert.match(await page.text(), /Müller &amp; Söhne/u);
    const [first, second] = [await open(invoice.pdfUrl), await open(invoice.pdfUrl)];
    assert.equal(first.headers.get("content-type"), "application/pdf");
    const bytes = new Uint8Array(await first.arrayBuffer());
    assert.deepEqual(bytes, new Uint8Array(await second.arrayBuffer()));
    assert.equal(new TextDecoder().decode(bytes.subarray(0, 5)), "%PDF-");
    const path = `/api/orders/${placed.order.id}/documents`;
    assert.deepEqual(await code(await app.send("GET", path)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await app.send("GET", path, { as: "bob" })), [404, "not_found"]);
    assert.deepEqual(await code(await open(invoice.pdfUrl.replace("/it_", "/it_x"))), [404, "not_found"]);
    await app.send("POST", `/api/orders/${placed.order.id}/renew-token`, {
      headers: { "x-order-token": placed.accessToken },
    });
    assert.deepEqual(await code(await open(invoice.pdfUrl)), [404, "not_found"]);
  });

  it("are linked in the mail of the payment, and credit notes in that of the refund", async () => {
    const placed = await pay();
    await refund(placed, 100);
    for (const [kind, id] of [
      ["order_paid", `inv_${placed.order.id}`],
      ["order_refunded", `crn_${placed.order.id}_1`],
    ]) {
      const mail = (await app.mails()).find((one) => one.kind === kind);
      const found =
        /https:\/\/shop\.example\.org(\/api\/documents\/\S+\/pdf)/u.exec(mail?.text ?? "")?.[1] ?? "";
      assert.ok(found.includes(`/${id}/`), kind);
      assert.equal((await open(found)).status, 200);
    }
  });

  it("are found by number, order and address, and exported with the sign of bookkeeping", async () => {
    const placed = await pay();
    await refund(placed, 226);
    await pay({ contact: { email: "=bob@example.org" }, billingAddress: { ...address, name: "=1+1" } });
    assert.equal((await list("?q=2026-00002")).length, 1);
    assert.equal((await list(`?q=${placed.order.number}`)).length, 2);
    assert.equal((await list("?q=ann@example.ORG")).length, 2);
    assert.equal((await list("?from=2100-01-01T00:00:00Z")).length, 0);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/invoices?q=a&kind=invoice")), [
      400,
      "bad_request",
    ]);
    assert.deepEqual(await code(await app.send("GET", "/api/admin/invoices")), [401, "unauthenticated"]);
    const answer = await app.admin("GET", "/api/admin/invoices/export");
    const rows = (await answer.text())
      .trimEnd()
      .split("\r\n")
      .map((row) => row.split(","));
    assert.equal(rows.length, 1 + 2 + 2 + 2);
    const [columns = []] = rows;
    const sums = ["net", "tax", "gross"].map((name) =>
      rows.slice(1).reduce((sum, row) => sum + Math.round(Number(row[columns.indexOf(name)]) * 100), 0),
    );
    assert.equal(sums[2], 2 * 2_260 - 226);
    assert.ok(rows.some((row) => row[columns.indexOf("gross")] === "11.90"));
    assert.ok(rows.some((row) => row[columns.indexOf("taxRate")] === "19"));
    assert.equal((sums[0] ?? 0) + (sums[1] ?? 0), sums[2]);
    assert.ok(rows.some((row) => row.includes("'=1+1")));
    const [invoice = assert.fail()] = await list();
    for (const format of ["html", "pdf"])
      assert.equal((await app.admin("GET", `/api/admin/invoices/${invoice.id}/${format}`)).status, 200);
    assert.deepEqual(await code(await app.admin("GET", `/api/admin/invoices/${invoice.id}/docx`)), [
      422,
      "invalid",
    ]);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/invoices/inv_none")), [404, "not_found"]);
  });

  it("are exported for the one-stop shop: by quarter, country and rate, corrections of earlier quarters apart", async () => {
    await set({}, { destination: "buyer" });
    const abroad = (country: string) => ({ shippingAddress: { ...address, country } });
    const austrian = await pay(abroad("AT"));
    await pay(abroad("AT"));
    await pay(abroad("FR"));
    await pay({});
    await pay(abroad("US"));
    const dayMs = 86_400_000;
    await refund(austrian, 1_190);
    app.clock.advance(90 * dayMs);
    await pay(abroad("AT"));
    await refund(austrian, 1_070);
    const answer = await app.admin("GET", "/api/admin/invoices/export?layout=oss&separator=semicolon");
    const [head, ...rows] = (await answer.text()).trimEnd().split("\r\n");
    assert.equal(head, "period;corrects;country;rate;currency;net;tax;gross;documents");
    assert.deepEqual(rows, [
      "2026-Q1;;AT;10;EUR;14,34;1,43;15,77;3",
      "2026-Q1;;AT;20;EUR;14,62;2,91;17,53;3",
      "2026-Q1;;FR;5,5;EUR;10,14;0,56;10,70;1",
      "2026-Q1;;FR;20;EUR;9,92;1,98;11,90;1",
      "2026-Q2;;AT;10;EUR;9,73;0,97;10,70;1",
      "2026-Q2;;AT;20;EUR;9,92;1,98;11,90;1",
      "2026-Q2;2026-Q1;AT;10;EUR;-4,61;-0,46;-5,07;1",
      "2026-Q2;2026-Q1;AT;20;EUR;-4,70;-0,93;-5,63;1",
    ]);
  });

  it("are exported with the column names of DATEV", async () => {
    const placed = await pay({ billingAddress: { ...address, name: "=1+1" } });
    await refund(placed, 1_190);
    const answer = await app.admin("GET", "/api/admin/invoices/export?layout=datev&separator=comma");
    assert.match(answer.headers.get("content-disposition") ?? "", /"datev\.csv"/u);
    const rows = (await answer.text())
      .trimEnd()
      .split("\r\n")
      .map((row) => row.split(";"));
    assert.equal(rows.length, 1 + 2 + 2);
    const { number } = placed.order;
    assert.deepEqual(rows.at(-2), [
      ...["11,90", "S", "EUR", "", "", "31.01.2026", "2026-00001", number, "'=1+1"],
      ...["DE", "19", "steuerpflichtig", "10,00", "1,90"],
    ]);
    assert.deepEqual(
      rows.slice(1).map(([amount, side, , , , , document]) => [amount, side, document]),
      [
        ["6,27", "H", "C2026-00001"],
        ["5,63", "H", "C2026-00001"],
        ["11,90", "S", "2026-00001"],
        ["10,70", "S", "2026-00001"],
      ],
    );
  });

  it("need settings that make a lawful invoice, and formats that cannot give a number twice", async () => {
    const change = (body: object): Promise<Response> => app.admin("PATCH", "/api/admin/site", body);
    for (const body of [
      { seller: { country: "" } },
      { seller: { name: "" } },
      { seller: { vatId: "DE1" } },
      { invoices: { format: "R{year}" } },
      { invoices: { format: "{number}-{number}" } },
      { invoices: { format: "R{number}" } },
      { invoices: { format: "<b>{year}{number}" } },
      { invoices: { creditFormat: "{year}-{number:5}" } },
      { shipping: { methods: [{ id: "a", title: "A", steps: [] }] } },
      { tax: { rates: [{ country: "DE", taxClass: "standard", basisPoints: 19.5 }] } },
    ])
      assert.deepEqual(await code(await change(body)), [422, "invalid"], JSON.stringify(body));
    await read(await change({ invoices: { format: "R{yy}/{number:3}", firstNumber: 41 } }));
    await pay();
    assert.equal((await list())[0]?.number, "R26/041");
  });
});
