/** docs/start-shop.md in Chromium, word by word: from the token to a paid test order, its key and its invoice. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { withPage } from "../watched-page.ts";
import { type Guide, type Step, readGuide } from "./guide.ts";

const KEYS = ["AAAA-0001", "AAAA-0002", "AAAA-0003"];

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
/** What may go on with more, such as a state or an amount. */
const starts = (name: string): RegExp => new RegExp(`^${name}`, "u");

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Saves with the button of that name, and waits until nothing is left to save. */
async function save(page: Page, name: string): Promise<void> {
  await press(page, name);
  await page.locator(".save-bar:not(.is-dirty)").waitFor();
}

async function addProduct(seller: Page, guide: Guide): Promise<string> {
  const draft = guide.step();
  await link(seller, draft.name()).click();
  await link(seller, draft.name()).click();
  const product = draft.code();
  await field(seller, draft.name()).fill(product);
  const price = draft.code();
  await field(seller, draft.name()).fill(price);
  await seller.getByRole("radio", { name: draft.name() }).check();
  await press(seller, draft.name());
  draft.done();

  const keys = guide.step();
  await field(seller, keys.name()).fill(KEYS.join("\n"));
  const add = seller.getByRole("button", { name: keys.name(), exact: true });
  await add.click();
  await add.waitFor({ state: "detached" });
  await press(seller, keys.name());
  await seller.getByRole("link", { name: /shop/iu }).first().waitFor();
  keys.done();
  return product;
}

async function switchDemoOn(seller: Page, step: Step): Promise<void> {
  await link(seller, step.name()).click();
  await link(seller, step.name()).click();
  await seller.getByRole("link", { name: starts(step.name()) }).click();
  await seller.getByRole("checkbox", { name: step.name() }).check();
  await save(seller, step.name());
  step.done();
}

async function switchInvoicesOn(seller: Page, step: Step): Promise<void> {
  await link(seller, step.name()).click();
  await link(seller, step.name()).click();
  for (const value of ["Ada Smith", "Harbour Road 7", "20457", "Hamburg"])
    await field(seller, step.name()).fill(value);
  await seller.getByRole("combobox", { name: step.name() }).selectOption("DE");
  await save(seller, step.name());
  await link(seller, step.name()).last().click();
  await seller.getByRole("checkbox", { name: step.name() }).check();
  await save(seller, step.name());
  step.done();
}

/** Buys as a guest, and confirms the delivery. */
async function buy(buyer: Page, { guide, product }: { guide: Guide; product: string }): Promise<void> {
  const order = guide.step();
  await buyer.goto(order.path());
  assert.equal(order.name(), product);
  await buyer.getByRole("link", { name: product }).first().click();
  await press(buyer, order.name());
  await link(buyer, order.name()).click();
  await field(buyer, order.name()).fill("ben@example.org");
  await buyer.getByRole("radio", { name: starts(order.name()) }).check();
  await buyer.getByRole("checkbox", { name: order.name() }).check();
  await press(buyer, order.name());
  order.done();

  const pay = guide.step();
  await buyer
    .getByRole("button", { name: starts(pay.name()) })
    .first()
    .click();
  await link(buyer, pay.name()).click();
  await buyer.getByText(KEYS[0] ?? "").waitFor();
  const pdf = await buyer.getByRole("link", { name: /^Invoice .+PDF/u }).getAttribute("href");
  const printed = await buyer.request.get(pdf ?? "");
  assert.match(printed.headers()["content-type"] ?? "", /application\/pdf/u);
  const confirm = buyer.getByRole("button", { name: pay.name(), exact: true });
  await confirm.click();
  await confirm.waitFor({ state: "detached" });
  pay.done();
}

describe("the guide to the shop", () => {
  let browser: Browser;
  let programs: Programs;
  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  it("ends with a paid order, its key and its invoice", async ({ name }) => {
    const guide = await readGuide("start-shop.md");
    const program = programs.run({ LOG_LEVEL: "warn" });
    const baseURL = await programs.shopUrl(program);
    const [, tokenPath = ""] = await program.find(/administrator token is in (.+)\. Keep a copy/u);
    const token = (await readFile(tokenPath, "utf8")).trim();
    await withPage(browser, { name: `${name}, seller`, baseURL }, async ({ page: seller }) => {
      const signIn = guide.step();
      await seller.goto(signIn.path());
      await field(seller, signIn.name()).fill(token);
      await press(seller, signIn.name());
      await seller.getByRole("heading", { name: signIn.name() }).waitFor();
      await link(seller, signIn.name()).waitFor();
      signIn.done();

      const naming = guide.step();
      await link(seller, naming.name()).click();
      const shop = naming.code();
      await field(seller, naming.name()).fill(shop);
      await save(seller, naming.name());
      naming.done();

      const product = await addProduct(seller, guide);
      await switchDemoOn(seller, guide.step());
      await switchInvoicesOn(seller, guide.step());
      await withPage(browser, { name: `${name}, buyer`, baseURL }, ({ page }) =>
        buy(page, { guide, product }),
      );

      const end = guide.step();
      await link(seller, end.name()).click();
      await seller.getByRole("link", { name: /^\d{6}-/u }).click();
      await seller
        .getByRole("link", { name: /Invoice/u })
        .first()
        .waitFor();
      await link(seller, end.name()).click();
      await link(seller, end.name()).click();
      await seller
        .getByRole("row", { name: /ben@example\.org/u })
        .first()
        .waitFor();
      end.done();

      const off = guide.step();
      await link(seller, off.name()).click();
      await seller.getByRole("link", { name: off.name() }).first().click();
      await seller.getByRole("link", { name: starts(off.name()) }).click();
      await seller.getByRole("checkbox", { name: off.name() }).uncheck();
      await save(seller, off.name());
      await seller.locator(".console-banner").waitFor({ state: "detached" });
      off.done();
      guide.done();
    });
  });
});
