/** A seller's day in the console, from an empty shop to an evening with nothing left to do; requests play the buyers alone. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { SECRET, createCrowd } from "./crowd.ts";
import { makeDraft } from "./goods-room.ts";
import type { Placed } from "./order-room.ts";

const PRODUCTS = 200;
const PARCELS = 20;
const LICENCES = 30;
/** Two are left over, which is few. */
const KEYS = LICENCES + 2;

const field = (page: Page, name: string | RegExp) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) => dialogOf(page).getByRole("button", { name, exact: true }).click();
const gone = (page: Page) => dialogOf(page).waitFor({ state: "detached" });
const act = (page: Page, name: string) =>
  page.locator(".admin-actions").first().getByRole("button", { name, exact: true }).click();

async function save(page: Page): Promise<void> {
  await button(page, "Save").click();
  await page.getByText("No unsaved changes").waitFor();
}

async function setUp(page: Page): Promise<void> {
  await page.goto("/admin/site");
  await field(page, "Shop name").fill("Harbour Goods");
  await save(page);
  await page.goto("/admin/shipping?tab=seller");
  for (const [name, value] of [
    ["Name or company", "Harbour Goods GmbH"],
    ["Address", "Gasse 1"],
    ["Postal code", "10115"],
    ["City", "Berlin"],
    ["VAT number", "DE123456789"],
  ] as const)
    await field(page, name).fill(value);
  await page.getByRole("combobox", { name: "Country" }).selectOption("DE");
  await save(page);
  await page.getByRole("link", { name: "VAT", exact: true }).click();
  await page.getByRole("checkbox", { name: "Charge and show VAT" }).check();
  await save(page);
  await page.getByRole("link", { name: "Invoices", exact: true }).last().click();
  await page.getByRole("checkbox", { name: "Create invoices for orders" }).check();
  await save(page);
  await page.goto("/admin/shipping");
  await button(page, "Add shipping method").click();
  await field(page, "Name").first().fill("Parcel");
  await button(page, "Weight").click();
  await field(page, "Price").first().fill("4.90");
  await button(page, "Add all EU countries").first().click();
  await save(page);
}

/** Adds a way to pay whose service sends the shop's own notices. */
async function addProvider(page: Page): Promise<void> {
  await page.goto("/admin/providers");
  await button(page, "Add payment provider").click();
  await page.getByRole("link", { name: /^Custom provider/u }).click();
  await field(page, "Name").first().fill("Card");
  await field(page, "Short name").fill("card");
  await field(page, /secret/iu).fill(SECRET);
  await page.getByRole("checkbox", { name: "Available at checkout" }).check();
  await save(page);
}

async function importProducts(page: Page): Promise<void> {
  const rows = Array.from({ length: PRODUCTS }, (_, index) => {
    const number = index + 1;
    return `mug-${number},Enamel mug ${number},published,kitchen,1450,shipping,180,60`;
  });
  const csv = ["slug,title,status,categoryId,price,deliveryType,weightGrams,onHand", ...rows].join("\r\n");
  await page.goto("/admin/products");
  await page.getByRole("link", { name: "Import and export" }).first().click();
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByText("All rows are valid").waitFor();
  await button(page, `Import ${PRODUCTS} products`).click();
  await page.getByText(`${PRODUCTS} new products.`).waitFor();
}

async function addKeys(page: Page, { from, count }: { from: number; count: number }): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => `KEY-${from + index}`);
  await field(page, "New keys").fill(keys.join("\n"));
  await button(page, `Add ${count} keys`).click();
  await page.getByText(`${count} keys added.`).waitFor();
}

/** Finds one by its number, gives a unit back and sends the rest. */
async function serveOne(page: Page, { number }: Placed): Promise<void> {
  await page.goto("/admin/orders");
  await page.getByRole("searchbox", { name: /number, buyer/u }).fill(number.toLowerCase());
  await page.waitForURL(/q=/u);
  await page.getByRole("link", { name: number }).click();
  await act(page, "Refund");
  await press(page, "Selected items");
  await dialogOf(page).getByLabel("Enamel mug 7: quantity, up to 2").fill("1");
  assert.equal(await dialogOf(page).getByLabel("Amount for Enamel mug 7").inputValue(), "14.50");
  await press(page, "Refund");
  await dialogOf(page).getByText("The shop didn’t transfer any money").waitFor();
  await press(page, "Done");
  await page.getByText("1 back in stock").waitFor();
  await act(page, "Deliver order");
  await dialogOf(page).getByLabel("Carrier").fill("DHL");
  await dialogOf(page).getByLabel("Tracking number").fill("JD0146");
  await press(page, "Deliver");
  await gone(page);
  await page.getByRole("link", { name: "JD0146" }).waitFor();
}

