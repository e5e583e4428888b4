/** A status page in a browser, with script and without, in every language, colour and width, and in text browsers. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { openLynx, openW3m, without } from "./text-browser.ts";
import type { Site } from "./site.ts";

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenverwaltung";
const widths = [320, 390, 1440, 2560];

/** A page with all that it can show. */
async function prepare(site: Site): Promise<void> {
  const check = (await site.admin("POST", "/api/admin/checks", {
    name: "web",
    paused: true,
    target: { kind: "tcp", host: "127.0.0.1", port: 9 },
  })) as { id: string };
  const page = (await site.admin("POST", "/api/admin/status-pages", {
    slug: "main",
    title: "Northwind status",
    components: [
      { name: "Website", group: "Shop", source: { type: "check", checkId: check.id }, showsLatency: true },
      { name: LONG, group: "Shop", source: { type: "manual", status: "partial_outage" } },
      { name: "Mail", source: { type: "manual" } },
    ],
  })) as { id: string };
  const update = { step: "investigating", text: `Pages take long. ${LONG} https://example.org/a` };
  const posts = `/api/admin/status-pages/${page.id}/posts`;
  await site.admin("POST", posts, { title: "Shop is slow", update });
  const [from, to] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const planned = { type: "maintenance", title: "New disks", plannedFrom: from, plannedTo: to };
  await site.admin("POST", posts, { ...planned, update: { step: "scheduled", text: "We change disks." } });
  const past = { title: "Mails were late", update: { step: "resolved", text: "All is out." } };
  await site.admin("POST", posts, past);
}

describe("a status page in a browser", () => {
  const room = createBrowserRoom({ prepare });

  for (const colorScheme of ["light", "dark"] as const)
    for (const language of ["en", "zh", "de"])
      it(`has no barriers and nothing beside the screen: ${colorScheme}, ${language}`, async (test) => {
        await room.page(
          async ({ page }) => {
            for (const path of ["/status", "/status/main/history"]) {
              await page.goto(`${path}?lang=${language}`);
              for (const width of widths) {
                await page.setViewportSize({ width, height: 900 });
                const scrolled = await page.evaluate<number>("document.documentElement.scrollWidth");
                assert.ok(scrolled <= width, `${path} is ${scrolled} wide at ${width}`);
              }
              await assertNoBarriers(page, { test, what: `${path} ${language} ${colorScheme}` });
            }
          },
          { colorScheme },
        )(test);
      });

  it(
    "works without script: days by keyboard, language, colours, incident, history",
    room.page(
      async ({ page }) => {
        await page.goto("/status");
        await page.getByText("Daily uptime").first().focus();
        await page.keyboard.press("Enter");
        assert.equal(await page.locator("details[open]").count(), 1);
        await page.getByRole("link", { name: "Deutsch" }).click();
        await page.getByRole("link", { name: "Dunkel" }).click();
        await page.goto("/status");
        assert.equal(await page.locator("html").getAttribute("lang"), "de");
        assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
        await page.getByRole("link", { name: "Shop is slow" }).first().click();
        assert.equal(await page.locator("h1").innerText(), "Shop is slow");
        await page.getByRole("link", { name: "Störungsverlauf" }).click();
        await page.getByRole("link", { name: "Mails were late" }).waitFor();
      },
      { javaScriptEnabled: false },
    ),
  );

  it(
    "is up to date after a minute, and leaves what a reader opened as it is",
    room.page(async ({ page }, site) => {
      await page.clock.install();
      await page.goto("/status");
      await page.getByText("Daily uptime").nth(2).click();
      const { items } = (await site.admin("GET", "/api/admin/status-pages")) as { items: { id: string }[] };
      const [first] = items;
      assert.ok(first);
      const posts = `/api/admin/status-pages/${first.id}/posts`;
      const update = { step: "investigating", text: "Nobody can pay." };
      await site.admin("POST", posts, { title: "Payments fail", update });
      await page.clock.runFor(61_000);
      await page.getByRole("heading", { name: "Some systems have a partial outage" }).waitFor();
      assert.equal(await page.locator("details[open]").count(), 1);
    }),
  );

  for (const { name, open } of [
    { name: "lynx", open: openLynx },
    { name: "w3m", open: openW3m },
  ])
    it(`is read in ${name}`, { skip: without(name, "script") }, async () => {
      const folder = await mkdtemp(join(tmpdir(), "trivet-status-"));
      try {
        const text = await (await open(folder, room.site().url)).read("/status");
        for (const words of [
          /Shop is slow/u,
          /Partial outage/u,
          /No data/u,
          /New disks/u,
          /Mails were late/u,
        ])
          assert.match(text, words);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
});
