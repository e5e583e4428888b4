/** The console of the shop in Chromium: both ends of a session, the first run, and every section for accessibility. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { createConsoleRoom } from "./console-room.ts";

const token = (page: Page) => page.getByRole("textbox", { name: "Administrator token" });

/** The sections as the source lists them. */
async function readSections(): Promise<string[]> {
  const source = await readFile(new URL("../../../src/web/shop/sections.tsx", import.meta.url), "utf8");
  return [...source.matchAll(/^ +(?:\{ )?name: "([a-z-]+)"/gmu)].map(([, name = ""]) => name);
}

async function waitForSection(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  // Its content has loaded.
  await page.locator(".admin-content > .empty", { hasText: /…$/u }).waitFor({ state: "detached" });
}

describe("the console of the shop in a browser", () => {
  const room = createConsoleRoom();

  it("leads the owner of an empty shop to the first sale, and then says what is missing", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page, allow }) => {
      await page.goto("/admin");
      await token(page).fill("adm_wrong-and-long-enough-to-be-looked-at");
      allow(/401/u);
      await page.keyboard.press("Enter");
      await page.getByText("Invalid administrator token").waitFor();
      await token(page).fill(ADMIN_TOKEN);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Four steps to your first sale" }).waitFor();
      const steps = page.locator(".setup-steps > li");
      assert.equal(await steps.count(), 4);
      assert.match(await steps.first().innerText(), /Name your shop/u);
      assert.equal(await steps.first().getAttribute("aria-current"), "step");
      await room.admin("PATCH", "/api/admin/site", { name: "Harbour Goods" });
      const { number } = await room.sell();
      await page.reload();
      await page.getByRole("link", { name: number }).waitFor();
      assert.equal(await steps.count(), 0, "all four are done");
      await page.getByText("tasks left before you start selling").waitFor();
      await page.getByText("Demo payments are on").waitFor();
      await page.getByRole("link", { name: "1 order to deliver" }).waitFor();
      assert.match(await page.title(), /^Today · Shop · Harbour Goods$/u);
    });
  });

  it("keeps the page when the session ends elsewhere, and goes on after signing in again", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page, allow }) => {
      await signIn(page, "/admin/audit");
      await page.getByRole("button", { name: "Verify chain" }).click();
      await page.getByText("The chain is intact").waitFor();
      const other = await page.context().newPage();
      await other.goto("/admin/today");
      await other.getByRole("button", { name: "Sign out" }).click();
      await token(other).waitFor();
      allow(/401/u);
      await page.getByRole("button", { name: "Verify chain" }).click();
      await page.getByRole("dialog").getByLabel("Administrator token").fill(ADMIN_TOKEN);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("The chain is intact").waitFor();
    });
  });

  it("says in words what there is today, before any other section was opened", async ({ name }) => {
    await room.sell({ title: "Red mug", price: 1_800 });
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/today");
      await page.getByRole("table", { name: "Recent orders" }).waitFor();
      await page.getByRole("link", { name: "All orders" }).waitFor();
    });
  });

  it("shows what was sold by days that the address keeps, as bars, as a table and as a file", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page }) => {
      await room.sell({ title: "Blue mug", price: 2_000 });
      await signIn(page, "/admin/statistics");
      const bars = page.getByRole("slider", { name: /^Revenue/u });
      await bars.focus();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowRight");
      assert.match((await bars.getAttribute("aria-valuetext")) ?? "", /: €\d+\.\d\d$/u);
      await page.locator("summary", { hasText: "Show as table" }).click();
      await page.getByRole("table", { name: "Show as table" }).waitFor();
      await page.getByRole("link", { name: "Blue mug" }).waitFor();
      await page.getByRole("button", { name: "Last 7 days" }).click();
      await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=.*unit=day/u);
      await page.reload();
      assert.equal(
        await page.getByRole("button", { name: "Last 7 days" }).getAttribute("aria-pressed"),
        "true",
      );
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Export as CSV" }).click(),
      ]);
      assert.match(
        await readFile(await download.path(), "utf8"),
        /^start,orders,paidOrders,revenue,currency,views/u,
      );
    });
  });

  it("is worked by the keyboard alone", async ({ name }) => {
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/system");
      await page.getByRole("heading", { name: "Program" }).waitFor();
      await page.keyboard.press("Tab");
      const focused = (): Promise<string> => page.evaluate("document.activeElement.textContent.trim()");
      for (let presses = 0; presses < 60 && (await focused()) !== "Audit log"; presses += 1)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Audit log" }).waitFor();
      assert.equal(await page.evaluate("document.activeElement.id"), "main");
    });
  });

  it("leads to no section that is not there", async ({ name }) => {
    const sections = await readSections();
    await room.page({ name }, async ({ page }) => {
      await signIn(page);
      for (const section of ["today", "system", "statistics"]) {
        await page.goto(`/admin/${section}`);
        await waitForSection(page);
        const links = await page.evaluate<string[]>(
          `[...document.querySelectorAll("main a")].map(({ pathname }) => pathname.split("/")).flatMap(([, first, second]) => first === "admin" ? [second] : [])`,
        );
        assert.ok(links.length >= sections.length, section);
        assert.deepEqual(
          [...new Set(links)].filter((link) => !sections.includes(link)),
          [],
          section,
        );
      }
    });
  });

  const looks = [
    { locale: "en-GB", schemes: ["light", "dark"], width: 390 },
    { locale: "de-DE", schemes: ["light"], width: 320 },
    { locale: "zh-CN", schemes: ["dark"], width: 1_440 },
  ] as const;
  for (const { locale, schemes, width } of looks)
    it(`has no barriers in any section in ${locale}, and nothing that overflows ${width} px`, async (test) => {
      const sections = await readSections();
      assert.ok(sections.length >= 4);
      const options = { name: test.name, locale, viewport: { width, height: 844 } };
      await room.page(options, async ({ page, allow }) => {
        // The check wants to look into the mail's frame, too, which runs no scripts and takes no messages.
        allow(
          /Blocked script execution in '[^']*\/api\/admin\/mails\/|'postMessage'[^]*recipient window's origin \('null'\)/u,
        );
        await page.goto("/admin");
        await page.locator("input[name=token]").waitFor();
        await assertNoBarriers(page, { test, what: "signing in" });
        await signIn(page);
        for (const section of sections) {
          await page.goto(`/admin/${section}`);
          await waitForSection(page);
          for (const [index, colorScheme] of schemes.entries()) {
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            const rules = index === 0 ? {} : { rules: ["color-contrast"] };
            await assertNoBarriers(page, { test, what: `${section} ${colorScheme}`, ...rules });
          }
          const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(overflow) <= 0, `${section} overflows by ${String(overflow)}`);
        }
      });
    });
});
