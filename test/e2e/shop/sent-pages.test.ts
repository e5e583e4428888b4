/** Back to a form that was shown again with what was wrong, in Chromium. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../../support/browser/launch.ts";
import { withPage } from "../watched-page.ts";
import { type SellingShop, goods, startSellingShop } from "./selling-shop.ts";

const listSchema = z.object({
  items: z.array(
    z.object({ id: z.string(), title: z.string(), variants: z.array(z.object({ id: z.string() })) }),
  ),
});
const REFUSED = /status of 422/u;

describe("the checkout, shown again with what was wrong", () => {
  let browser: Browser;
  let shop: SellingShop;
  let cart = "";

  before(async () => {
    [browser, shop] = await Promise.all([launchBrowser(), startSellingShop()]);
    const { items } = listSchema.parse(await shop.admin("GET", "/api/admin/products?limit=20"));
    const key = items.find(({ title }) => title === goods.key) ?? assert.fail("no key");
    cart = `${key.id}.${key.variants[0]?.id ?? ""}.1`;
  });
  after(async () => {
    await browser?.close();
    await shop?.dispose();
  });

  /** Sends the form with an address, a note, and without what it has to have. */
  async function sendIncomplete(page: Page): Promise<void> {
    await page.context().addCookies([{ name: "trivet_cart", value: cart, url: shop.url }]);
    await page.goto("/checkout");
    await page.fill("[name='contact.email']", "ann@example.org");
    await page.locator("summary", { hasText: "Note" }).click();
    await page.fill("[name=note]", "ring twice");
    await page.check("[name=paymentMethod][value=demo]");
    await page.click("[value=order]");
    await page.locator(".faults").waitFor();
  }

  async function readTyped(page: Page): Promise<string[]> {
    return [await page.inputValue("[name='contact.email']"), await page.inputValue("[name=note]")];
  }

  it("comes back as a page once the order is made", async () => {
    await withPage(browser, { name: "back from an order", baseURL: shop.url }, async ({ page, allow }) => {
      allow(REFUSED);
      await sendIncomplete(page);
      await page.check("[name='consents.digitalContent']");
      await page.click("[value=order]");
      await page.waitForURL(/\/demo-pay\//u);
      // The pages that lead to the payment are not in the history.
      await page.goBack();
      await page.getByText("Your cart is empty").waitFor();
      assert.equal(new URL(page.url()).pathname, "/checkout");
    });
  });

  it("still has what was typed, before and after it was sent, for who looked at another page", async () => {
    await withPage(browser, { name: "back from a page", baseURL: shop.url }, async ({ page, allow }) => {
      allow(REFUSED);
      await sendIncomplete(page);
      await page.fill("[name=note]", "ring three times");
      await page.click("header a.brand");
      await page.waitForURL(`${shop.url}/`);
      const shown = await page.goBack();
      assert.equal(shown?.request().method(), "GET");
      assert.deepEqual(await readTyped(page), ["ann@example.org", "ring three times"]);
    });
  });

  it("has all that was sent when it is loaded again, as ever", async () => {
    await withPage(browser, { name: "loaded again", baseURL: shop.url }, async ({ page, allow }) => {
      allow(REFUSED);
      await sendIncomplete(page);
      await page.reload();
      await page.locator(".faults").waitFor();
      assert.deepEqual(await readTyped(page), ["ann@example.org", "ring twice"]);
    });
  });
});
