/** What is sold, in the console of the shop: many products at once, their places, their units, coupons. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Route } from "playwright-core";
import { eventually } from "../../support/eventually.ts";
import { signIn } from "../admin-view.ts";
import { createConsoleRoom } from "./console-room.ts";

describe("a table of goods, and what sorts them, in the console of the shop", () => {
  const room = createConsoleRoom();

  it("imports 200 products of a table, and names the two lines that are wrong", async ({ name }) => {
    const rows = Array.from({ length: 200 }, (_, at) => {
      const price = at === 49 ? "12.50" : String(1_000 + at);
      const category = at === 149 ? "no category!" : "books";
      return `book-${at},Book ${at},${price},published,${category},7`;
    });
    const table = ["slug,title,price,status,categoryId,onHand", ...rows].join("\n");
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/products/import");
      await page.locator("input[type=file]").setInputFiles({
        name: "books.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(table),
      });
      await page.getByText("Some rows have errors. Nothing has been imported.").waitFor();
      const wrong = page.getByRole("table", { name: "Errors by row" }).getByRole("row");
      assert.deepEqual(
        (await wrong.allInnerTexts()).slice(1).map((row) => row.split("\t").slice(0, 2)),
        [
          ["51", "price"],
          ["151", "categoryId"],
        ],
      );
      await page.getByRole("button", { name: "Import 198 products without errors" }).click();
      await page.getByText("Import complete").waitFor();
      await page.getByRole("link", { name: "View products" }).click();
      await page.getByLabel("Search by name, URL or SKU").fill("Book 19");
      await page.getByRole("link", { name: "Book 199", exact: true }).waitFor();
      await page.getByRole("checkbox", { name: "Book 199", exact: true }).check();
      await page
        .getByRole("region", { name: "Selected products" })
        .getByRole("button", { name: "Unpublish" })
        .click();
      await page.getByText("1 product updated.").waitFor();
      await page.getByLabel("Status", { exact: true }).selectOption("draft");
      await page.getByRole("link", { name: "Book 198", exact: true }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Actions for Book 199" }).click();
      await page.getByRole("menuitem", { name: "Duplicate" }).click();
      await page.getByRole("heading", { level: 1, name: "Book 199 (2)" }).waitFor();
    });
  });

  it("restocks with a reason, and shows who did what", async ({ name }) => {
    const mug = { title: "Enamel mug", status: "published", price: 1_450, onHand: 2 };
    const { id } = await room.admin<{ id: string }>("POST", "/api/admin/products", mug);
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/stock");
      await page.getByLabel("Search by name or SKU").fill("enamel");
      await page.getByRole("button", { name: "Adjust Enamel mug" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Units").fill("40");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByLabel("Reason").fill("Delivery");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.equal(
        (await room.admin<{ stock: { onHand: number } }>("GET", `/api/admin/products/${id}`)).stock.onHand,
        42,
      );
      await page.getByRole("button", { name: "History Enamel mug" }).click();
      await dialog.getByText("2 → 42").waitFor();
      await dialog.getByText("Delivery").waitFor();
    });
  });

  it("shows the list that its address names, also when it changed while a correction was saved", async ({
    name,
  }) => {
    const jug = { title: "Tin jug", status: "published", price: 900, onHand: 3 };
    await room.admin("POST", "/api/admin/products", jug);
    await room.page({ name }, async ({ page }) => {
      const saves: Route[] = [];
      await page.route("**/api/admin/products/*/stock", (route) => void saves.push(route), { times: 1 });
      await signIn(page, "/admin/stock");
      await page.getByRole("button", { name: "Adjust Tin jug" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Units").fill("4");
      await dialog.getByLabel("Reason").fill("Delivery");
      const sent = page.waitForRequest("**/api/admin/products/*/stock");
      await dialog.getByRole("button", { name: "Save" }).click();
      await sent;
      const found = page.waitForResponse((response) => response.url().includes("q=jug"));
      await page.evaluate(
        "history.replaceState(null, '', '?q=jug'); dispatchEvent(new PopStateEvent('popstate')); undefined",
      );
      await found;
      await eventually(() => assert.equal(saves.length, 1));
      await saves[0]?.continue();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "History Tin jug" }).waitFor({ timeout: 10_000 });
    });
  });

  it("sorts goods into categories and collections, and makes a coupon", async ({ name }) => {
    await room.page({ name }, async ({ page }) => {
      const dialog = page.getByRole("dialog");
      await signIn(page, "/admin/categories");
      for (const [title, below] of [
        ["Kitchen", ""],
        ["Mugs", "Kitchen"],
      ]) {
        await page.getByRole("button", { name: "Add category" }).first().click();
        await dialog.getByLabel("Name").fill(title ?? "");
        if (below !== "") await dialog.getByLabel("Parent category").selectOption({ label: below ?? "" });
        await dialog.getByRole("button", { name: "Create category" }).click();
        await page.getByRole("heading", { level: 1, name: title ?? "" }).waitFor();
        await page.getByRole("link", { name: "Categories" }).last().click();
      }
      await page.getByRole("button", { name: "Move Kitchen up" }).click();
      await eventually(async () => {
        const { items } = await room.admin<{ items: { id: string; parentId?: string }[] }>(
          "GET",
          "/api/admin/categories",
        );
        assert.deepEqual(
          items.filter(({ parentId }) => parentId === undefined).map(({ id }) => id),
          ["kitchen", "books"],
        );
        assert.equal(items.find(({ id }) => id === "mugs")?.parentId, "kitchen");
      });
      await page.getByRole("link", { name: "Collections" }).click();
      await page.getByRole("button", { name: "Add collection" }).first().click();
      await dialog.getByLabel("Name").fill("For the cabin");
      await dialog.getByRole("button", { name: "Create collection" }).click();
      await page.getByRole("heading", { level: 1, name: "For the cabin" }).waitFor();
      await page.getByLabel("Add product").fill("enamel");
      await page.getByRole("button", { name: "Enamel mug" }).click();
      await page.getByRole("button", { name: "Save products" }).click();
      await eventually(async () => {
        const { productIds } = await room.admin<{ productIds: string[] }>(
          "GET",
          "/api/admin/collections/for-the-cabin",
        );
        assert.equal(productIds.length, 1);
      });
      await page.goto("/admin/coupons/new");
      await page.getByLabel("Discount code", { exact: true }).fill("SPRING");
      await page.getByLabel("Percentage", { exact: true }).fill("12,5");
      await page.getByLabel("Usage limit").fill("100");
      await page.getByRole("button", { name: "Create discount" }).click();
      await page.getByRole("heading", { level: 1, name: "SPRING" }).waitFor();
      await page.getByRole("link", { name: "Discounts" }).last().click();
      await page.getByRole("switch", { name: "SPRING is active" }).click();
      await page.getByText("Off", { exact: true }).waitFor();
      const { value, enabled } = await room.admin<{ value: number; enabled: boolean }>(
        "GET",
        "/api/admin/coupons/SPRING",
      );
      assert.deepEqual([value, enabled], [1_250, false]);
    });
  });
});
