/** axe-core over the pages of a seller's daily work, in every language and both themes, on a phone. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createOrderRoom } from "./order-room.ts";

/** The themes differ in nothing but colours, and the languages in nothing but words. */
const looks = [
  { locale: "en-GB", first: "light", second: "dark", refund: "Refund" },
  { locale: "zh-CN", first: "dark", second: undefined, refund: "退款" },
  { locale: "de-DE", first: "light", second: undefined, refund: "Erstatten" },
] as const;

interface Found {
  readonly items: readonly { readonly id: string }[];
}

describe("a seller's pages for people with disabilities", () => {
  const room = createOrderRoom();
  let pages: Promise<string[]> | undefined;

  async function makePages(): Promise<string[]> {
    const { mug, key } = room.goods();
    const placed = await room.order([{ productId: mug, quantity: 3 }, { productId: key }]);
    await room.notify(placed);
    await room.notify({ id: "ord_nobody", total: 5_000, currency: "EUR" });
    const body = { orderId: placed.id, what: "too red" };
    const withdrawal = await room.admin<{ id: string }>("POST", "/api/admin/withdrawals", body);
    const query = { status: "paid" };
    await room.admin("POST", "/api/admin/order-searches", {
      name: "Germany",
      query: { ...query, country: "DE" },
    });
    const notices = await room.admin<Found>("GET", "/api/admin/orders/payments?open=true");
    const customers = await room.admin<Found>("GET", "/api/admin/customers");
    return [
      `orders/${placed.id}`,
      "orders",
      "payments",
      `payments/${notices.items[0]?.id}`,
      "withdrawals",
      `withdrawals/${withdrawal.id}`,
      "customers",
      `customers/${customers.items[0]?.id}`,
      "invoices",
      "payments?view=all",
      "orders?q=nothing",
    ];
  }

  for (const { locale, first, second, refund } of looks)
    it(`have no barriers in ${locale}, and nothing that overflows a phone`, async (test) => {
      pages ??= makePages();
      const paths = await pages;
      const viewport = { width: 390, height: 844 };
      await room.page({ name: test.name, locale, viewport, colorScheme: first }, async ({ page }) => {
        await signIn(page);
        const look = async (what: string): Promise<void> => {
          await assertNoBarriers(page, { test, what: `${what} ${first}` });
          if (second !== undefined) {
            await page.emulateMedia({ colorScheme: second, reducedMotion: "reduce" });
            await assertNoBarriers(page, { test, what: `${what} ${second}`, rules: ["color-contrast"] });
            await page.emulateMedia({ colorScheme: first, reducedMotion: "reduce" });
          }
          const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(overflow) <= 0, `${what} overflows by ${String(overflow)}`);
        };
        // Lists that are empty or show more of the same are looked at once.
        for (const path of second === undefined ? paths.slice(0, 9) : paths) {
          await page.goto(`/admin/${path}`);
          await page.locator("h1").waitFor();
          await page.locator("p.empty").first().waitFor({ state: "detached" });
          await look(path);
        }
        await page.goto(`/admin/${paths[0] ?? ""}`);
        await page.getByRole("button", { name: refund, exact: true }).click();
        await page.getByRole("dialog").waitFor();
        await look("refund");
      });
    });
});
