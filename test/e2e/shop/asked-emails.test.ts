/** Emails that buyers ask for: the form of a sold-out product, and the box of the checkout, which is not ticked. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertNoBarriers } from "../axe.ts";
import { createConsoleRoom } from "./console-room.ts";

describe("emails that buyers ask for", () => {
  const room = createConsoleRoom({ SHOP_PUBLIC_URL: "http://shop.localhost" });

  for (const [width, javaScriptEnabled] of [
    [390, false],
    [1_440, true],
  ] as const)
    it(`are asked for at ${width} pixels, ${javaScriptEnabled ? "with" : "without"} script`, async (t) => {
      await room.admin("PATCH", "/api/admin/site", {
        stockRequests: { enabled: true },
        checkoutReminders: { enabled: true },
      });
      const add = (fields: object): Promise<{ id: string; slug: string }> =>
        room.admin("POST", "/api/admin/products", { price: 4_000, status: "published", ...fields });
      const lamp = await add({ title: "Lamp", onHand: 0, deliveryType: "manual" });
      const mug = await add({ title: "Mug", onHand: 5, deliveryType: "manual" });
      const viewport = { width, height: 900 };
      await room.page({ name: `asked ${width}`, viewport, javaScriptEnabled }, async ({ page, allow }) => {
        allow(/status of 422/u);
        const look = async (what: string): Promise<void> => {
          // axe is a script.
          if (javaScriptEnabled) await assertNoBarriers(page, { test: t, what: `${what} ${width}` });
        };
        await page.goto(`${room.url()}/p/${lamp.slug}`);
        await look("sold out");
        await page.fill("[name=email]", "nobody");
        await page.getByRole("button", { name: "Notify me" }).click();
        await page.locator(".faults").waitFor();
        await look("wrong address");
        await page.fill("[name=email]", `ann${width}@example.org`);
        await page.getByRole("button", { name: "Notify me" }).click();
        await page.getByText("Check your inbox").waitFor();
        await page.getByRole("link", { name: "Back to the product" }).click();
        await page.getByRole("heading", { name: "Lamp" }).waitFor();
        await page.context().addCookies([{ name: "trivet_cart", value: `${mug.id}..1`, url: room.url() }]);
        await page.goto(`${room.url()}/checkout`);
        const box = page.getByLabel("Email me one reminder if I don’t complete this order (optional)");
        assert.equal(await box.isChecked(), false);
        await box.check();
        await look("reminder");
        await page.fill("[name='contact.email']", "ann@example.org");
        await page.click("[value=order]");
        await page.waitForURL(/\/orders\/[^/]+$/u);
      });
      const page = await room.admin<{ items: { consents?: { reminder?: { wording: string } } }[] }>(
        "GET",
        "/api/admin/orders?limit=1",
      );
      assert.match(page.items[0]?.consents?.reminder?.wording ?? "", /one reminder/u);
    });
});
