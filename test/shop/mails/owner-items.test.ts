/** What the owner's mails about an order name: product, variant and number on the shelf. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestShop } from "../app-fixture.ts";
import { addProduct, order, sendNotice, setProvider, toNotice } from "../goods.ts";

describe("mails to the owner", () => {
  it("name what was ordered, in those of new orders and of what needs a look", async () => {
    const app = await createTestShop();
    await setProvider(app);
    await app.setSmtp({ adminAddress: "owner@example.org" });
    const variants = [{ id: "var_l", sku: "TEE-L", options: { size: "Large" }, price: 1_500 }];
    const { id: productId } = await addProduct(app, { title: "T-shirt", variants });
    const { order: placed } = await order(app, [{ productId, variantId: "var_l", quantity: 2 }]);
    await sendNotice(app, toNotice(placed));
    await sendNotice(app, toNotice(placed, { id: "once-more" }));
    const mails = await app.mails("owner@example.org");
    assert.deepEqual(mails.map(({ kind }) => kind).toSorted(), ["admin_attention", "new_order"]);
    for (const { kind, text } of mails) assert.match(text, /2 × T-shirt \(Large, TEE-L\)/u, kind);
  });
});
