/** The storefront in a browser: with and without script, in both themes and all languages, from a phone to a wide screen. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertNoBarriers } from "../axe.ts";
import { createConsoleRoom } from "./console-room.ts";

const paths = [
  "/",
  "/c",
  "/c/home",
  "/search?q=lin",
  "/search?q=teapot",
  "/p/linen-shirt",
  "/cart",
  "/legal/terms",
];

/** How far the page goes beyond the window's side. */
function readOverflow(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

async function addShirt(page: Page): Promise<void> {
  await page.goto("/p/linen-shirt");
  await page.getByRole("link", { name: "L", exact: true }).click();
  await page.getByLabel("Quantity").fill("2");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByText("Added to your cart.").waitFor();
}

describe("the storefront in a browser", () => {
  const room = createConsoleRoom();
  before(async () => {
    const { version } = await room.admin<{ version: number }>("GET", "/api/admin/site");
    await room.admin("PATCH", "/api/admin/site", {
      version,
      name: "Harbour Goods",
      languages: ["en", "de", "zh"],
      announcement: { text: "Orders before noon leave the same day." },
      pages: [{ slug: "terms", title: "Terms", body: "## Scope\n\nThese terms hold." }],
    });
    await room.admin("POST", "/api/admin/categories", { id: "home", title: "Home", status: "published" });
    await room.admin("POST", "/api/admin/products", {
      slug: "linen-shirt",
      title: "Linen shirt",
      summary: "Light",
      description: "Wash it **cold**.",
      price: 3_200,
      categoryId: "home",
      deliveryType: "shipping",
      status: "published",
      tags: ["new"],
      variants: ["S", "L"].map((size) => ({ options: { Size: size }, price: 3_200, onHand: 5 })),
    });
  });

  for (const javaScriptEnabled of [true, false])
    it(`sells ${javaScriptEnabled ? "with" : "without"} script`, async ({ name }) => {
      await room.page({ name, javaScriptEnabled, locale: "en" }, async ({ page }) => {
        await page.goto("/");
        const field = page.getByRole(javaScriptEnabled ? "combobox" : "searchbox").first();
        await field.fill("shirt");
        await field.press("Enter");
        await page.getByRole("link", { name: /Linen shirt/u }).click();
        await addShirt(page);
        assert.match(await page.getByRole("link", { name: /^Cart/u }).innerText(), /2/u);
        const quantity = page.getByLabel("Quantity of Linen shirt, L");
        await quantity.fill("3");
        await quantity.press("Enter");
        await page.getByText("€96.00").first().waitFor();
        await page.getByRole("link", { name: "Check out" }).click();
        await page.getByRole("heading", { name: "Checkout", level: 1 }).waitFor();
        await page.goto("/cart");
        await page.getByRole("button", { name: "Remove Linen shirt, L" }).click();
        await page.getByText("Your cart is empty.").waitFor();
      });
    });

  it("shows the cart in a drawer, changes it in place, and opens its page where that fails", async (test) => {
    await room.page({ name: test.name, locale: "en" }, async ({ page, allow }) => {
      allow(/ERR_FAILED/u);
      await addShirt(page);
      const drawer = page.getByRole("dialog", { name: "Cart" });
      assert.match(page.url(), /\/p\/linen-shirt/u);
      assert.equal(
        await drawer.getByRole("button", { name: "Update cart" }).count(),
        1,
        "for screen readers",
      );
      await assertNoBarriers(page, { test, what: "the drawer of the cart" });
      // Without leaving the field: the sums follow, and so does the number in the header.
      await drawer.getByLabel("Quantity of Linen shirt, L").press("ArrowUp");
      await drawer.getByText("€96.00").first().waitFor();
      assert.equal(await page.evaluate("document.activeElement?.type"), "number");
      assert.equal(await page.locator(".store-own .badge").innerText(), "3");
      await page.getByText("Cart updated.").waitFor({ state: "attached" });
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      assert.equal(await page.evaluate("document.activeElement?.textContent?.trim()"), "Add to cart");
      // The same again within moments is no double click.
      await page.getByRole("button", { name: "Add to cart" }).click();
      await drawer.getByText("€160.00").first().waitFor();
      await drawer.getByRole("button", { name: "Remove Linen shirt, L" }).click();
      await drawer.getByText("Your cart is empty.").waitFor();
      await page.keyboard.press("Escape");
      await page.route("**/cart", (route) =>
        route.request().isNavigationRequest() ? route.continue() : route.abort("failed"),
      );
      await page.getByRole("button", { name: "Add to cart" }).click();
      await page.waitForURL(/\/cart\?done=added$/u);
      await page.getByText("Added to your cart.").waitFor();
    });
  });

  for (const javaScriptEnabled of [true, false])
    it(`filters a list by options, ${javaScriptEnabled ? "with" : "without"} script`, async (test) => {
      await room.page({ name: test.name, javaScriptEnabled, locale: "en" }, async ({ page }) => {
        await page.goto("/c/home");
        const filters = page.getByRole("form", { name: "Filters" });
        await filters.locator("summary", { hasText: "Size" }).click();
        await filters.getByRole("checkbox", { name: "S 1" }).check();
        if (javaScriptEnabled) {
          await assertNoBarriers(page, { test, what: "the values of an option" });
          await page.getByRole("heading", { level: 1 }).click();
          assert.equal(await filters.getByRole("checkbox", { name: "S 1" }).isVisible(), false);
        }
        await filters.getByRole("button", { name: "Apply" }).click();
        await page.waitForURL(/option=size%3As/u);
        await page.getByRole("link", { name: "Linen shirt" }).waitFor();
        await page.getByRole("link", { name: "Remove filter “S”" }).click();
        await page.waitForURL(/\/c\/home$/u);
      });
    });

  for (const colorScheme of ["light", "dark"] as const)
    it(`has no barriers, ${colorScheme}`, async (test) => {
      for (const locale of ["en", "de", "zh-CN"])
        await room.page({ name: test.name, colorScheme, locale }, async ({ page }) => {
          for (const path of paths) {
            await page.goto(path);
            await assertNoBarriers(page, { test, what: `${locale} ${path}` });
          }
        });
    });

  it("fits from 320 to 2,560 px, with something in the cart", async ({ name }) => {
    await room.page({ name, locale: "en" }, async ({ page }) => {
      await addShirt(page);
      for (const width of [320, 390, 1_440, 2_560]) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of paths) {
          await page.goto(path);
          assert.equal(await readOverflow(page), 0, `${path} at ${width}`);
        }
      }
    });
  });

  it("leads the keyboard to the content, and to a choice", async ({ name }) => {
    await room.page({ name, locale: "en" }, async ({ page }) => {
      await page.goto("/p/linen-shirt");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const focused = await page.evaluate<string>("document.activeElement?.id ?? ''");
      assert.equal(focused, "content");
      await page.getByRole("link", { name: "L", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\?v=/u);
    });
  });

  it("suggests products and categories while people type, by keyboard", async (test) => {
    await room.page({ name: test.name, locale: "en" }, async ({ page }) => {
      await page.goto("/");
      const field = page.getByRole("combobox", { name: "Search products" });
      await field.pressSequentially("linne");
      const list = page.getByRole("listbox", { name: "Search suggestions" });
      await list.getByRole("option", { name: /Linen shirt.*€32\.00/u }).waitFor();
      assert.equal(await field.getAttribute("aria-expanded"), "true");
      await page.getByText("1 suggestion", { exact: true }).waitFor({ state: "attached" });
      await field.press("ArrowUp");
      const active = await field.getAttribute("aria-activedescendant");
      assert.equal(await page.locator(`#${active ?? ""}`).getAttribute("aria-selected"), "true");
      await assertNoBarriers(page, { test, what: "search suggestions" });
      await field.press("Escape");
      await list.waitFor({ state: "hidden" });
      assert.equal(await field.inputValue(), "linne");
      await field.press("ArrowDown");
      await list.waitFor();
      await field.press("ArrowDown");
      assert.match(await list.getByRole("option", { selected: true }).innerText(), /Did you mean “Linen”/u);
      await field.press("ArrowDown");
      await field.press("Enter");
      await page.waitForURL(/\/p\/linen-shirt$/u);
      await page.getByRole("combobox").first().fill("home");
      await page.getByRole("option", { name: "Home" }).click();
      await page.waitForURL(/\/c\/home$/u);
    });
  });

  it("suggests on phones, below the field of the search page", async ({ name }) => {
    await room.page({ name, locale: "de", viewport: { width: 390, height: 800 } }, async ({ page }) => {
      await page.goto("/search");
      await page.getByRole("combobox", { name: "Produkte suchen" }).fill("linnen shirt");
      await page.getByRole("option", { name: "Meinten Sie „Linen shirt“?" }).waitFor();
      assert.equal(await readOverflow(page), 0);
    });
  });
});
