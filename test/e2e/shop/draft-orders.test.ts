/** Orders by phone: prepared in the console, paid by the buyer through a link, or at the counter. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createOrderRoom } from "./order-room.ts";

const views = [
  { width: 1_440, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

/** Writes a draft with a product and an item without one; resolves with its ID. */
async function write(page: Page): Promise<string> {
  page.setDefaultTimeout(7_000);
  await page.getByRole("link", { name: "Create order" }).click();
  await page.getByLabel("Email address", { exact: true }).fill("bob@example.org");
  await page.getByLabel("Shipping address").check();
  await page.getByLabel("Name", { exact: true }).fill("Bob Hale");
  await page.getByLabel("Street address").fill("Harbour Road 9");
  await page.getByLabel("City").fill("Hamburg");
  await page.getByLabel("Postal code").fill("20457");
  await page.getByLabel("Country").first().selectOption("DE");
  await page.getByLabel("Add a product").fill("red mug");
  await page.getByRole("button", { name: /^Red mug/u }).click();
  await page.getByLabel("Red mug: quantity").fill("2");
  await page.getByRole("button", { name: "Add item without a product" }).click();
  await page.getByLabel("Title").fill("Engraving");
  await page.getByLabel("Engraving: price").fill("5");
  await page.getByLabel("Discount", { exact: true }).selectOption("percent");
  await page.getByLabel("Amount of the discount").fill("10");
  await page.getByLabel("Reason for the discount").fill("regular customer");
  await page.getByText("€27.00").first().waitFor();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("button", { name: "Send payment link" }).waitFor();
  return page.url().split("/").at(-1) ?? "";
}

describe("orders by phone", () => {
  const room = createOrderRoom();

  for (const { width, colorScheme } of views)
    it(`go from an empty draft to a paid order by the link, ${width} pixels wide, ${colorScheme}`, async (test) => {
      const { name } = test;
      const viewport = { width, height: 900 };
      let id = "";
      await room.page({ name, viewport, colorScheme }, async ({ page }) => {
        await signIn(page, "/admin/orders");
        id = await write(page);
        await assertNoBarriers(page, { test, what: "the draft" });
        await page.getByRole("button", { name: "Send payment link" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("€27.00").waitFor();
        await dialog.getByLabel("Message").fill("As agreed on the phone");
        await dialog.getByRole("button", { name: "Send payment link" }).click();
        await page.getByText("Link sent").first().waitFor();
      });
      const { url } = await room.admin<{ url: string }>("POST", `/api/admin/draft-orders/${id}/link`);
      await room.page({ name: `${name} buyer`, viewport, colorScheme }, async ({ page }) => {
        page.setDefaultTimeout(7_000);
        const { pathname, search } = new URL(url, "http://localhost");
        await page.goto(pathname + search);
        await page.getByRole("heading", { name: "Review your order" }).waitFor();
        await page.getByText("Harbour Road 9").waitFor();
        await page.getByText("Engraving").waitFor();
        await assertNoBarriers(page, { test, what: "the page of the link" });
        await page.getByRole("button", { name: /order/iu }).last().click();
        await page.getByRole("heading", { name: /awaiting payment/u }).waitFor();
        const { orderId = "" } = await room.admin<{ orderId?: string }>(
          "GET",
          `/api/admin/draft-orders/${id}`,
        );
        await room.notify({ id: orderId, total: 2_700, currency: "EUR" });
        await page.getByRole("heading", { name: "Payment received" }).waitFor();
      });
    });

  for (const { width, colorScheme } of views)
    it(`are paid at the counter, and placed with an invoice, ${width} pixels wide, ${colorScheme}`, async ({
      name,
    }) => {
      await room.page({ name, viewport: { width, height: 900 }, colorScheme }, async ({ page }) => {
        await signIn(page, "/admin/orders");
        await write(page);
        await page.getByRole("button", { name: "Mark as paid" }).click();
        await page.getByRole("dialog").getByText("€27.00").waitFor();
        await page.getByRole("dialog").getByLabel("Payment").selectOption("cash");
        await page.getByRole("dialog").getByRole("button", { name: "Mark as paid" }).click();
        await page.waitForURL(/\/admin\/orders\/ord_/u);
        await page.getByText("Paid").first().waitFor();
        await page.goto("/admin/drafts");
        await page.getByRole("link", { name: /^D-/u }).first().click();
        await page.getByText("This draft was placed as order").waitFor();
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name: "Duplicate" }).click();
        await page.getByRole("button", { name: "Invoice first" }).click();
        await page.getByRole("dialog").getByText("€27.00").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Invoice first" }).click();
        await page.waitForURL(/\/admin\/orders\/ord_/u);
        await page.getByText("Pending payment").first().waitFor();
      });
    });

  it("name their products also when they have no price", async ({ name }) => {
    const product = await room.admin<{ id: string }>("POST", "/api/admin/products", {
      title: "Green jug",
      price: 900,
      status: "published",
      deliveryType: "manual",
    });
    const items = [{ productId: product.id, quantity: 1 }];
    const draft = await room.admin<{ id: string }>("POST", "/api/admin/draft-orders", { items });
    await room.admin("PATCH", `/api/admin/products/${product.id}`, { status: "archived" });
    const path = `/api/admin/draft-orders/${draft.id}`;
    const { quoted } = await room.admin<{ quoted?: object }>("PATCH", path, { staffNote: "asked again" });
    assert.equal(quoted, undefined);
    await room.page({ name }, async ({ page, allow }) => {
      allow(/status of 4\d\d/u);
      await signIn(page, `/admin/drafts/${draft.id}`);
      await page.getByLabel("Green jug: quantity").waitFor();
    });
  });
});
