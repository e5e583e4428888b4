/** What is sold, in the console of the shop: a seller makes products without any other tool. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Route } from "playwright-core";
import { png } from "../../auth/pictures.ts";
import { eventually } from "../../support/eventually.ts";
import { signIn } from "../admin-view.ts";
import { createConsoleRoom } from "./console-room.ts";
import { makeDraft } from "./goods-room.ts";

interface Product {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly images: readonly { readonly alt: string; readonly hash: string }[];
  readonly variants: readonly {
    readonly sku: string;
    readonly price: number;
    readonly options: Readonly<Record<string, string>>;
    readonly weightGrams?: number;
    readonly imageHash?: string;
    readonly stock: { readonly onHand: number };
  }[];
  readonly translations: Readonly<Record<string, { readonly title?: string }>>;
  readonly inputs: readonly { readonly label: string }[];
  readonly stock: { readonly onHand: number };
}

describe("products in the console of the shop", () => {
  const room = createConsoleRoom();
  before(() => room.admin("PATCH", "/api/admin/site", { languages: ["en", "de", "zh"] }));
  const toProduct = (id: string): Promise<Product> => room.admin("GET", `/api/admin/products/${id}`);

  it("creates a T-shirt with six variants, pictures and texts in other languages", async ({ name }) => {
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/products");
      await page.getByRole("heading", { name: "No products yet" }).waitFor();
      const id = await makeDraft(page, { title: "Linen T-shirt", price: "34.50", kind: "Physical product" });
      await page.getByRole("button", { name: "Add option" }).click();
      await page.getByLabel("Option", { exact: true }).fill("Size");
      await page.getByLabel("Values of").fill("S,M,L,");
      await page.getByRole("button", { name: "Add option" }).click();
      await page.getByLabel("Option", { exact: true }).nth(1).fill("Colour");
      await page.getByLabel("Values of").nth(1).fill("white,black,");
      await page.getByText("6 variants").waitFor();
      await page.getByLabel("Units of all new variants").fill("5");
      await page.getByRole("button", { name: "Apply to all" }).click();
      const large = page.getByRole("group", { name: "L, black" });
      await large.getByLabel("Price", { exact: true }).fill("36,00");
      await large.getByLabel("Weight in grams").fill("210");
      await large.getByLabel("SKU").fill("SHIRT-L-BLACK");
      await page.getByRole("button", { name: "Add field" }).click();
      await page.getByLabel("Label").fill("Engraving");
      await page.getByRole("group", { name: "Translations" }).getByLabel("Name").first().fill("Leinenhemd");
      await page.getByLabel("Status", { exact: true }).selectOption("published");
      await page.getByRole("button", { name: "Save", exact: true }).last().click();
      await page.getByText("Published", { exact: true }).first().waitFor();
      const files = [png(30, 40), png(50, 60)].map((bytes, at) => ({
        name: `shirt-${at + 1}.png`,
        mimeType: "image/png",
        buffer: Buffer.from(bytes),
      }));
      const pictures = page.getByRole("region", { name: "Pictures" });
      await pictures.locator("input[type=file]").setInputFiles(files);
      await pictures.getByRole("img").nth(1).waitFor();
      // Words that are typed while the move is on its way are kept.
      const moves: Route[] = [];
      await page.route("**/images", (route) => void moves.push(route), { times: 1 });
      await pictures.getByRole("button", { name: "Move shirt 2 up" }).press("Enter");
      await pictures.getByLabel("Alt text of picture 2").fill("The shirt from behind");
      await page.keyboard.press("Tab");
      await eventually(() => assert.equal(moves.length, 1));
      await moves[0]?.continue();
      await eventually(async () => {
        const { images } = await toProduct(id);
        assert.deepEqual(
          images.map(({ alt }) => alt),
          ["shirt 2", "The shirt from behind"],
        );
      });
      await large.getByLabel("Picture of L, black").selectOption({ label: "shirt 2" });
      // The pictures have changed the product behind the form: that is no conflict.
      await page.getByRole("button", { name: "Save", exact: true }).last().click();
      await eventually(async () => {
        const { images, variants, status, translations, inputs, stock } = await toProduct(id);
        const last = variants.at(-1);
        assert.deepEqual([variants.length, status, stock.onHand], [6, "published", 30]);
        assert.deepEqual(
          [last?.options, last?.price, last?.weightGrams, last?.sku, last?.imageHash],
          [{ Size: "L", Colour: "black" }, 3_600, 210, "SHIRT-L-BLACK", images[0]?.hash],
        );
        assert.equal(translations["de"]?.title, "Leinenhemd");
        assert.deepEqual(
          inputs.map(({ label }) => label),
          ["Engraving"],
        );
      });
    });
  });

  it("asks what to keep when two people have changed a product, or a category, and loses neither's work", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page, allow }) => {
      allow(/status of (?:409|412)/u);
      await signIn(page, "/admin/products");
      const records = [
        ["products", { title: "Mug", price: 1_250, deliveryType: "manual" }, "Name", "summary"],
        ["categories", { title: "Cups" }, "Name", "description"],
      ] as const;
      for (const [noun, fields, label, other] of records) {
        const { id } = await room.admin<{ id: string }>("POST", `/api/admin/${noun}`, fields);
        const read = () => room.admin<Record<string, unknown>>("GET", `/api/admin/${noun}/${id}`);
        await page.goto(`/admin/${noun}/${id}`);
        const title = page.getByLabel(label, { exact: true }).first();
        await title.fill("Mine");
        await room.admin("PATCH", `/api/admin/${noun}/${id}`, { title: "Theirs", [other]: "Also theirs" });
        await page.getByRole("button", { name: "Save", exact: true }).last().click();
        const dialog = page.getByRole("dialog", { name: "Changed by someone else" });
        await dialog.getByText("Only the other person changed this field.").waitFor();
        await dialog.getByRole("button", { name: "Back to the form" }).click();
        assert.deepEqual([await title.inputValue(), (await read())["title"]], ["Mine", "Theirs"]);
        await page.getByRole("button", { name: "Save", exact: true }).last().click();
        await dialog.getByRole("button", { name: "Use mine" }).click();
        await dialog.getByRole("button", { name: "Save result" }).click();
        await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
        const kept = await read();
        assert.deepEqual([kept["title"], kept[other]], ["Mine", "Also theirs"]);
      }
    });
  });

  it("adds licence keys, shows the ones that are there twice, and asks before typed ones are lost", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/products/new");
      const id = await makeDraft(page, { title: "Photo tool", price: "19.99", kind: "License keys" });
      const keys = page.getByRole("region", { name: "License keys" });
      await keys.getByLabel("New keys").fill("AAAA-1111\nBBBB-2222\nAAAA-1111\n\nCCCC-3333\n");
      await page.getByRole("link", { name: "Products", exact: true }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await keys.getByRole("button", { name: "Add 4 keys" }).click();
      await keys.getByText("3 keys added.").waitFor();
      await keys.getByText("1 duplicate skipped:").waitFor();
      await keys.getByText("Line 3").waitFor();
      await eventually(async () => assert.equal((await toProduct(id)).stock.onHand, 3));
      await keys.locator("dd", { hasText: /^3$/u }).waitFor();
      await keys.getByText("All keys").click();
      await keys.getByRole("button", { name: "Show keys" }).click();
      await keys.getByText("BBBB-2222").waitFor();
      await keys.getByRole("button", { name: "Remove BBBB-2222" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove key" }).click();
      await eventually(async () => assert.equal((await toProduct(id)).stock.onHand, 2));
    });
  });

  it("sells a file, whose sending goes on after a break", async ({ name }) => {
    await room.page({ name }, async (watched) => {
      const { page } = watched;
      watched.allow(/ERR_FAILED|request failed/u);
      await signIn(page, "/admin/products/new");
      const id = await makeDraft(page, { title: "Night trains", price: "12", kind: "Digital files" });
      let sent = 0;
      await page.route("**/api/admin/uploads/*?offset=*", async (route) => {
        sent += 1;
        await (sent === 2 ? route.abort("failed") : route.continue());
      });
      await page.getByRole("button", { name: "Add file" }).click();
      const dialog = page.getByRole("dialog");
      const buffer = Buffer.alloc(10 * 1_048_576, "night train ");
      await dialog
        .locator("input[type=file]")
        .setInputFiles({ name: "guide.pdf", mimeType: "application/pdf", buffer });
      await dialog.getByRole("button", { name: "Choose another file" }).waitFor();
      assert.equal(sent, 3);
      await dialog.getByLabel("File name for buyers").fill("The guide");
      await dialog.getByLabel("Version name").fill("1.0");
      await dialog.getByRole("button", { name: "Add to product" }).click();
      await dialog.waitFor({ state: "detached" });
      const files = page.getByRole("region", { name: "Files", exact: true });
      await files.getByText("The guide").waitFor();
      await files.getByLabel("Downloads per file").fill("5");
      await files.getByRole("button", { name: "Save" }).click();
      await eventually(async () => {
        const { items, terms } = await room.admin<{
          items: { title: string; versions: { label: string; sizeBytes: number }[] }[];
          terms: object;
        }>("GET", `/api/admin/products/${id}/files`);
        assert.deepEqual(
          items.map(({ title, versions }) => [title, versions[0]?.label, versions[0]?.sizeBytes]),
          [["The guide", "1.0", buffer.length]],
        );
        assert.deepEqual(terms, { maxDownloads: 5, endOnRefund: true });
      });
    });
  });
});
