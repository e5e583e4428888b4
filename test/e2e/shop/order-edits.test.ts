/** Orders that are corrected: by the seller in the console, and by the buyer on the order page. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { createOrderRoom } from "./order-room.ts";

describe("edits of orders", () => {
  const room = createOrderRoom();
  const dialogOf = (page: Page): Locator => page.getByRole("dialog");

  for (const width of [1_440, 390])
    it(`correct an address after the payment, and compare another's edit, ${width} pixels wide`, async ({
      name,
    }) => {
      const { mug } = room.goods();
      const placed = await room.order([{ productId: mug }]);
      await room.notify(placed);
      const path = `/api/admin/orders/${placed.id}`;
      await room.page({ name, viewport: { width, height: 900 } }, async ({ page, allow }) => {
        allow(/409 \(Conflict\)/u);
        await signIn(page, `/admin/orders/${placed.id}`);
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name: "Edit contact and addresses" }).click();
        const dialog = dialogOf(page).first();
        await dialog.getByLabel("Street address").first().fill("Harbour Road 70");
        await dialog.getByLabel("Buyer’s note").fill("third floor");
        const { version } = await room.admin<{ version: number }>("GET", path);
        await room.admin("POST", `${path}/edit`, { version, buyersNote: "ring twice", mail: false });
        await dialog.getByRole("button", { name: "Save", exact: true }).click();
        const compared = dialogOf(page).last();
        await compared.getByText("ring twice").waitFor();
        await compared.getByRole("button", { name: "Use mine" }).click();
        await compared.getByRole("button", { name: "Save result" }).click();
        await page.getByText("Order edited").first().waitFor();
        await dialog.waitFor({ state: "detached" });
      });
      const { shippingAddress, note } = await room.admin<{
        shippingAddress: { line1: string };
        note: string;
      }>("GET", path);
      assert.deepEqual([shippingAddress.line1, note], ["Harbour Road 70", "third floor"]);
      const { url } = await room.admin<{ url: string }>("POST", `${path}/link`);
      await room.page(
        { name: `${name} buyer`, viewport: { width, height: 900 } },
        async ({ page, allow }) => {
          allow(/422 \(Unprocessable/u);
          await page.goto(url);
          await page.getByText("Change address").click();
          await page.getByLabel("Street address").fill("");
          await page.getByRole("button", { name: "Save address" }).click();
          await page.getByLabel("Street address").fill("Harbour Road 77");
          await page.getByRole("button", { name: "Save address" }).click();
          await page.getByText("Address changed.").waitFor();
          assert.ok((await page.getByText("Harbour Road 77").count()) > 0);
        },
      );
    });

  for (const width of [1_440, 390])
    it(`swap an item of a paid order, whose balance is paid on the order page, ${width} pixels wide`, async ({
      name,
    }) => {
      const { mug } = room.goods();
      const pot = await room.product({
        title: `Teapot ${width}`,
        price: 3_000,
        deliveryType: "shipping",
        onHand: 5,
      });
      const placed = await room.order([{ productId: mug, quantity: 2 }]);
      await room.notify(placed);
      const path = `/api/admin/orders/${placed.id}`;
      const { url } = await room.admin<{ url: string }>("POST", `${path}/link`);
      await room.page({ name, viewport: { width, height: 900 } }, async ({ page, allow }) => {
        await signIn(page, `/admin/orders/${placed.id}`);
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name: "Edit items" }).click();
        const dialog = dialogOf(page);
        await dialog.getByLabel("Red mug: quantity").fill("1");
        await dialog.getByLabel("Add a product").fill(`teapot ${width}`);
        await dialog.getByRole("button", { name: new RegExp(`^Teapot ${width}`, "u") }).click();
        await dialog.getByText("Amount due").waitFor();
        // Someone else is faster.
        allow(/409 \(Conflict\)/u);
        const stored = await room.admin<{ version: number; lines: { id: string }[] }>("GET", path);
        const lines = [{ lineId: stored.lines[0]?.id, quantity: 3 }];
        await room.admin("POST", `${path}/edit`, {
          version: stored.version,
          lines,
          expectedTotal: 3_750,
          mail: false,
        });
        await dialog.getByRole("button", { name: "Save items" }).click();
        await dialog.getByText("Someone else edited this order", { exact: true }).waitFor();
        await dialog.getByText("3 × 12.50 EUR").waitFor();
        assert.equal(await dialog.getByLabel("Red mug: quantity").inputValue(), "1");
        await dialog.getByText("Previous total").waitFor();
        await dialog.getByRole("button", { name: "Save items" }).click();
        await dialog.waitFor({ state: "detached" });
        await page.getByText("Balance due").first().waitFor();
        await page.goto(url);
        await page.getByRole("heading", { name: "Your order has a balance due" }).waitFor();
        await room.notify(placed, { id: `rest-${placed.id}`, amount: 1_750 });
        await page.getByRole("heading", { name: "Payment received" }).waitFor();
      });
      const paid = await room.admin<{ amountDue: number; paymentStatus: string; total: number }>("GET", path);
      assert.deepEqual([paid.amountDue, paid.paymentStatus, paid.total], [0, "paid", 4_250]);
      assert.ok(pot !== "");
    });
});