async function deliverRest(page: Page): Promise<void> {
  await page.goto("/admin/today");
  await page.getByRole("link", { name: `${PARCELS - 1} orders to deliver` }).click();
  const boxes = page.getByRole("checkbox", { name: /^Select \d/u });
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
  await page
    .getByRole("region", { name: "Selected orders" })
    .getByRole("button", { name: "Deliver" })
    .click();
  await press(page, "Deliver");
  await gone(page);
  await page.getByText(`${PARCELS - 1} orders updated`).waitFor();
  await page.getByText("No orders found").waitFor();
}

async function restock(page: Page): Promise<void> {
  await page.goto("/admin/today");
  await page.getByRole("link", { name: "1 product low on stock" }).click();
  await page.getByRole("link", { name: /^Manage keys/u }).click();
  await addKeys(page, { from: 1_000, count: 20 });
}

async function answer(page: Page): Promise<void> {
  await page.goto("/admin/today");
  await page.getByRole("link", { name: "1 unread chat" }).click();
  await page.getByRole("link", { name: /mia/u }).click();
  await page.getByText("Does it go into a dishwasher?").last().waitFor();
  await field(page, "Your reply").fill("Yes, as often as you like");
  await button(page, "Send").click();
  await page.locator(".message", { hasText: "Yes, as often as you like" }).waitFor();
}

async function openInvoice(page: Page, { number }: Placed): Promise<void> {
  await page.goto("/admin/invoices");
  await page.getByRole("searchbox").fill(number);
  await page.waitForURL(/q=/u);
  const row = page.getByRole("row", { name: new RegExp(`^(?!.*Credit note).*Invoice.*${number}`, "u") });
  await row.waitFor();
  for (const [link, type, said] of [
    [/^View/u, "text/html", /Harbour Goods GmbH/u],
    [/PDF/u, "application/pdf", /^%PDF-/u],
  ] as const) {
    const href = await row.getByRole("link", { name: link }).getAttribute("href");
    const printed = await page.request.get(href ?? "");
    assert.ok(printed.headers()["content-type"]?.startsWith(type));
    assert.match(await printed.text(), said);
  }
}

describe("a seller's day in the console", () => {
  const crowd = createCrowd();

  it("begins with an empty shop and ends with nothing that waits", async ({ name }) => {
    await crowd.page({ name }, async ({ page }) => {
      await signIn(page);
      await setUp(page);
      await addProvider(page);
      await importProducts(page);
      await makeDraft(page, { title: "Photo tool", price: "19.99", kind: "License keys" });
      await addKeys(page, { from: 1, count: KEYS });
      await button(page, "Publish").click();
      await page.getByRole("link", { name: "View in shop" }).waitFor();

      const placed: Placed[] = [];
      for (let parcel = 0; parcel < PARCELS; parcel += 1)
        placed.push(await crowd.buy({ slug: "mug-7", quantity: 2 }, "card"));
      for (let licence = 0; licence < LICENCES; licence += 1)
        placed.push(await crowd.buy({ slug: "photo-tool" }, "card"));
      await crowd.write("mia", "Does it go into a dishwasher?");
      const [first = assert.fail("no order")] = placed;

      await serveOne(page, first);
      await deliverRest(page);
      await restock(page);
      await answer(page);
      await openInvoice(page, first);

      // 20 parcels of two mugs and 4.90 for sending, 30 licences, and a mug that was given back.
      assert.equal(
        placed.reduce((sum, { total }) => sum + total, 0),
        PARCELS * (2 * 1_450 + 490) + LICENCES * 1_999,
      );
      await page.goto("/admin/statistics");
      const figures = page.locator(".figures").first();
      await figures.getByText("€1,263.20", { exact: true }).waitFor();
      await figures.getByText(String(placed.length), { exact: true }).waitFor();
      await page.goto("/admin/today");
      await page.getByText("You’re all caught up.").waitFor();
    });
  });
});
