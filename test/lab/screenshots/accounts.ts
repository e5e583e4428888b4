/** Pictures of every page of the account center and its console, at two widths and in both themes. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { keepPicture } from "./keep.ts";
import { createPrograms } from "../../support/program.ts";
import { accountStops, consoleStops, tour } from "../../support/accounts/tour.ts";
import { createAccountsWorld } from "../../support/accounts/world.ts";

const ADMIN_TOKEN = "adm_for-the-pictures-of-accounts";
const widths = [390, 1_440] as const;
const HEIGHT = 900;
/** What the console draws when its answers have come. */
const SETTLE_MS = 400;

/** Pictures for docs/pictures, as they are called there. */
const kept: Readonly<Record<string, string>> = {
  "overview-1440-light": "account",
  "console-users-1440-light": "accounts",
};

export interface AccountPictures {
  /** Where all go, as `<page>-<width>-<theme>-<language>.png`. */
  readonly every: string;
  /** Where those go that the documentation shows. */
  readonly kept: string;
  readonly languages: readonly string[];
  /** Part of the names of the pages that are wanted. */
  readonly only: string;
  /** Only what the documentation shows. */
  readonly docs: boolean;
}

/** Takes them. */
export async function takeAccountPictures(browser: Browser, options: AccountPictures): Promise<void> {
  const isKept = (name: string): boolean => Object.keys(kept).some((view) => view.startsWith(`${name}-`));
  const stops = [...accountStops, ...consoleStops].filter(
    ({ name }) => name.includes(options.only) && (!options.docs || isKept(name)),
  );
  const programs = await createPrograms(["auth"]);
  try {
    const url = await programs.authUrl(programs.run({ LOG_LEVEL: "error", ADMIN_TOKEN }));
    const world = await createAccountsWorld(url, ADMIN_TOKEN);
    for (const language of options.languages)
      await tour(browser, { world, stops, language }, async (page, { name, path }) => {
        for (const width of widths)
          for (const colorScheme of ["light", "dark"] as const) {
            await page.setViewportSize({ width, height: HEIGHT });
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            if (path.startsWith("/admin")) await page.waitForTimeout(SETTLE_MS);
            const view = `${name}-${width}-${colorScheme}`;
            const file = join(options.every, `${view}-${language}.png`);
            await page.screenshot({ path: file, fullPage: true });
            const shown = kept[view];
            if (language === "en" && shown !== undefined)
              await keepPicture(file, { folder: options.kept, name: shown });
          }
        console.log(`${name} ${language}`);
      });
  } finally {
    await programs.dispose();
  }
}
