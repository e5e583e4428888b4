/** A seller's work with orders in the console of the shop: paid, delivered, given back, decided, blocked. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { type Placed, ANN, createOrderRoom } from "./order-room.ts";

describe("orders in the console", () => {
  const room = createOrderRoom();

  const dialogOf = (page: Page): Locator => page.getByRole("dialog");
  const press = (page: Page, name: string): Promise<void> =>
    dialogOf(page).getByRole("button", { name, exact: true }).click();
  const gone = (page: Page): Promise<void> => dialogOf(page).waitFor({ state: "detached" });
  const act = (page: Page, name: string): Promise<void> =>
    page.locator(".admin-actions").first().getByRole("button", { name, exact: true }).click();
  const stockOf = async (id: string): Promise<number | undefined> => {
    const { items } = await room.admin<{ items: { productId: string; onHand: number }[] }>(
      "GET",
      "/api/admin/stock?limit=100",
    );
    return items.find(({ productId }) => productId === id)?.onHand;
  };

  it("are found, marked as paid, sent with a tracking number, and given back in part with the units", async ({
    name,
  }) => {
    const { mug, key } = room.goods();
    const placed = await room.order([{ productId: mug, quantity: 3 }, { productId: key }]);
    const before = await stockOf(mug);
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/orders");
      await page.getByRole("searchbox", { name: /number, buyer/u }).fill(placed.number.toLowerCase());
      await page.waitForURL(/q=/u);
      await page.getByRole("link", { name: placed.number }).click();
      await act(page, "Mark as paid");
      await dialogOf(page).getByLabel("Reference").fill("bank 17");
      await press(page, "Mark as paid");
      await gone(page);
      await page.getByText("Partially delivered").first().waitFor();
      await page.getByText("Delivered: 1").click();
      await page.getByRole("textbox", { name: "Delivered item 1" }).getByText("KEY-AAAA-0001").waitFor();
      await act(page, "Refund");
      await press(page, "Selected items");
      await dialogOf(page).getByLabel("Red mug: quantity, up to 3").fill("1");
      assert.equal(await dialogOf(page).getByLabel("Amount for Red mug").inputValue(), "12.50");
      await press(page, "Refund");
      await dialogOf(page).getByText("The shop didn’t transfer any money").waitFor();
      await press(page, "Done");
      await page.getByText("Partially refunded").first().waitFor();
      await page.getByText("1 back in stock").waitFor();
      await act(page, "Deliver order");
      await dialogOf(page).getByLabel("Carrier").fill("DHL");
      await dialogOf(page).getByLabel("Tracking number").fill("JD0146");
      await press(page, "Deliver");
      await gone(page);
      await page.getByRole("link", { name: "JD0146" }).waitFor();
      const invoice = page.getByRole("link", { name: /^View Invoice/u });
      const printed = await page.request.get((await invoice.getAttribute("href")) ?? "");
      assert.match(await printed.text(), /Harbour Goods/u);
    });
    // Three were taken, and one came back.
    assert.equal(await stockOf(mug), (before ?? 0) - 2);
  });

  it("keep the input when someone else was faster, and say so", async ({ name }) => {
    const placed = await room.order([{ productId: room.goods().mug }]);
    await room.page({ name }, async ({ page, allow }) => {
      allow(/status of 409/u);
      await signIn(page, `/admin/orders/${placed.id}`);
      await act(page, "Note");
      await dialogOf(page).getByLabel("Note").fill("rang up");
      await room.admin("POST", `/api/admin/orders/${placed.id}/note`, { note: "wrote a mail" });
      await press(page, "Save");
      await dialogOf(page).getByText("Someone else changed this").waitFor();
      assert.equal(await dialogOf(page).getByLabel("Note").inputValue(), "rang up");
      await press(page, "Save");
      await gone(page);
      await page.getByText("rang up").waitFor();
      await page.getByText("wrote a mail").waitFor();
    });
  });

  it("are moved many at once, each with a result of its own", async ({ name }) => {
    const { mug } = room.goods();
    const orders: Placed[] = [];
    for (const email of ["one@example.org", "two@example.org"])
      orders.push(await room.order([{ productId: mug }], email));
    const [paid, open] = orders;
    assert.ok(paid !== undefined && open !== undefined);
    await room.notify(paid);
    await room.page({ name, viewport: { width: 390, height: 844 } }, async ({ page }) => {
      await signIn(page, "/admin/orders");
      for (const { number } of orders) await page.getByRole("checkbox", { name: `Select ${number}` }).check();
      const bar = page.getByRole("region", { name: "Selected orders" });
      await bar.getByRole("button", { name: "Deliver" }).click();
      await press(page, "Deliver");
      await dialogOf(page).getByText("1 order updated").waitFor();
      await dialogOf(page).getByRole("link", { name: open.number }).waitFor();
      await press(page, "Done");
      await gone(page);
      await page.getByRole("button", { name: "Pending payment" }).click();
      await page.waitForURL(/status=pending_payment/u);
      await page.getByRole("link", { name: open.number }).waitFor();
      assert.equal(await page.getByRole("link", { name: paid.number }).count(), 0);
    });
  });

  it("get money from the inbox that a person assigns, after it says why it waits", async ({ name }) => {
    const placed = await room.order([{ productId: room.goods().mug }], "dora@example.org");
    await room.notify({ id: "ord_nobody", total: placed.total, currency: placed.currency });
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/payments");
      const one = page.getByRole("article", { name: "Payment €12.50" });
      await one.getByText("No order has this number.").waitFor();
      await page.getByRole("link", { name: "Payments 1 open task" }).waitFor();
      await one.getByRole("button", { name: "Assign to order" }).click();
      await press(page, "Assign to order");
      await dialogOf(page).getByText("Select an order from the list").waitFor();
      await dialogOf(page).getByRole("searchbox").fill("dora");
      await dialogOf(page)
        .getByRole("button", { name: new RegExp(placed.number, "u") })
        .click();
      await press(page, "Assign to order");
      await gone(page);
      await page.getByText("No payments need review").waitFor();
      await page.goto(`/admin/orders/${placed.id}`);
      await page.getByText("Pending payment").waitFor({ state: "detached" });
      await page.getByText("To deliver").first().waitFor();
    });
  });

  it("need no pointer", async ({ name }) => {
    const placed = await room.order([{ productId: room.goods().mug }], "kay@example.org");
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/orders?q=kay");
      await page.getByRole("link", { name: placed.number }).focus();
      await page.keyboard.press("Enter");
      const paid = page.getByRole("button", { name: "Mark as paid" });
      await paid.focus();
      await page.keyboard.press("Enter");
      const amount = dialogOf(page).getByLabel("Amount received");
      await amount.focus();
      await page.keyboard.type("x");
      await page.keyboard.press("Enter");
      await dialogOf(page).getByText("Enter an amount such as 12.50").waitFor();
      await page.keyboard.press("Escape");
      await gone(page);
      assert.equal(await page.evaluate("document.activeElement.textContent"), "Mark as paid");
      await page.getByRole("button", { name: "More actions" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("End");
      assert.equal(await page.evaluate("document.activeElement.textContent"), "Cancel order");
      await page.keyboard.press("Enter");
      await dialogOf(page).getByRole("button", { name: "Cancel order" }).focus();
      await page.keyboard.press("Enter");
      await gone(page);
      await page.getByText("Canceled", { exact: true }).first().waitFor();
    });
  });

  it("stop for a customer who is blocked, whose note stays", async ({ name }) => {
    await room.order([{ productId: room.goods().mug }]);
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/customers");
      await page.getByRole("searchbox").fill("ann@");
      await page.getByRole("link", { name: ANN }).click();
      await page.getByRole("textbox", { name: "Note" }).fill("asks for an invoice");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("No unsaved changes").waitFor();
      await act(page, "Block");
      await press(page, "Block");
      await gone(page);
      await page.getByText("Blocked", { exact: true }).waitFor();
      await assert.rejects(room.order([{ productId: room.goods().mug }]), /order_refused/u);
      await act(page, "Unblock");
      await press(page, "Unblock");
      await gone(page);
      assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "asks for an invoice");
    });
  });
});
