/** axe-core over every page of the account center, in every language and both themes, on a phone. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { languageNames } from "../../src/kit/text/languages.ts";
import { accountStops, tour } from "../support/accounts/tour.ts";
import { type AccountsWorld, createAccountsWorld } from "../support/accounts/world.ts";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { assertNoBarriers } from "./axe.ts";

const ADMIN_TOKEN = "adm_for-the-pages-of-accounts";

/** The themes differ in nothing but colours, and the languages in nothing but words. */
const looks = [
  { language: "en", first: "light", second: "dark" },
  { language: "zh", first: "dark", second: undefined },
  { language: "de", first: "light", second: undefined },
] as const;

describe("the account center for people with disabilities", () => {
  let browser: Browser;
  let programs: Programs;
  let world: AccountsWorld;

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
    const url = await programs.authUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN }));
    world = await createAccountsWorld(url, ADMIN_TOKEN);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  for (const { language, first, second } of looks)
    it(`has no barriers on any page in ${languageNames[language]}, and nothing that overflows a phone`, async (test) => {
      const viewport = { width: 390, height: 844 };
      let seen = 0;
      const device = `/device?user_code=${world.deviceCode}`;
      const stops = [...accountStops, { name: "device-question", viewer: "ann", path: device } as const];
      await tour(browser, { world, stops, language, viewport }, async (page, { name }) => {
        assert.equal(await page.getAttribute("html", "lang"), language, name);
        await page.emulateMedia({ colorScheme: first, reducedMotion: "reduce" });
        await assertNoBarriers(page, { test, what: `${name} ${first}` });
        if (second !== undefined) {
          await page.emulateMedia({ colorScheme: second, reducedMotion: "reduce" });
          await assertNoBarriers(page, { test, what: `${name} ${second}`, rules: ["color-contrast"] });
        }
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(overflow) <= 0, `${name} overflows by ${String(overflow)}`);
        seen += 1;
      });
      assert.ok(seen > 50, String(seen));
    });

  it("keeps all tabs in sight beside a long name", async () => {
    const context = await world.open(browser, "ann");
    const page = await context.newPage();
    await page.goto("/account");
    const who = page.locator(".who");
    await who.evaluate((node) => (node.textContent = "a-name-of-forty-characters-that-is-long"));
    for (const width of [1_440, 1_100, 1_024]) {
      await page.setViewportSize({ width, height: 600 });
      const [all, seen] = await page
        .getByRole("navigation")
        .first()
        .evaluate((node) => [node.scrollWidth, node.clientWidth] as const);
      assert.ok(all <= seen + 1, `${all} of ${seen} at ${width}`);
      assert.ok(await who.isVisible());
    }
    await context.close();
  });
});
