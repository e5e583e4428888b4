/** Parcels: what lies in them, and how they are followed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, sendNotice, setProvider, toNotice } from "../goods.ts";

const shippingAddress = {
  name: "Ann",
  line1: "Street 1",
  city: "Berlin",
  postalCode: "10115",
  country: "DE",
};

describe("parcels", () => {
  it("have a slip without prices, and can be corrected, which notifies the buyer", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = (await addProduct(app, { id: "prd_mug", deliveryType: "shipping" })).id;
    const book = (await addProduct(app, { id: "prd_book", title: "Book" })).id;
    const place = async (): Promise<{ order: { id: string; total: number; currency: string } }> =>
      read(
        await app.send("POST", "/api/checkout", {
          body: {
            items: [mug, book].map((productId) => ({ productId, quantity: 1 })),
            contact: { email: "Ann@Example.org" },
            consents: { digitalContent: true },
            note: "ring twice",
            shippingAddress,
          },
        }),
        201,
      );
    const placed = await place();
    assert.equal((await sendNotice(app, toNotice(placed.order))).status, 200);
    const path = `/api/admin/orders/${placed.order.id}`;
    const shipment = { carrier: "DHL", trackingNumber: "JD01" };
    await read(await app.admin("POST", `${path}/deliver`, { shipment }));
    const corrected = await read<{ shipment: Record<string, string> }>(
      await app.admin("POST", `${path}/shipment`, { shipment: { ...shipment, trackingNumber: "JD02" } }),
    );
    assert.match(corrected.shipment["trackingUrl"] ?? "", /JD02$/u);
    assert.ok(corrected.shipment["shippedAt"] !== undefined);
    const [mail] = await app.mails("Ann@Example.org");
    assert.equal(mail?.kind, "order_shipped");
    assert.match(mail?.text ?? "", /JD02/u);
    const slip = await app.admin("GET", `${path}/packing-slip/html`);
    const text = await slip.text();
    for (const word of ["Mug", "JD02", "ring twice", "Street 1"]) assert.ok(text.includes(word), word);
    assert.ok(!text.includes("EUR") && !text.includes("Book"), "no price, nothing that is not sent");
    const pdf = await app.admin("GET", `${path}/packing-slip/pdf`);
    assert.equal(pdf.headers.get("content-type"), "application/pdf");
    const unpaid = await place();
    const early = app.admin("POST", `/api/admin/orders/${unpaid.order.id}/shipment`, { shipment });
    assert.deepEqual(await code(await early), [409, "illegal_transition"]);
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const gone = app.send("GET", "/api/admin/orders/ord_none/packing-slip/pdf", { headers });
    assert.deepEqual(await code(await gone), [404, "not_found"]);
  });
});
