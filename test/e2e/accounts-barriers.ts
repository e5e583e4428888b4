/** axe-core over every page of the account center on a phone; the test files share the languages among them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { type Language, languageNames } from "../../src/kit/text/languages.ts";
import { accountStops, tour } from "../support/accounts/tour.ts";
import { type AccountsWorld, createAccountsWorld } from "../support/accounts/world.ts";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { assertNoBarriers } from "./axe.ts";

const ADMIN_TOKEN = "adm_for-the-pages-of-accounts";

/** A language with the themes to look at it in: they differ in nothing but colours. */
export interface Look {
  readonly language: Language;
  readonly first: "light" | "dark";
  readonly second?: "light" | "dark";
}

/** Looks at every page in these languages. Gives what opens a browser and the center, for more tests beside. */
export function describeBarriers(
  looks: readonly Look[],
  more: (room: () => { readonly browser: Browser; readonly world: AccountsWorld }) => void = () => undefined,
): void {
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

    more(() => ({ browser, world }));
  });
}
