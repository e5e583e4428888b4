/** Quantity prices, prices that buyers choose, and a discount without a code, from the product pages to the order. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { createConsoleRoom } from "./console-room.ts";

const DISCOUNT = "10% from 25 euros";

/** "Total\t€29.25" for each row of the sums, by its label. */
async function readSums(page: Page): Promise<ReadonlyMap<string, string>> {
  const rows = await page.locator(".sums > .sum").all();
  const read = rows.map(async (row): Promise<[string, string]> => [
    await row.locator("dt").innerText(),
    await row.locator("dd").innerText(),
  ]);
  return new Map(await Promise.all(read));
}

describe("prices in a browser", () => {
  const room = createConsoleRoom();

  before(async () => {
    const product = { deliveryType: "manual", stockMode: "unlimited", status: "published" };
    const goods = [
      { title: "Green tea", slug: "tea", price: 1_000, tierPrices: [{ from: 3, price: 900 }] },
      { title: "Harbour songs", slug: "songs", price: 1_000, payWhatYouWant: { minimum: 200 } },
    ];
    for (const fields of goods) await room.admin("POST", "/api/admin/products", { ...product, ...fields });
    const discount = { automatic: true, title: DISCOUNT, kind: "percent", value: 1_000, minimum: 2_500 };
    await room.admin("POST", "/api/admin/coupons", discount);
    await room.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
  });

  it("sells three at a quantity price and one at the buyer's price, less the discount", async ({ name }) => {
    await room.page({ name }, async ({ page, allow }) => {
      await page.goto("/p/tea");
      await page.getByRole("row", { name: "From 3 €9.00 each" }).waitFor();
      await page.getByLabel("Quantity", { exact: true }).fill("3");
      await page.getByRole("button", { name: "Add to cart" }).first().click();
      await page.getByText("€9.00 each").waitFor();

      // A price below the minimum is refused on purpose.
      allow(/status of 422/u);
      await page.goto("/p/songs");
      await page.getByLabel("Your price").fill("1");
      await page.getByRole("button", { name: "Add to cart" }).first().click();
      await page.getByRole("link", { name: "The lowest price is €2.00." }).click();
      const price = page.getByLabel("Your price");
      assert.equal(await price.inputValue(), "1", "what was typed is still there");
      assert.equal(await price.getAttribute("aria-invalid"), "true");
      await price.fill("5,50");
      await page.keyboard.press("Enter");
      await page.getByText("Added to your cart").waitFor();
      const sums = await readSums(page);
      assert.equal(sums.get(`Discount (${DISCOUNT})`), "-€3.25", JSON.stringify([...sums]));
      assert.equal(sums.get("Total"), "€29.25");

      await page.getByRole("link", { name: "Check out" }).click();
      await page.fill("[name='contact.email']", "ann@example.org");
      await page.check("[name=paymentMethod][value=demo]");
      await page.click("[value=order]");
      await page.waitForURL(/\/demo-pay\//u);
      await page.click("[value=pay]");
      await page.click("main > a");
      await page.waitForURL(/\/orders\/[^/]+$/u);
      const ordered = await readSums(page);
      assert.equal(ordered.get(`Discount (${DISCOUNT})`), "-€3.25", JSON.stringify([...ordered]));
      assert.equal(ordered.get("Total"), "€29.25");
    });
  });

  it("offers a refused price to correct on a phone, in German", async ({ name }) => {
    await room.admin("PATCH", "/api/admin/site", { languages: ["en", "de"] });
    await room.page({ name, locale: "de-DE" }, async ({ page, allow }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      allow(/status of 422/u);
      await page.goto("/p/songs");
      await page.getByLabel("Ihr Preis").fill("abc");
      await page.getByRole("button", { name: "In den Warenkorb" }).click();
      await page.getByRole("link", { name: "Geben Sie einen Preis wie 5,50 ein." }).waitFor();
      await page.getByLabel("Ihr Preis").fill("26");
      await page.getByRole("button", { name: "In den Warenkorb" }).click();
      await page.getByText(`Rabatt (${DISCOUNT})`).waitFor();
    });
  });

  it("asks for a bundle's own fields only", async ({ name }) => {
    const { items } = await room.admin<{ items: readonly { id: string; slug: string }[] }>(
      "GET",
      "/api/admin/products?limit=10",
    );
    const productId = items.find(({ slug }) => slug === "tea")?.id ?? assert.fail("no tea");
    const { id } = await room.admin<{ id: string }>("POST", "/api/admin/products", {
      title: "Starter set",
      price: 1_500,
      parts: [{ productId, quantity: 2 }],
    });
    await room.page({ name }, async ({ page }) => {
      await signIn(page, `/admin/products/${id}`);
      await page.getByRole("heading", { level: 1, name: "Starter set" }).waitFor();
      await page.getByText("Fixed price", { exact: true }).waitFor();
      assert.equal(
        await page.getByText("Delivery method", { exact: true }).locator("visible=true").count(),
        1,
      );
      assert.equal(await page.getByText("Manual delivery", { exact: true }).count(), 0);
      assert.equal(await page.getByText("Unlimited stock", { exact: true }).count(), 0);
    });
  });
});
