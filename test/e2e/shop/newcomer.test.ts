/** The first fifteen minutes of docs/shop.md in Chromium, sentence by sentence: from the start to a paid test order and its invoice. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { withPage } from "../watched-page.ts";

const KEYS = ["AAAA-0001", "AAAA-0002", "AAAA-0003"];

/** Where the sellers stand, and what they press. */
async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("No unsaved changes").waitFor();
}

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** Takes the step that is next. */
async function takeStep(page: Page, { name, go }: { name: string; go: string }): Promise<void> {
  await page.getByRole("link", { name: "Today", exact: true }).click();
  const step = page.locator(".setup-steps > li[aria-current=step]");
  await step.getByRole("heading", { name }).waitFor();
  await step.getByRole("link", { name: go }).click();
}

async function nameShop(page: Page): Promise<void> {
  await takeStep(page, { name: "Name your shop", go: "Name it" });
  await field(page, "Name of the shop").fill("Harbour Goods");
  await save(page);
}

async function addProduct(page: Page): Promise<void> {
  await takeStep(page, { name: "Add a product", go: "Add it" });
  await field(page, "Name").fill("A licence");
  await field(page, "Price").fill("19.99");
  await page.getByRole("radio", { name: "License keys" }).check();
  await page.getByRole("button", { name: "Create draft" }).click();
  await field(page, "New keys").fill(KEYS.join("\n"));
  await page.getByRole("button", { name: "Add 3 keys" }).click();
  await page.getByText("3 keys were added.").waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("link", { name: "View in shop" }).waitFor();
}

async function switchDemo(page: Page, on: boolean): Promise<void> {
  await page.getByRole("link", { name: /^Demo payment/u }).click();
  const box = page.getByRole("checkbox", { name: "Switch the demo payment on" });
  await (on ? box.check() : box.uncheck());
  await save(page);
}

async function switchInvoicesOn(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await page.getByRole("link", { name: "Fill in the seller" }).click();
  await field(page, "Name or company").fill("Ada Smith");
  await field(page, "Street and number").fill("Harbour Road 7");
  await field(page, "Postal code").fill("20457");
  await field(page, "Town").fill("Hamburg");
  await page.getByRole("combobox", { name: "Country" }).selectOption("DE");
  await save(page);
  await page.getByRole("link", { name: "Invoices", exact: true }).last().click();
  await page.getByRole("checkbox", { name: "Orders get an invoice" }).check();
  await save(page);
}

/** Buys as a guest, and ends on the page of the order. */
async function buy(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "A licence" }).first().click();
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("link", { name: "Check out" }).click();
  await field(page, "Email address").fill("ben@example.org");
  await page.getByRole("radio", { name: /^Demo payment/u }).check();
  await page.getByRole("checkbox", { name: /digital content/u }).check();
  await page.getByRole("button", { name: "Order with obligation to pay" }).click();
  await page.getByRole("button", { name: /^Pay/u }).first().click();
  await page.getByRole("link", { name: "Back to order" }).click();
  await page.getByRole("heading", { name: "Payment received, thank you" }).waitFor();
}

describe("the first fifteen minutes with the shop", () => {
  let browser: Browser;
  let programs: Programs;
  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  it("end with a paid order, its key and its invoice", async ({ name }) => {
    const program = programs.run({ LOG_LEVEL: "warn" });
    const baseURL = await programs.shopUrl(program);
    const [, tokenPath = ""] = await program.find(/administrator token is in (.+)\. Keep a copy/u);
    const token = (await readFile(tokenPath, "utf8")).trim();
    await withPage(browser, { name: `${name}, seller`, baseURL }, async ({ page: seller }) => {
      await seller.goto("/admin");
      await field(seller, "Administrator token").fill(token);
      await seller.getByRole("button", { name: "Sign in", exact: true }).click();
      await seller.getByRole("heading", { name: "Four steps to your first sale" }).waitFor();
      await nameShop(seller);
      await addProduct(seller);
      await takeStep(seller, { name: "Choose how you are paid", go: "Choose" });
      await switchDemo(seller, true);
      await switchInvoicesOn(seller);
      await withPage(browser, { name: `${name}, buyer`, baseURL }, async ({ page: buyer }) => {
        await buy(buyer);
        const text = await buyer.innerText("main");
        assert.ok(text.includes(KEYS[0] ?? ""), text);
        const pdf = await buyer.getByRole("link", { name: /^Invoice .+PDF/u }).getAttribute("href");
        const printed = await buyer.request.get(pdf ?? "");
        assert.match(printed.headers()["content-type"] ?? "", /application\/pdf/u);
        await buyer.getByRole("button", { name: "Confirm delivery" }).click();
        await buyer.getByText("Your order is complete").waitFor();
      });
      await seller.getByRole("link", { name: "Today", exact: true }).click();
      await seller.getByRole("link", { name: /^\d{6}-/u }).click();
      await seller.getByRole("link", { name: /^View Invoice/u }).waitFor();
      await seller.getByRole("link", { name: "Mail server", exact: true }).click();
      await seller.getByRole("link", { name: "Outbox" }).click();
      await seller
        .getByRole("row", { name: /ben@example\.org/u })
        .first()
        .waitFor();
      await seller.getByRole("link", { name: "Today", exact: true }).click();
      await seller.getByText("things are missing before real buyers come").waitFor();
      await seller.getByRole("link", { name: "Switch the demo payment off" }).click();
      await switchDemo(seller, false);
      await seller.locator(".console-banner").waitFor({ state: "detached" });
    });
  });
});
