/** E-invoices over HTTP and by email: who gets them, how they open, and what invoices of earlier releases lack. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { MailMessage } from "../../../src/kit/mail/mail.ts";
import { invoices } from "../../../src/shop/invoices/collections.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, sendNotice, setProvider, toNotice } from "../goods.ts";
import { seller } from "./worked-invoices.ts";

const address = { name: "Ann", line1: "Street 1", city: "Berlin", postalCode: "10115", country: "DE" };
const company = { ...address, company: "Ann & Co" };

interface Placed {
  readonly order: { id: string; total: number; currency: string };
  readonly accessToken: string;
}
interface Document {
  readonly id: string;
  readonly pdfUrl: string;
  readonly xrechnungUrl?: string;
}

describe("e-invoices of the shop", () => {
  let app: TestShop;
  let sent: MailMessage[] = [];
  beforeEach(async () => {
    sent = [];
    const sender = {
      send: (message: MailMessage) => {
        sent.push(message);
        return Promise.resolve({ status: "sent" } as const);
      },
      close: () => undefined,
    };
    app = await createTestShop({ sender });
    await liftLimits(app);
    await setProvider(app);
    await addProduct(app, { id: "prd_mug", price: 1_190, deliveryType: "shipping" });
  });
  const set = (settings: object, sellers: object = {}): Promise<void> =>
    app.setSite({
      seller: sellerSchema.parse({ ...seller, ...sellers }),
      tax: taxSettingsSchema.parse({ enabled: true }),
      invoices: invoiceSettingsSchema.parse({ enabled: true, ...settings }),
    });
  const place = (fields: object = {}): Promise<Response> =>
    app.send("POST", "/api/checkout", {
      body: {
        items: [{ productId: "prd_mug", quantity: 1 }],
        contact: { email: "ann@example.org" },
        shippingAddress: company,
        ...fields,
      },
    });
  const pay = async (fields: object = {}): Promise<Placed> => {
    const placed = await read<Placed>(await place(fields), 201);
    assert.equal((await sendNotice(app, toNotice(placed.order))).status, 200);
    return placed;
  };
  const documents = async ({ order, accessToken }: Placed): Promise<readonly Document[]> => {
    const answer = await app.send("GET", `/api/orders/${order.id}/documents`, {
      headers: { "x-order-token": accessToken },
    });
    return (await read<{ items: Document[] }>(answer)).items;
  };
  const open = (url: string): Promise<Response> => app.fetch(url.replace("https://shop.example.org", ""));
  const print = (id: string, format: string): Promise<Response> =>
    app.admin("GET", `/api/admin/invoices/${id}/${format}`);
  const hasXml = async (response: Response): Promise<boolean> =>
    new TextDecoder("latin1").decode(await response.arrayBuffer()).includes("<fx:DocumentFileName>");

  it("are for no one, for companies, or for everyone, as the settings say", async () => {
    const isOne = async (settings: object, fields: object): Promise<readonly [boolean, boolean]> => {
      await set(settings);
      const [document = assert.fail()] = await documents(await pay(fields));
      return [document.xrechnungUrl !== undefined, await hasXml(await open(document.pdfUrl))];
    };
    const person = { shippingAddress: address };
    assert.deepEqual(await isOne({}, {}), [false, false]);
    assert.deepEqual(await isOne({ eInvoices: "companies" }, {}), [true, true]);
    assert.deepEqual(await isOne({ eInvoices: "companies" }, person), [false, false]);
    assert.deepEqual(await isOne({ eInvoices: "companies" }, { ...person, billingAddress: company }), [
      true,
      true,
    ]);
    assert.deepEqual(await isOne({ eInvoices: "always" }, person), [true, true]);
  });

  it("open as files for the buyer and for administrators, and credit notes follow their invoice", async () => {
    await set({ eInvoices: "companies" });
    const placed = await pay({ buyerReference: "991-33333TEST-33", orderReference: "PO 1" });
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { amount: 500 }));
    const [invoice = assert.fail(), note = assert.fail()] = await documents(placed);
    for (const [{ xrechnungUrl = "" }, root] of [
      [invoice, "<Invoice "],
      [note, "<CreditNote "],
    ] as const) {
      const response = await open(xrechnungUrl);
      assert.match(
        response.headers.get("content-disposition") ?? "",
        /^attachment; filename=".*-xrechnung\.xml"$/u,
      );
      assert.match(response.headers.get("content-type") ?? "", /^application\/xml/u);
      const xml = await response.text();
      assert.ok(xml.includes(root) && xml.includes("<cbc:BuyerReference>991-33333TEST-33<"));
      assert.ok(xml.includes("<cbc:ID>PO 1</cbc:ID>"));
    }
    assert.match(await (await print(invoice.id, "facturx")).text(), /<rsm:CrossIndustryInvoice /u);
    assert.match(await (await print(invoice.id, "html")).text(), /991-33333TEST-33[^]*PO 1/u);
    const order = await read<{ buyerReference: string; orderReference: string }>(
      await app.admin("GET", `/api/admin/orders/${placed.order.id}`),
    );
    assert.deepEqual([order.buyerReference, order.orderReference], ["991-33333TEST-33", "PO 1"]);
  });

  it("refuse a Leitweg-ID with wrong check digits, and take other references as they are", async () => {
    await set({ eInvoices: "companies" });
    const wrong = await place({ buyerReference: "991-33333TEST-34" });
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), /"pointer":"\/buyerReference"[^}]*wrong check digits for a Leitweg-ID/u);
    for (const buyerReference of ["Einkauf 7", "04011000-12345-03", ""])
      await read(await place({ buyerReference }), 201);
  });

  it("are left out where data are missing, with the reasons when they are asked for", async () => {
    await set({ eInvoices: "always" }, { phone: "" });
    const [half = assert.fail()] = await documents(await pay());
    assert.equal(await hasXml(await open(half.pdfUrl)), true);
    assert.equal(half.xrechnungUrl, undefined);
    const refused = await print(half.id, "xrechnung");
    assert.equal(refused.status, 409);
    const { detail, problems } = await refused.json();
    assert.match(
      detail,
      /^2026-00001 cannot become an XRechnung file\. The seller has no phone number \(BR-DE-6\)$/u,
    );
    assert.equal(problems.length, 1);
    await set({ eInvoices: "always" }, { vatId: "", taxNumber: "", register: "" });
    const [none = assert.fail()] = await documents(await pay());
    assert.equal(none.xrechnungUrl, undefined);
    assert.equal(await hasXml(await open(none.pdfUrl)), false);
    assert.deepEqual(await code(await print(none.id, "facturx")), [409, "conflict"]);
  });

  it("are not turned on before the seller can be reached", async () => {
    await set({}, { phone: "", email: "", postalCode: "", vatId: "", taxNumber: "" });
    const change = (): Promise<Response> =>
      app.admin("PATCH", "/api/admin/site", { invoices: { eInvoices: "companies" } });
    const refused = await change();
    assert.equal(refused.status, 422);
    const { errors } = await refused.json();
    assert.deepEqual(
      errors.map(({ pointer }: { pointer: string }) => pointer),
      ["/seller/postalCode", "/seller/phone", "/seller/email", "/seller/taxNumber"],
    );
    await set({});
    await read(await change());
  });

  it("keep invoices of earlier releases as they are, and write their files where the data suffice", async () => {
    await set({});
    const { order } = await pay();
    const id = `inv_${order.id}`;
    // As the previous release stored it.
    await app.store.transact(async (tx) => {
      const invoice: InvoiceRecord = (await tx.get(invoices, id)) ?? assert.fail();
      const { paymentMeans: _means, eInvoice: _mark, ...former } = invoice;
      const { contact: _contact, iban: _iban, electronicAddress: _address, ...sellers } = former.seller;
      await tx.put(invoices, {
        ...former,
        version: invoice.version,
        seller: sellers as InvoiceRecord["seller"],
      });
    });
    await set({ eInvoices: "always" });
    assert.equal(await hasXml(await print(id, "pdf")), false);
    const xml = await (await print(id, "xrechnung")).text();
    assert.match(xml, /<cbc:ID>2026-00001<\/cbc:ID>[^]*<cbc:PaymentMeansCode name="Test">1</u);
    assert.match(xml, /<cac:Contact>\s*<cbc:Name>Müller &amp; Söhne GmbH</u);
  });

  it("go with the emails where the settings say so: the PDF, and XRechnung for who named a reference", async () => {
    const listFiles = async (): Promise<readonly string[]> => {
      await app.shop.deps.outbox.deliver();
      const files: string[] = [];
      for (const { attach } of sent.splice(0))
        for (const { name, content } of (await attach?.()) ?? [])
          files.push(`${name} ${new TextDecoder("latin1").decode(content.subarray(0, 5))}`);
      return files;
    };
    await set({ eInvoices: "companies" });
    await pay();
    assert.deepEqual(await listFiles(), []);
    await set({ eInvoices: "companies", attachEInvoices: true });
    await pay();
    assert.deepEqual(await listFiles(), ["2026-00002.pdf %PDF-"]);
    const { order } = await pay({ buyerReference: "Einkauf 7" });
    assert.deepEqual(await listFiles(), ["2026-00003.pdf %PDF-", "2026-00003-xrechnung.xml <?xml"]);
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, { amount: 500 }));
    assert.deepEqual(await listFiles(), ["C2026-00001.pdf %PDF-", "C2026-00001-xrechnung.xml <?xml"]);
    await pay({ shippingAddress: address });
    assert.deepEqual(await listFiles(), []);
  });
});
