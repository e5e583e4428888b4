/** A newcomer moves in: Shopify's file and pictures become a shop with products, on a phone and on a desk. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, describe, it } from "node:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { zipSync } from "fflate";
import { png } from "../../auth/pictures.ts";
import { projectFolder } from "../../support/process.ts";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createConsoleRoom } from "./console-room.ts";

describe("moving in from another shop", () => {
  const room = createConsoleRoom({ NOTIFY_PRIVATE: "1" });
  let pictures: Server;
  let origin = "";
  const sizes = new Map<string, number>();

  before(async () => {
    pictures = createServer((request, response) => {
      const name = request.url ?? "";
      if (name.includes("detail")) {
        response.writeHead(404).end();
        return;
      }
      sizes.set(name, sizes.get(name) ?? 40 + sizes.size);
      response.writeHead(200, { "content-type": "image/png" }).end(png(sizes.get(name) ?? 40, 40));
    });
    await new Promise<void>((resolve) => pictures.listen(0, "127.0.0.1", resolve));
    const address = pictures.address();
    origin = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  });
  after(() => new Promise((resolve) => pictures.close(resolve)));

  async function readSample(): Promise<Buffer> {
    const text = await readFile(join(projectFolder, "test/shop/imports/files/shopify-products.csv"), "utf8");
    return Buffer.from(text.replaceAll("https://cdn.example.com", origin));
  }

  for (const [width, locale, words] of [
    [
      390,
      "de-DE",
      {
        check: "Datei prüfen",
        start: "3 Produkte importieren",
        done: "Import abgeschlossen",
        undo: "Import rückgängig machen",
        undone: "Import rückgängig gemacht",
      },
    ],
    [
      1_440,
      "en-GB",
      {
        check: "Check file",
        start: "Import 3 products",
        done: "Import complete",
        undo: "Undo import",
        undone: "Import undone",
      },
    ],
  ] as const)
    it(`takes Shopify's products with pictures, names the one that failed, and is undone, at ${width} px in ${locale}`, async (test) => {
      await room.page({ name: test.name, locale }, async ({ page }) => {
        await page.setViewportSize({ width, height: 900 });
        await signIn(page, "/admin/products/import?from=shop");
        const buffer = await readSample();
        await page
          .locator("input[type=file]")
          .first()
          .setInputFiles({ name: "products_export.csv", mimeType: "text/csv", buffer });
        await page.getByRole("button", { name: words.check }).click();
        await page.getByRole("button", { name: words.start }).waitFor();
        assert.match(await page.locator("main").innerText(), /Shopify/u);
        assert.match(await page.locator("main").innerText(), /34\.50 → 34\.50 EUR/u);
        await assertNoBarriers(page, { test, what: `trial ${width}` });
        const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
        assert.ok(wide <= width, `${wide} wide`);
        await page.getByRole("button", { name: words.start }).click();
        await page.getByText(words.done).first().waitFor();
        await page.getByText(/detail\.png/u).waitFor();
        await page.getByText(/\(404\)/u).waitFor();
        await assertNoBarriers(page, { test, what: `done ${width}` });
        const shop = await fetch(`${room.url()}/p/linen-shirt`, { headers: { accept: "text/html" } });
        assert.match(await shop.text(), /Linen shirt[\s\S]*Woven in <strong>Porto<\/strong>/u);
        const old = await fetch(`${room.url()}/collections/summer/products/linen-shirt`, {
          redirect: "manual",
        });
        assert.deepEqual([old.status, old.headers.get("location")], [301, "/p/linen-shirt"]);
        await page.getByRole("button", { name: words.undo }).click();
        await page.getByRole("dialog").getByRole("button", { name: words.undo }).click();
        await page.getByText(words.undone).first().waitFor();
        const gone = await fetch(`${room.url()}/p/linen-shirt`, { headers: { accept: "text/html" } });
        assert.equal(gone.status, 404);
      });
    });

  it("maps a column by hand, takes pictures of an archive, and keeps the history", async (test) => {
    await room.page({ name: test.name, locale: "en-GB" }, async ({ page }) => {
      await signIn(page, "/admin/products/import");
      await page.getByRole("link", { name: "Move from another shop" }).click();
      const csv = "Artikel;Preis;Foto\nBecher;12,50;becher.png\nKanne;1,234;kanne.png\n";
      const archive = Buffer.from(zipSync({ "fotos/Becher.PNG": png(31, 30), "kanne.png": png(32, 30) }));
      const [table, zip] = [
        page.locator("input[type=file]").first(),
        page.locator("input[type=file]").nth(1),
      ];
      await table.setInputFiles({ name: "artikel.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
      await zip.setInputFiles({ name: "fotos.zip", mimeType: "application/zip", buffer: archive });
      await page.getByRole("button", { name: "Check file" }).click();
      await page.getByText(/No column has the titles of the products/u).waitFor();
      await page.locator("summary", { hasText: "3 columns" }).click();
      await page.getByLabel("Import Artikel as").selectOption("title");
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByText(/"1,234" is ambiguous/u).waitFor();
      await page.getByLabel("Prices such as 1,234").selectOption(".");
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByText("1,234 → 1234.00 EUR").waitFor();
      await page.getByRole("button", { name: "Import 2 products" }).click();
      await page.getByText("Import complete").first().waitFor();
      await page.getByText("2 pictures.").waitFor();
      await page.getByRole("link", { name: "All imports" }).click();
      await page.getByRole("table", { name: "Imports" }).getByRole("link", { name: "artikel.csv" }).waitFor();
    });
  });

  for (const [width, locale, words] of [
    [
      390,
      "de-DE",
      {
        open: "Kunden importieren",
        check: "Datei prüfen",
        again: "Erneut prüfen",
        columns: "4 Spalten",
        of: "Kontaktadresse importieren als",
        needs: /Keine Spalte hat die E-Mail-Adressen der Kunden/u,
        note: "Die Einwilligung in Werbung wurde ausgelassen, denn in der Datei fehlt ihr Datum.",
        start: "2 fehlerfreie Kunden importieren",
        fault: "„nobody“ ist keine E-Mail-Adresse.",
        done: "Import abgeschlossen",
        look: "Kunden ansehen",
        undo: "Import rückgängig machen",
        undone: "Import rückgängig gemacht",
      },
    ],
    [
      1_440,
      "en-GB",
      {
        open: "Import customers",
        check: "Check file",
        again: "Check again",
        columns: "4 columns",
        of: "Import Reach at as",
        needs: /No column has the email addresses of the customers/u,
        note: "The consent to marketing was left out, because the file has no date of the consent",
        start: "Import 2 customers without errors",
        fault: '"nobody" is not an email address',
        done: "Import complete",
        look: "View customers",
        undo: "Undo import",
        undone: "Import undone",
      },
    ],
  ] as const)
    it(`takes customers with a column mapped by hand, and is undone, at ${width} px in ${locale}`, async (test) => {
      await room.page({ name: test.name, locale }, async ({ page }) => {
        await page.setViewportSize({ width, height: 900 });
        await signIn(page, "/admin/customers");
        await page.getByRole("link", { name: words.open }).click();
        // Choices for the columns of an earlier import are remembered.
        const csv =
          `${width === 390 ? "Kontaktadresse" : "Reach at"};Name;Ort;Newsletter\n` +
          "ann@example.org;Ann Lee;Berlin;ja\nbob@example.org;Bob;Bonn;nein\nnobody;Nobody;;\n";
        await page
          .locator("input[type=file]")
          .first()
          .setInputFiles({ name: "kunden.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
        await page.getByRole("button", { name: words.check }).click();
        await page.getByText(words.needs).waitFor();
        await page.locator("summary", { hasText: words.columns }).click();
        await page.getByLabel(words.of).selectOption("email");
        await page.getByRole("button", { name: words.again }).click();
        await page.getByRole("button", { name: words.start }).waitFor();
        await page.getByText(words.fault).waitFor();
        await page.getByText(words.note).waitFor();
        await page.getByText("Ann Lee, Berlin").waitFor();
        await assertNoBarriers(page, { test, what: `customers ${width}` });
        const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
        assert.ok(wide <= width, `${wide} wide`);
        await page.getByRole("button", { name: words.start }).click();
        await page.getByText(words.done).first().waitFor();
        const done = page.url();
        await page.getByRole("link", { name: words.look }).click();
        await page.getByRole("link", { name: "ann@example.org" }).click();
        await page.getByText("Ann Lee", { exact: true }).first().waitFor();
        await assertNoBarriers(page, { test, what: `customer ${width}` });
        await page.goto(done);
        await page.getByRole("button", { name: words.undo }).click();
        await page.getByRole("dialog").getByRole("button", { name: words.undo }).click();
        await page.getByText(words.undone).first().waitFor();
        await page.goto(new URL("/admin/customers", done).href);
        await page.getByRole("link", { name: words.open }).waitFor();
        assert.equal(await page.getByRole("link", { name: "ann@example.org" }).count(), 0);
      });
    });
});
