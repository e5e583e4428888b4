/** People buy in a real browser: with script and without, in both themes, on a phone and at a desk. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../../support/browser/launch.ts";
import { assertNoBarriers } from "../axe.ts";
import { withPage } from "../watched-page.ts";
import { COUPON, type SellingShop, goods, keysOnSale, startSellingShop } from "./selling-shop.ts";

const listSchema = z.object({
  items: z.array(
    z.object({ id: z.string(), title: z.string(), variants: z.array(z.object({ id: z.string() })) }),
  ),
});

describe("buying", () => {
  let shop: SellingShop;
  let browser: Browser;
  let listed: z.infer<typeof listSchema>["items"];

  before(async () => {
    [browser, shop] = await Promise.all([launchBrowser(), startSellingShop()]);
    listed = listSchema.parse(await shop.admin("GET", "/api/admin/products?limit=20")).items;
  });
  after(async () => {
    await browser?.close();
    await shop?.dispose();
  });

  /** Opens the checkout with a cart. */
  async function checkOut(page: Page, titles: readonly string[]): Promise<void> {
    const lines = titles.map((wanted) => {
      const product = listed.find(({ title }) => title === wanted) ?? assert.fail(wanted);
      return `${product.id}.${product.variants[0]?.id ?? ""}.1`;
    });
    await page.context().addCookies([{ name: "trivet_cart", value: lines.join("~"), url: shop.url }]);
    await page.goto("/checkout");
  }

  /** Orders, pays at the demo payment, and comes back to the order. */
  async function payByDemo(page: Page): Promise<void> {
    await page.check("[name=paymentMethod][value=demo]");
    await page.click("[value=order]");
    await page.waitForURL(/\/demo-pay\//u);
    await page.click("[value=pay]");
    await page.click("main > a");
    await page.waitForURL(/\/orders\/[^/]+$/u);
  }

  for (const javaScriptEnabled of [true, false])
    it(`hands over a licence key and a file, ${javaScriptEnabled ? "with" : "without"} script`, async () => {
      const options = { name: `key and file ${javaScriptEnabled}`, baseURL: shop.url, javaScriptEnabled };
      await withPage(browser, options, async ({ page, allow }) => {
        // An empty form is refused on purpose.
        allow(/status of 422/u);
        await checkOut(page, [goods.key, goods.file]);
        await page.click("[value=order]");
        await page.locator(".faults a[href='#field-contact.email']").waitFor();
        await page.fill("[name='contact.email']", "ann@example.org");
        await page.check("[name='consents.digitalContent']");
        await payByDemo(page);
        const text = await page.innerText("main");
        assert.match(text, /Payment received, thank you/u);
        assert.ok(
          keysOnSale.some((key) => text.includes(key)),
          text,
        );
        assert.doesNotMatch(page.url(), /token/u);
        const href = (await page.getAttribute("a[download]", "href")) ?? assert.fail("no file");
        const file = await page.request.get(href);
        assert.match(await file.text(), /birds of the harbour/u);
        await page.click("form[action$='/confirm'] button");
        await page.getByText("Your order is complete").waitFor();
      });
    });

  it("sends a T-shirt with shipping, tax and a coupon, whose sums follow what is chosen, and takes the withdrawal", async () => {
    await withPage(browser, { name: "shirt", baseURL: shop.url }, async ({ page }) => {
      await checkOut(page, [goods.shirt]);
      await page.fill("[name='contact.email']", "ann@example.org");
      await page.selectOption("[name=country]", "AT");
      await page.getByText("VAT 20% (included)").waitFor();
      assert.equal(await page.inputValue("[name='contact.email']"), "ann@example.org");
      await page.locator("summary", { hasText: "coupon" }).click();
      await page.fill("[name=couponCode]", COUPON);
      await page.getByRole("button", { name: "Apply" }).first().click();
      await page.getByText(`Coupon ${COUPON} applied`).waitFor();
      await page.fill("[name='shippingAddress.name']", "Ann Smith");
      await page.fill("[name='shippingAddress.line1']", "Gasse 1");
      await page.fill("[name='shippingAddress.postalCode']", "1010");
      await page.fill("[name='shippingAddress.city']", "Wien");
      await payByDemo(page);
      assert.match(await page.innerText("main"), /€33\.70/u);
      await page.click("a[href^='/withdraw']");
      await page.fill("[name=name]", "Ann Smith");
      await page.click("main form button");
      await page.getByRole("button", { name: "Confirm withdrawal" }).click();
      await page.getByText("We’ve received your withdrawal").waitFor();
    });
  });

  it("shows a payment as soon as it comes, to who waits on the order's page", async () => {
    await withPage(browser, { name: "wait", baseURL: shop.url }, async ({ page }) => {
      await checkOut(page, [goods.key]);
      await page.fill("[name='contact.email']", "bob@example.org");
      await page.check("[name='consents.digitalContent']");
      await page.check("[name=paymentMethod][value=demo]");
      await page.click("[value=order]");
      await page.waitForURL(/\/demo-pay\//u);
      const id = new URL(page.url()).pathname.split("/")[2] ?? "";
      await page.click("main > a");
      await page.getByText("is awaiting payment").waitFor();
      await shop.admin("POST", `/api/admin/orders/${id}/mark-paid`, { reference: "cash" });
      await page.getByText("Payment received, thank you").waitFor();
    });
  });

  it("has no barriers, in both themes and all languages, from 320 to 2,560 pixels", async (t) => {
    for (const [locale, colorScheme, width] of [
      ["en-GB", "light", 320],
      ["de-DE", "dark", 1_440],
      ["zh-CN", "light", 2_560],
    ] as const) {
      const viewport = { width, height: 900 };
      const options = { name: `barriers ${locale}`, baseURL: shop.url, locale, colorScheme, viewport };
      await withPage(browser, options, async ({ page, allow }) => {
        allow(/status of 422/u);
        const look = async (name: string): Promise<void> => {
          await assertNoBarriers(page, { test: t, what: `${name} ${locale}` });
          const isWide = await page.evaluate<boolean>(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth",
          );
          assert.ok(!isWide, `${name} scrolls sideways at ${width}`);
        };
        await checkOut(page, [goods.key, goods.shirt]);
        await look("checkout");
        await page.click("[value=order]");
        await page.locator(".faults").waitFor();
        await look("faults");
        for (const path of ["/find-order", "/withdraw", "/orders", "/wishlist"]) {
          await page.goto(path);
          await look(path);
        }
        await checkOut(page, [goods.key]);
        await page.fill("[name='contact.email']", `${locale}@example.org`);
        await page.check("[name='consents.digitalContent']");
        await page.check("[name=paymentMethod][value=demo]");
        await page.click("[value=order]");
        await page.waitForURL(/\/demo-pay\//u);
        await look("demo payment");
        await page.click("main > a");
        await look("waiting order");
      });
    }
  });
});
