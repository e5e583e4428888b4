/** Reviews in a browser: written on the page of an order, approved in the console, shown on the product. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createConsoleRoom } from "./console-room.ts";

interface Placed {
  readonly order: { readonly id: string; readonly number: string };
  readonly accessToken: string;
}

describe("reviews in a browser", () => {
  const room = createConsoleRoom();
  let path = "";
  before(async () => {
    const reviews = { isOn: true, moderation: "before" };
    await room.admin("PATCH", "/api/admin/site", { languages: ["en", "de", "zh"], reviews });
    const { id } = await room.admin<{ id: string }>("POST", "/api/admin/products", {
      slug: "clay-teapot",
      title: "Clay teapot",
      price: 2_400,
      deliveryType: "manual",
      status: "published",
      onHand: 5,
    });
    await room.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
    const response = await fetch(`${room.url()}/api/checkout`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      body: JSON.stringify({
        items: [{ productId: id, quantity: 1 }],
        contact: { email: "ann@example.org" },
        paymentMethod: "demo",
      }),
    });
    const { order, accessToken }: Placed = await response.json();
    await room.admin("POST", `/api/admin/orders/${order.id}/mark-paid`, { reference: "cash" });
    await room.admin("POST", `/api/admin/orders/${order.id}/deliver`, {});
    path = `/orders/${order.number}?token=${accessToken}`;
  });

  it("pass from the buyer through the console to the product", async (test) => {
    await room.page({ name: test.name, locale: "en" }, async ({ page }) => {
      await page.goto(path);
      await page.getByText("Review Clay teapot").click();
      await page.getByLabel("Rating").selectOption("4");
      await page.getByLabel("Headline").fill("Keeps its warmth");
      await page.getByLabel("Your experience").fill("Pours well.\nThe lid is loose.");
      await assertNoBarriers(page, { test, what: "the form of a review" });
      await page.getByRole("button", { name: "Send review" }).click();
      await page.getByText("Thank you. Your review is saved.").waitFor();
      await page.goto("/p/clay-teapot");
      await page.getByText("No reviews yet.").waitFor();
      await signIn(page, "/admin/reviews");
      await page.getByRole("link", { name: "Keeps its warmth" }).click();
      await page.getByText("The lid is loose.").waitFor();
      await page.getByLabel("State").selectOption("published");
      await page.getByLabel("Public reply").fill("A new lid is on its way.");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Published").first().waitFor();
    });
    for (const [locale, count] of [
      ["en", "1 review"],
      ["de", "1 Bewertung"],
      ["zh-CN", "1 条评价"],
    ] as const)
      await room.page({ name: test.name, locale }, async ({ page }) => {
        await page.goto("/p/clay-teapot");
        await page.getByText(count, { exact: true }).first().waitFor();
        await page.getByText("A new lid is on its way.").waitFor();
        await assertNoBarriers(page, { test, what: `reviews of a product, ${locale}` });
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        for (const width of [320, 390, 1_440]) {
          await page.setViewportSize({ width, height: 800 });
          assert.equal(await page.evaluate<number>(overflow), 0);
        }
        await page.goto("/");
        await page.getByText(count, { exact: true }).waitFor();
      });
  });
});
