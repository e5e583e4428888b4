/** E-invoices in Chromium: the seller turns them on, a company names its reference, and both find the file. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../../support/browser/launch.ts";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { withPage } from "../watched-page.ts";
import { type SellingShop, goods, startSellingShop } from "./selling-shop.ts";

const listSchema = z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) });

describe("e-invoices", () => {
  let shop: SellingShop;
  let browser: Browser;
  before(async () => {
    [browser, shop] = await Promise.all([launchBrowser(), startSellingShop()]);
  });
  after(async () => {
    await browser?.close();
    await shop?.dispose();
  });

  it("are turned on in the console, and open for a company and for the seller", async (test) => {
    const options = { name: "e-invoice", baseURL: shop.url };
    await shop.admin("PATCH", "/api/admin/site", { seller: { phone: "+49 30 1234567" } });
    await withPage(browser, options, async ({ page }) => {
      await signIn(page, "/admin/shipping?tab=invoices");
      await page
        .getByRole("combobox", { name: "Create e-invoices" })
        .selectOption({ label: "for companies" });
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("No unsaved changes").waitFor();
      await assertNoBarriers(page, { test, what: page.url() });
    });
    const { items } = listSchema.parse(await shop.admin("GET", "/api/admin/products?limit=20"));
    const { id } = items.find(({ title }) => title === goods.key) ?? assert.fail();
    await withPage(browser, { ...options, name: "buyer" }, async ({ page, allow }) => {
      allow(/status of 422/u);
      await page.context().addCookies([{ name: "trivet_cart", value: `${id}..1`, url: shop.url }]);
      await page.goto("/checkout");
      await page.fill("[name='contact.email']", "ann@example.org");
      await page.selectOption("[name=country]", "DE");
      await page.locator("details.more summary").first().click();
      for (const [name, text] of Object.entries({
        name: "Ann",
        company: "Ann & Co",
        line1: "Street 1",
        city: "Berlin",
        postalCode: "10115",
      }))
        await page.fill(`[name='billingAddress.${name}']`, text);
      await page.fill("[name=buyerReference]", "991-33333TEST-34");
      await page.fill("[name=orderReference]", "PO 1");
      await page.check("[name='consents.digitalContent']");
      await page.check("[name=paymentMethod][value=demo]");
      await page.click("[value=order]");
      await page.locator(".faults a[href='#field-buyerReference']").waitFor();
      await assertNoBarriers(page, { test, what: page.url() });
      await page.fill("[name=buyerReference]", "991-33333TEST-33");
      await page.click("[value=order]");
      await page.waitForURL(/\/demo-pay\//u);
      await page.click("[value=pay]");
      await page.click("main > a");
      await page.waitForURL(/\/orders\/[^/]+$/u);
      const link = page.getByRole("link", { name: "XRechnung (XML)" });
      const xml = await (await page.request.get((await link.getAttribute("href")) ?? "")).text();
      assert.match(xml, /<cbc:BuyerReference>991-33333TEST-33<[^]*Ann &amp; Co/u);
      await assertNoBarriers(page, { test, what: page.url() });
    });
    await withPage(browser, { ...options, name: "seller" }, async ({ page }) => {
      await signIn(page, "/admin/invoices");
      await page.getByRole("link", { name: /^XRechnung / }).waitFor();
      await assertNoBarriers(page, { test, what: page.url() });
    });
  });
});
