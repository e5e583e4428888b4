/** Buyers pay at the pages of fake payment providers, and come back to what they bought. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { withPage } from "../watched-page.ts";
import { type SellingShop, goods, keysOnSale, startSellingShop } from "./selling-shop.ts";

for (const { title, currency, method } of [
  { title: "Stripe", currency: "EUR", method: "stripe" },
  { title: "Epay", currency: "CNY", method: "epay" },
])
  describe(`paying by ${title}`, () => {
    let shop: SellingShop;
    let browser: Browser;
    before(async () => {
      [browser, shop] = await Promise.all([launchBrowser(), startSellingShop({ currency })]);
    });
    after(async () => {
      await browser?.close();
      await shop?.dispose();
    });

    for (const javaScriptEnabled of [true, false])
      it(`leads to the service and back to the key, ${javaScriptEnabled ? "with" : "without"} script`, async (test) => {
        const options = { name: test.name, baseURL: shop.url, javaScriptEnabled, locale: "en-GB" };
        await withPage(browser, options, async ({ page }) => {
          await page.goto("/");
          await page.getByRole("link", { name: goods.key }).click();
          await page.getByRole("button", { name: "Add to cart" }).click();
          await page.getByRole("link", { name: "Check out" }).click();
          await page.fill("[name='contact.email']", `${method}-${String(javaScriptEnabled)}@example.org`);
          await page.check(`[name=paymentMethod][value=${method}]`);
          const consent = page.locator("[name='consents.digitalContent']");
          if ((await consent.count()) > 0) await consent.check();
          await page.click("[value=order]");
          await page.getByRole("button", { name: "Pay now" }).click();
          await page.getByText("Payment received, thank you").waitFor();
          const text = await page.innerText("main");
          assert.ok(
            keysOnSale.some((key) => text.includes(key)),
            text,
          );
          assert.doesNotMatch(page.url(), /token/u);
        });
      });
  });
