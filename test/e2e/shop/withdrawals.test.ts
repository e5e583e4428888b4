/** Withdrawals, keys and documents in the console of the shop, without the API. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { createOrderRoom } from "./order-room.ts";

describe("after a sale, in the console", () => {
  const room = createOrderRoom();

  const dialogOf = (page: Page): Locator => page.getByRole("dialog");
  const press = (page: Page, name: string): Promise<void> =>
    dialogOf(page).getByRole("button", { name, exact: true }).click();
  const gone = (page: Page): Promise<void> => dialogOf(page).waitFor({ state: "detached" });
  const act = (page: Page, name: string): Promise<void> =>
    page.locator(".admin-actions").first().getByRole("button", { name, exact: true }).click();
  const choose = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name }).click();
  };

  it("a withdrawal by letter is written down, accepted, paid back and finished, with its credit note", async ({
    name,
  }) => {
    const { mug } = room.goods();
    const placed = await room.order([{ productId: mug, quantity: 2 }]);
    await room.notify(placed);
    await room.page({ name }, async ({ page }) => {
      await signIn(page, `/admin/orders/${placed.id}`);
      await choose(page, "Record withdrawal");
      await dialogOf(page).getByLabel("Entire order").uncheck();
      await press(page, "Record withdrawal");
      await dialogOf(page).getByText("Enter a quantity for at least one item").waitFor();
      await dialogOf(page).getByLabel("Red mug: quantity, up to 2").fill("1");
      await dialogOf(page).getByLabel("Buyer’s statement").fill("one is too red");
      await press(page, "Record withdrawal");
      await gone(page);
      await page.getByRole("link", { name: "Review", exact: true }).click();
      await page.getByRole("link", { name: "Ann Lee" }).click();
      await page.getByText("1 × Red mug").waitFor();
      await act(page, "Decline");
      await press(page, "Decline");
      await dialogOf(page).getByText("Enter a reason").waitFor();
      await press(page, "Cancel");
      await act(page, "Accept");
      await dialogOf(page).getByLabel("Message to the buyer").fill("Send it to Harbour Road 7");
      await press(page, "Accept");
      await gone(page);
      await act(page, "Refund");
      assert.equal(await dialogOf(page).getByLabel("Amount to refund").inputValue(), "12.50");
      await press(page, "Refund");
      await press(page, "Done");
      await act(page, "Close withdrawal");
      await press(page, "Close withdrawal");
      await gone(page);
      await page.getByText("There is nothing left to do.").waitFor();
      await page.getByRole("link", { name: "Invoices" }).click();
      await page.getByRole("button", { name: "Credit notes" }).click();
      await page
        .getByText(/^Credit note for/u)
        .first()
        .waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Export as CSV" }).click(),
      ]);
      assert.equal(download.suggestedFilename(), "invoices.csv");
    });
  });

  it("a key that does not work is replaced, and a mail is sent again", async ({ name }) => {
    const placed = await room.order([{ productId: room.goods().key }], "kim@example.org");
    await room.notify(placed);
    await room.page({ name }, async ({ page }) => {
      await signIn(page, `/admin/orders/${placed.id}`);
      await page.getByText("Delivered: 1").click();
      const key = page.getByRole("textbox", { name: "Delivered item 1" });
      assert.equal(await key.innerText(), "KEY-AAAA-0001");
      await page.getByRole("button", { name: "Replace license key" }).click();
      await press(page, "Replace license key");
      await gone(page);
      await page.getByText("KEY-AAAA-0002").waitFor({ state: "attached" });
      await choose(page, "Resend email");
      await press(page, "Resend email");
      await gone(page);
      await page.getByText("Email resent").waitFor();
      await act(page, "Order link");
      const link = await dialogOf(page).getByRole("textbox", { name: "Order link" }).innerText();
      assert.match(link, /token=ot_/u);
    });
  });

  it("a search is kept under a name, and found there again", async ({ name }) => {
    await room.order([{ productId: room.goods().mug }], "lea@example.org");
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/orders");
      await page.getByText("More filters").click();
      await page.getByLabel("Country (two letters)").fill("de");
      await page.getByRole("button", { name: "Save search" }).click();
      await dialogOf(page).getByLabel("Name").fill("To Germany");
      await press(page, "Save");
      await gone(page);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("button", { name: "To Germany" }).click();
      await page.waitForURL(/country=DE/u);
      await page.getByRole("button", { name: "Manage searches" }).click();
      await press(page, "Delete");
      await page.getByRole("button", { name: "To Germany" }).waitFor({ state: "detached" });
    });
  });
});
