/** A license that renews, in a real browser: bought, canceled in two clicks, and resumed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createConsoleRoom } from "./console-room.ts";

describe("a license that renews", () => {
  const room = createConsoleRoom();

  for (const [width, javaScriptEnabled] of [
    [390, false],
    [1_440, true],
  ] as const)
    it(`is bought, canceled, and resumed at ${width} pixels, ${javaScriptEnabled ? "with" : "without"} script`, async () => {
      await room.admin("PATCH", "/api/admin/site", { languages: ["en", "de", "zh"] });
      await room.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
      const { id, slug } = await room.admin<{ id: string; slug: string }>("POST", "/api/admin/products", {
        title: `Photo Desk ${width}`,
        price: 4_900,
        deliveryType: "auto_secret",
        stockMode: "unlimited",
        license: { keys: "generated", renewal: { every: "year", count: 1, price: 2_900 } },
        status: "published",
      });
      const viewport = { width, height: 900 };
      await room.page({ name: `renewal ${width}`, viewport, javaScriptEnabled }, async ({ page }) => {
        await page.goto(`/p/${slug}`);
        await page.getByText("Renews every year for €29.00. Cancel any time.").waitFor();
        const value = `${id}..2`;
        await page.context().addCookies([{ name: "trivet_cart", value, url: room.url() }]);
        await page.goto("/checkout");
        await page.getByText("Renews every year for €58.00. Cancel any time.").waitFor();
        await page.fill("[name='contact.email']", "ann@example.org");
        await page.check("[name='consents.digitalContent']");
        await page.check("[name=paymentMethod][value=demo]");
        await page.click("[value=order]");
        await page.waitForURL(/\/demo-pay\//u);
        await page.click("[value=pay]");
        await page.click("main > a");
        await page.waitForURL(/\/orders\/[^/]+$/u);

        // Two licenses renew together.
        await page.getByText(`2 × Photo Desk ${width}`).waitFor();
        await page.getByText(/Renews on .+ for €58\.00\./u).waitFor();
        const order = new URL(page.url()).pathname;
        for (const [language, words, button] of [
          ["de", /Verlängert sich am .+ für 58,00/u, "Verträge hier kündigen"],
          ["zh", /将于 .+58\.00/u, "取消订阅"],
          ["en", /Renews on/u, "Cancel subscription"],
        ] as const) {
          await page.goto(`${order}?lang=${language}`);
          await page.getByRole("main").getByText(words).waitFor();
          await page.getByRole("main").getByRole("link", { name: button }).waitFor();
        }
        await page.getByRole("link", { name: "Cancel subscription" }).click();
        await page.getByRole("button", { name: "Cancel now" }).click();
        await page.getByText(/Canceled\. Your license is valid until/u).waitFor();
        const states = async (): Promise<(string | undefined)[]> => {
          const { items } = await room.admin<{ items: { productId: string; state: string }[] }>(
            "GET",
            "/api/admin/subscriptions",
          );
          return items.filter(({ productId }) => productId === id).map(({ state }) => state);
        };
        assert.deepEqual(await states(), ["canceled"]);
        await page.getByRole("button", { name: "Undo cancellation" }).click();
        await page.getByText(/Renews on .+ for €58\.00\./u).waitFor();
        assert.deepEqual(await states(), ["active"]);
      });
    });
});
