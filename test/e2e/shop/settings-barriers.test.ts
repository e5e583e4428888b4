/** axe-core and the keyboard over the settings of the shop's console, in every language and both themes, on a phone. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createSettingsRoom } from "./settings-room.ts";

const tabs = ["general", "look", "announcement", "selling", "pages", "law", "limits"];
const paths = [
  "/admin/providers",
  "/admin/providers/new?kind=epay",
  "/admin/providers/bank",
  "/admin/providers/demo",
  ...["methods", "seller", "vat", "rates", "invoices"].map((tab) => `/admin/shipping?tab=${tab}`),
  "/admin/shipping/new",
  ...tabs.map((tab) => `/admin/site?tab=${tab}`),
  "/admin/site?tab=pages&page=imprint",
  "/admin/mail",
  "/admin/mail?tab=outbox",
  "/admin/mails",
  "/admin/webhooks",
];

/** The themes differ in nothing but colours, and the languages in nothing but words. */
const looks = [
  { locale: "en-GB", language: "en", colorScheme: "light", other: "dark" },
  { locale: "zh-CN", language: "zh", colorScheme: "dark", other: undefined },
  { locale: "de-DE", language: "de", colorScheme: "light", other: undefined },
] as const;

/** What words and colours can break. */
const inWords = ["button-name", "color-contrast", "label", "link-name"];

describe("the settings of the shop for people with disabilities", () => {
  const room = createSettingsRoom();

  for (const { locale, language, colorScheme, other } of looks)
    it(`have no barrier in ${language}`, async (test) => {
      await room.admin("PATCH", "/api/admin/site", {
        languages: ["en", "de", "zh"],
        tax: { rates: [{ country: "CH", taxClass: "standard", basisPoints: 810 }] },
      });
      await room.admin("PUT", "/api/admin/site/providers/bank", { kind: "manual", title: "Bank transfer" });
      const body = { url: room.receiver().url, types: ["order.paid"] };
      const { items } = await room.admin<{ items: { id: string }[] }>("GET", "/api/admin/webhooks");
      const hook = items[0] ?? (await room.admin<{ id: string }>("POST", "/api/admin/webhooks", body));
      const viewport = { width: 390, height: 844 };
      await room.page(
        { name: `barriers ${language}`, locale, viewport, colorScheme },
        async ({ page, allow }) => {
          // The watch of this test is a script, which a mail in its frame may not run.
          allow(/Blocked script execution in .*\/page'/u);
          await signIn(page, "/admin/site");
          for (const path of [...paths, `/admin/webhooks/${hook.id}`]) {
            await page.goto(path);
            await page.getByRole("heading", { level: 1 }).waitFor();
            await page.locator(".empty", { hasText: /…$/u }).waitFor({ state: "detached" });
            assert.equal(await page.getAttribute("html", "lang"), language);
            const rules = language === "en" ? undefined : inWords;
            await assertNoBarriers(page, { test, what: `${path} ${colorScheme}`, rules });
            if (other !== undefined) {
              await page.emulateMedia({ colorScheme: other });
              await assertNoBarriers(page, { test, what: `${path} ${other}`, rules: ["color-contrast"] });
              await page.emulateMedia({ colorScheme });
            }
            const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert.ok(Number(overflow) <= 0, `${path} overflows by ${String(overflow)}`);
          }
        },
      );
    });

  it("can be changed with the keyboard alone", async () => {
    await room.page({ name: "keyboard" }, async ({ page }) => {
      await signIn(page, "/admin/providers");
      await page.getByRole("row").nth(1).waitFor();
      await page.getByRole("button", { name: "Add payment provider" }).focus();
      await page.keyboard.press("Enter");
      await page
        .getByRole("dialog")
        .getByRole("link", { name: /^Manual payment/u })
        .focus();
      await page.keyboard.press("Enter");
      // The payment method begins switched on, and is shown to buyers once it has instructions.
      await page.getByRole("textbox", { name: "Payment instructions" }).first().focus();
      await page.keyboard.type("Pay when you pick up the order.");
      await page.getByRole("textbox", { name: "Short name" }).focus();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type("cash");
      await page.keyboard.press("Enter");
      await page.getByText("No unsaved changes").waitFor();
      await page.getByRole("link", { name: "Payment providers" }).first().focus();
      await page.keyboard.press("Enter");
      await page
        .getByRole("row", { name: /Manual payment.*On/u })
        .last()
        .waitFor();
    });
    const path = "/api/admin/site/providers/cash";
    const { enabled } = await room.admin<{ enabled: boolean }>("GET", path);
    assert.equal(enabled, true);
  });
});
