/** axe-core over every public view, light and dark, English and Chinese: nothing serious, nothing critical. */
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { findServer } from "./fleet-view.ts";

/** Both themes, and all languages: other words make other widths and names, but no other colours. */
const looks = [
  { language: "en", colorScheme: "light" },
  { language: "en", colorScheme: "dark" },
  { language: "zh", colorScheme: "dark" },
  { language: "de", colorScheme: "light" },
] as const;

/** Public views: path, and what must be there before axe looks. */
const views: readonly { readonly path: string; readonly ready: (page: Page) => Promise<void> }[] = [
  { path: "/", ready: (page) => findServer(page, "web-1").waitFor() },
  { path: "/?view=list", ready: (page) => findServer(page, "web-1").waitFor() },
  { path: "/?view=uptime", ready: (page) => findServer(page, "web-1").waitFor() },
  { path: "/?q=nothing-has-this-name", ready: (page) => page.getByRole("main").waitFor() },
  { path: "/servers/web-1", ready: (page) => page.getByRole("heading", { name: "web-1" }).waitFor() },
  { path: "/admin", ready: (page) => page.locator("input[name=token]").waitFor() },
];

describe("the dashboard for people with disabilities", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      for (const [index, id] of ["web-1", "web-2", "db-1"].entries()) {
        await site.addOnline(
          {
            id,
            name: id,
            group: id.startsWith("web") ? "Web" : "Data",
            tags: ["test", `t${index}`],
            region: "DE",
            publicNote: "A note for everybody",
            billing: {
              priceMinor: 499,
              currency: "EUR",
              cycle: { n: 1, unit: "month" },
              expiresAt: "2030-01-31T00:00:00Z",
            },
            traffic: { limitBytes: 1_000_000_000_000 },
          },
          { cpuPercent: 20 + 30 * index, memoryPercent: 30 + 30 * index },
        );
      }
      await site.addServer({ id: "new-1", name: "new-1" });
    },
  });

  for (const { path, ready } of views) {
    it(`are welcome at ${path}`, async (test) => {
      await room.page(async ({ page }) => {
        for (const { language, colorScheme } of looks) {
          await page.addInitScript({ content: `localStorage.setItem("language", "${language}")` });
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.goto(path);
          await ready(page);
          await assertNoBarriers(page, { test, what: `${path} ${language} ${colorScheme}` });
        }
      })(test);
    });
  }
});
