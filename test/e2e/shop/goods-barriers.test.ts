/** Accessibility of the product pages: axe, both themes, three languages, a phone, the keyboard only. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createConsoleRoom } from "./console-room.ts";

/** Steps of the Tab key on a page. */
const STEPS = 20;

describe("pages of goods", () => {
  const room = createConsoleRoom();
  let shirt = "";

  before(async () => {
    await room.admin("PATCH", "/api/admin/site", { languages: ["en", "de", "zh"] });
    for (const fields of [{ title: "Kitchen" }, { title: "Mugs", parentId: "kitchen" }])
      await room.admin("POST", "/api/admin/categories", fields);
    await room.admin("POST", "/api/admin/collections", { title: "For the cabin" });
    await room.admin("POST", "/api/admin/coupons", { code: "SPRING", kind: "percent", value: 1_000 });
    const variants = ["S", "M"].map((size) => ({ options: { Size: size }, price: 3_450, onHand: 2 }));
    const fields = { title: "Linen T-shirt", status: "published", deliveryType: "shipping", variants };
    shirt = (await room.admin<{ id: string }>("POST", "/api/admin/products", fields)).id;
  });

  for (const [locale, colorScheme] of [
    ["en-GB", "light"],
    ["de-DE", "dark"],
    ["zh-CN", "light"],
  ] as const) {
    it(`has no barriers in ${locale}, ${colorScheme}, and fits a phone`, async (test) => {
      await room.page({ name: test.name, locale, colorScheme }, async ({ page }) => {
        await page.setViewportSize({ width: 360, height: 740 });
        await signIn(page, "/admin/products");
        for (const path of [
          "products",
          `products/${shirt}`,
          "products/new",
          "products/import",
          "categories",
          "categories/kitchen",
          "categories/for-the-cabin?kind=collections",
          "stock",
          "coupons",
          "coupons/new",
        ]) {
          await page.goto(`/admin/${path}`);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.locator(".empty", { hasText: /…$/u }).waitFor({ state: "detached" });
          await assertNoBarriers(page, { test, what: `${path} ${locale}` });
          const wide = await page.evaluate("document.documentElement.scrollWidth");
          assert.ok(Number(wide) <= 360, `${path} is ${String(wide)} wide`);
        }
      });
    });
  }

  it("is walked by the keyboard alone: every stop has a name, and none holds the reader", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/products");
      for (const path of ["products", `products/${shirt}`, "categories", "stock", "coupons/new"]) {
        await page.goto(`/admin/${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.locator("#main h1").evaluate("document.querySelector('#main').focus()");
        let before = "";
        for (let step = 0; step < STEPS; step += 1) {
          await page.keyboard.press("Tab");
          const stop = String(
            await page.evaluate(`(() => {
              const { activeElement: at } = document;
              const label = at.labels?.[0]?.textContent ?? at.getAttribute("aria-label") ?? at.textContent;
              return at.tagName + " " + label.trim() + " " + [...document.querySelectorAll("*")].indexOf(at);
            })()`),
          );
          assert.notEqual(stop, before, `${path}: the focus stays`);
          assert.doesNotMatch(stop, /^(?:BODY|\w+ {2}\d)/u, `${path}: a stop without a name`);
          before = stop;
        }
      }
      await page.goto("/admin/stock");
      await page.getByRole("button", { name: "Adjust Linen T-shirt (S)" }).press("Enter");
      await page.getByRole("dialog").getByLabel("Units").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.equal(await page.evaluate("document.activeElement.textContent"), "Adjust Linen T-shirt (S)");
    });
  });
});
