/** Gift cards in a real browser: bought with an amount of the buyer's choice, redeemed, looked up, and managed in the console. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertNoBarriers } from "../axe.ts";
import { signIn } from "../admin-view.ts";
import { createConsoleRoom } from "./console-room.ts";

interface Made {
  readonly id: string;
  readonly slug: string;
}

const CODE = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/u;

describe("gift cards", () => {
  const room = createConsoleRoom();

  const addProduct = (fields: object): Promise<Made> =>
    room.admin<Made>("POST", "/api/admin/products", {
      status: "published",
      stockMode: "unlimited",
      ...fields,
    });

  /** Opens the checkout with a cart. */
  async function checkOut(page: Page, ids: readonly string[]): Promise<void> {
    const value = ids.map((id) => `${id}..1`).join("~");
    await page.context().addCookies([{ name: "trivet_cart", value, url: room.url() }]);
    await page.goto(`${room.url()}/checkout`);
  }

  async function payByDemo(page: Page): Promise<void> {
    await page.check("[name=paymentMethod][value=demo]");
    await page.click("[value=order]");
    await page.waitForURL(/\/demo-pay\//u);
    await page.click("[value=pay]");
    await page.click("main > a");
    await page.waitForURL(/\/orders\/[^/]+$/u);
  }

  for (const [width, javaScriptEnabled] of [
    [390, false],
    [1_440, true],
  ] as const)
    it(`are bought and redeemed at ${width} pixels, ${javaScriptEnabled ? "with" : "without"} script`, async (t) => {
      await room.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
      const card = await addProduct({
        title: "Gift card",
        price: 1_000,
        deliveryType: "gift_card",
        giftCard: { openAmount: { minimum: 1_000, maximum: 20_000 } },
      });
      const lamp = await addProduct({ title: "Lamp", price: 4_000, deliveryType: "manual" });
      const viewport = { width, height: 900 };
      const options = { name: `gift card ${width}`, viewport, javaScriptEnabled };
      // axe is a script.
      const look = async (page: Page, what: string): Promise<void> => {
        if (javaScriptEnabled) await assertNoBarriers(page, { test: t, what: `${what} ${width}` });
      };
      await room.page(options, async ({ page, allow }) => {
        allow(/status of 422/u);
        await page.goto(`${room.url()}/p/${card.slug}`);
        await page.getByText("Gift card, delivered instantly by email").waitFor();
        await checkOut(page, [card.id]);
        await look(page, "gift card checkout");
        await page.fill("[name='contact.email']", "ann@example.org");
        await page.fill("[name='items.0.inputs.giftAmount']", "5");
        await page.check("[name=paymentMethod][value=demo]");
        await page.click("[value=order]");
        await page.locator(".faults").waitFor();
        await page.fill("[name='items.0.inputs.giftAmount']", "50");
        await page.fill("[name='items.0.inputs.giftRecipient']", "ben@example.org");
        await page.fill("[name='items.0.inputs.giftMessage']", "Happy birthday");
        // The page shows the price of the amount before it can be ordered.
        await page.getByRole("button", { name: "Update total" }).first().click();
        await page.locator("#field-expectedTotal", { hasText: "€50.00" }).waitFor();
        await payByDemo(page);
        const [code = assert.fail("no code")] = CODE.exec(await page.innerText("main")) ?? [];

        await page.goto(`${room.url()}/gift-card`);
        await page.fill("[name=code]", "WRONG");
        await page.getByRole("button", { name: "Check balance" }).click();
        await page.getByText("This gift card code is invalid").first().waitFor();
        await page.fill("[name=code]", code);
        await page.getByRole("button", { name: "Check balance" }).click();
        await page.getByRole("heading", { name: "€50.00" }).waitFor();
        assert.ok(!page.url().includes(code.slice(0, 4)), page.url());
        await look(page, "gift card balance");

        await checkOut(page, [lamp.id]);
        await page.fill("[name='contact.email']", "ben@example.org");
        await page.locator("summary", { hasText: "Use a gift card" }).click();
        await page.fill("[name=giftCardCodes]", code);
        await page.getByRole("button", { name: "Apply" }).last().click();
        await page.getByText("€10.00 left after this order").waitFor();
        assert.equal(await page.locator("[name=paymentMethod]").count(), 0);
        await look(page, "gift card redeemed");
        await page.click("[value=order]");
        await page.waitForURL(/\/orders\/[^/]+$/u);
        const text = await page.innerText("main");
        assert.match(text, /Payment received, thank you/u);
        assert.match(text, new RegExp(`Gift card ••••${code.slice(-4)}`, "u"));
        if (!javaScriptEnabled) return;
        const isWide = await page.evaluate<boolean>(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        assert.ok(!isWide, "the order scrolls sideways");
      });
    });

  it("are issued, adjusted and disabled in the console", async (t) => {
    await room.page({ name: "gift cards of staff" }, async ({ page }) => {
      await signIn(page, "/admin/gift-cards");
      await page.getByRole("link", { name: "Issue gift card" }).first().click();
      await page.getByLabel("Amount").fill("25");
      await page.getByLabel("Note").fill("Late parcel");
      await page.getByRole("button", { name: "Issue gift card" }).click();
      await page.getByText("€25.00").first().waitFor();
      await page.getByRole("button", { name: "Show code" }).click();
      await page.getByText(CODE).waitFor();
      await page.getByRole("button", { name: "Adjust balance" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Deduct").click();
      await dialog.getByLabel("Amount").fill("5");
      await dialog.getByLabel("Reason").fill("Paid out");
      await dialog.getByRole("button", { name: "Adjust balance" }).click();
      await page.getByText("€20.00").first().waitFor();
      await assertNoBarriers(page, { test: t, what: "gift card in the console" });
      await page.getByLabel("Disabled").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Disabled", { exact: true }).first().waitFor();
      await page.goto(`${room.url()}/admin/gift-cards`);
      await page.getByText("Late parcel").waitFor();
      await assertNoBarriers(page, { test: t, what: "gift cards in the console" });
      for (const width of [390, 1_440]) {
        await page.setViewportSize({ width, height: 900 });
        const isWide = await page.evaluate<boolean>(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        assert.ok(!isWide, `the list scrolls sideways at ${width}`);
      }
    });
  });
});
