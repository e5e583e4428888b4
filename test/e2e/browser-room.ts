/** What a file of browser tests shares: one browser, one program, a fresh page for each test. */
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Site, type SiteOptions, startSite } from "./site.ts";
import { type PageOptions, type WatchedPage, withPage } from "./watched-page.ts";

export interface BrowserRoom {
  /** The program; there once the tests run. */
  site(): Site;
  /** A test's body: gets a page of its own and the program. */
  page(
    work: (watched: WatchedPage, site: Site) => Promise<void>,
    options?: Omit<PageOptions, "baseURL">,
  ): (test: { readonly name: string }) => Promise<void>;
}

/** Registers the hooks of the describe in which it is called. */
export function createBrowserRoom(
  options: SiteOptions & { prepare?: (site: Site) => Promise<void> } = {},
): BrowserRoom {
  const { prepare, ...siteOptions } = options;
  let browser: Browser | undefined;
  let site: Site | undefined;

  function getSite(): Site {
    if (site === undefined) throw new Error("The program has not been started yet");
    return site;
  }

  before(async () => {
    [browser, site] = await Promise.all([launchBrowser(), startSite(siteOptions)]);
    await prepare?.(site);
  });
  after(async () => {
    await browser?.close();
    await site?.dispose();
  });

  return {
    site: getSite,
    page:
      (work, pageOptions = {}) =>
      async ({ name }) => {
        if (browser === undefined) throw new Error("The browser has not been started yet");
        const present = getSite();
        await withPage(browser, { ...pageOptions, name, baseURL: present.url }, (watched) =>
          work(watched, present),
        );
      },
  };
}
