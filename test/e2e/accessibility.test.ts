/** axe-core over every main view, light and dark, English and Chinese: nothing serious, nothing critical. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { findBarriers, isSerious } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { findServer, openFleet } from "./fleet-view.ts";
import { signIn } from "./admin-view.ts";

const languages = ["en", "zh"] as const;
const schemes = ["light", "dark"] as const;

/** Public views: path, and what must be there before axe looks. */
const views: readonly { readonly path: string; readonly ready: (page: Page) => Promise<void> }[] = [
  { path: "/", ready: (page) => findServer(page, "web-1").waitFor() },
  { path: "/?view=list", ready: (page) => findServer(page, "web-1").waitFor() },
  { path: "/?view=uptime", ready: (page) => findServer(page, "web-1").waitFor() },
  { path: "/?q=nothing-has-this-name", ready: (page) => page.getByRole("main").waitFor() },
  { path: "/servers/web-1", ready: (page) => page.getByRole("heading", { name: "web-1" }).waitFor() },
  { path: "/admin", ready: (page) => page.locator("input[type=password]").waitFor() },
];

const sections = ["servers", "alerts", "channels", "settings", "audit"];

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

  async function look(page: Page, test: Pick<TestContext, "diagnostic">, what: string): Promise<void> {
    const findings = await findBarriers(page);
    for (const finding of findings)
      if (!isSerious(finding)) test.diagnostic(`${what}: ${finding.impact} ${finding.rule}: ${finding.text}`);
    assert.deepEqual(
      findings.filter(isSerious).map(({ rule, text }) => `${what}: ${rule}: ${text}`),
      [],
    );
  }

  for (const { path, ready } of views) {
    it(`are welcome at ${path}`, async (test) => {
      await room.page(async ({ page, allow }) => {
        // Administration asks whether one is signed in.
        if (path.startsWith("/admin")) allow(/401 \(Unauthorized\)/u);
        for (const language of languages) {
          await page.addInitScript({ content: `localStorage.setItem("language", "${language}")` });
          for (const colorScheme of schemes) {
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            await page.goto(path);
            await ready(page);
            await look(page, test, `${path} ${language} ${colorScheme}`);
          }
        }
      })(test);
    });
  }

  it("are welcome in administration", async (test) => {
    await room.page(async ({ page, allow }) => {
      allow(/401 \(Unauthorized\)/u);
      await openFleet(page);
      await signIn(page);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const section of sections) {
          await page.goto(`/admin/${section}`);
          await page.getByRole("main").getByRole("heading").first().waitFor();
          await look(page, test, `/admin/${section} ${colorScheme}`);
        }
      }
    })(test);
  });
});
