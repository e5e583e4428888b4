/** The looks of the storefront: without barriers in both themes, from 320 to 2,560 px, and what phones get. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { looks } from "../../../src/shop/site/storefront-schema.ts";
import { assertNoBarriers } from "../axe.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { createConsoleRoom } from "./console-room.ts";

const paths = ["/", "/products", "/p/linen-shirt", "/search?q=linen", "/cart", "/checkout"];

const sections = [
  {
    id: "hero",
    type: "hero",
    title: "Made for every day",
    text: "By hand",
    button: "Shop",
    link: "/products",
  },
  {
    id: "why",
    type: "columns",
    title: "Why us",
    items: [
      { icon: "truck", title: "Free shipping", text: "From €60" },
      { icon: "shield", title: "Secure" },
    ],
  },
  { id: "story", type: "story", title: "A workshop", text: "By **the sea**." },
  {
    id: "faq",
    type: "questions",
    title: "Questions",
    items: [{ question: "How long?", answer: "Two days." }],
  },
  { id: "new", type: "products", show: "newest", limit: 4 },
  { id: "all", type: "products" },
];

function draw(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#336699" } })
    .png()
    .toBuffer();
}

async function order(page: Page): Promise<void> {
  await page.goto("/p/linen-shirt");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByText("Added to your cart.").waitFor();
}

describe("the looks of the storefront", () => {
  const room = createConsoleRoom();
  before(async () => {
    await room.admin("PATCH", "/api/admin/site", {
      name: "Harbour Goods",
      languages: ["en", "de"],
      branding: { color: "#e0a030" },
    });
    const product = { price: 3_200, deliveryType: "manual", status: "published", onHand: 9 };
    for (const title of ["Stoneware mug", "Brass pen"])
      await room.admin("POST", "/api/admin/products", { ...product, title });
    const { id } = await room.admin<{ id: string }>("POST", "/api/admin/products", {
      ...product,
      slug: "linen-shirt",
      title: "Linen shirt",
      description: "Wash it **cold**.",
      onHand: undefined,
      variants: ["Navy", "Sand"].map((Color) => ({ options: { Color }, price: 3_200, onHand: 5 })),
    });
    for (const [width, height] of [
      [4, 5],
      [5, 4],
    ] as const)
      await fetch(`${room.url()}/api/admin/products/${id}/images?alt=Shirt`, {
        method: "POST",
        headers: { "content-type": "image/png", "x-admin-token": ADMIN_TOKEN },
        body: new Uint8Array(await draw(100 * width, 100 * height)),
      });
  });

  for (const look of looks)
    it(`have no barriers in both themes, and nothing that overflows: ${look}`, async (test) => {
      await room.admin("PATCH", "/api/admin/site", { storefront: { look, sections } });
      await room.page({ name: test.name, locale: "en" }, async ({ page }) => {
        await order(page);
        for (const path of paths) {
          await page.goto(path);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            await assertNoBarriers(page, { test, what: `${look} ${path} ${colorScheme}` });
          }
          for (const width of [320, 390, 768, 1_440, 2_560]) {
            await page.setViewportSize({ width, height: 900 });
            const over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert.equal(await page.evaluate<number>(over), 0, `${path} at ${width}`);
          }
        }
      });
    });

  for (const javaScriptEnabled of [true, false])
    it(`show phones products first, filters in a sheet and one button, ${javaScriptEnabled ? "with" : "without"} script`, async (test) => {
      await room.admin("PATCH", "/api/admin/site", { storefront: { look: "plain", sections: [] } });
      const options = { locale: "en", javaScriptEnabled, viewport: { width: 390, height: 844 } };
      await room.page({ name: test.name, ...options }, async ({ page }) => {
        await page.goto("/");
        const card = await page.getByRole("link", { name: /Linen shirt/u }).boundingBox();
        assert.ok(card !== null && card.y + card.height < 844, JSON.stringify(card));
        const apply = page.getByRole("button", { name: "Apply" });
        assert.equal(await apply.isVisible(), false);
        await page.getByText("Filter and sort").click();
        await page.getByLabel("Minimum price").fill("1");
        await page.getByLabel("Sort by").selectOption("price");
        const sheet = await page.locator(".list-form").boundingBox();
        assert.ok(sheet !== null && Math.abs(sheet.y + sheet.height - 844) < 2, JSON.stringify(sheet));
        if (javaScriptEnabled) await assertNoBarriers(page, { test, what: "the sheet" });
        await apply.click();
        await page.waitForURL(/sort=price&min=1/u);
        await page.goto("/p/linen-shirt");
        const buy = page.getByRole("button", { name: "Add to cart" });
        assert.equal(await buy.count(), 1);
        const bar = await buy.boundingBox();
        assert.ok(bar !== null && bar.y + bar.height <= 844 && bar.y > 700, JSON.stringify(bar));
        await page.getByRole("link", { name: "Sand" }).click();
        assert.equal(await page.locator(".swatch").count(), 2);
        await buy.click();
        await page.getByText("Added to your cart.").waitFor();
      });
    });

  it("keep the place of a picture that has not come yet", async ({ name }) => {
    await room.page({ name, locale: "en", javaScriptEnabled: false }, async ({ page, allow }) => {
      allow(/ERR_FAILED/u);
      await page.route("**/api/images/**", (route) => route.abort("failed"));
      await page.goto("/p/linen-shirt");
      const place = await page.locator(".gallery-large img").boundingBox();
      assert.ok(place !== null && Math.abs(place.width / place.height - 0.8) < 0.02, JSON.stringify(place));
    });
  });

  it("enlarge pictures, and remember what was viewed in the browser alone", async (test) => {
    await room.page({ name: test.name, locale: "en" }, async ({ page }) => {
      await page.goto("/");
      await page.getByRole("link", { name: /Stoneware mug/u }).click();
      await page.getByRole("heading", { name: "Stoneware mug", level: 1 }).waitFor();
      assert.equal(await page.getByRole("heading", { name: "Recently viewed" }).count(), 0);
      await page.goto("/p/linen-shirt");
      const recent = page.getByRole("region", { name: "Recently viewed" });
      await recent.getByRole("link", { name: "Stoneware mug" }).waitFor();
      assert.equal(await recent.getByRole("link").count(), 1);
      await page.locator(".gallery-large").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("img", { name: "Shirt" }).waitFor();
      await assertNoBarriers(page, { test, what: "the enlarged picture" });
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assert.equal(await page.evaluate("document.activeElement?.className"), "gallery-large");
      // As it is: no bands beside it.
      const picture = await page.locator(".gallery-large img").boundingBox();
      const ratio = (picture?.width ?? 0) / (picture?.height ?? 1);
      assert.ok(Math.abs(ratio - 0.8) < 0.02, String(ratio));
    });
  });
});
