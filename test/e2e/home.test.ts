/** The first page with servers and checks: what is broken first, three views, who sees what, on a phone and by keyboard. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { signInBehind } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { assertNoSideScroll, assertSameDocument, markDocument, openFleet } from "./fleet-view.ts";
import type { Site, TestAgent } from "./site.ts";

const WIDE = { viewport: { width: 1_440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };

async function addCheck(site: Site, fields: object): Promise<{ id: string; pingKey: string }> {
  const made = await site.admin("POST", "/api/admin/checks", { target: { kind: "heartbeat" }, ...fields });
  // `as`: the view of a heartbeat.
  return made as { id: string; pingKey: string };
}

async function ping(site: Site, { pingKey }: { pingKey: string }, result = ""): Promise<void> {
  assert.equal((await fetch(`${site.url}/ping/${pingKey}${result}`)).status, 200);
}

/** What shows one server or check. */
function findItem(page: Page, name: string): Locator {
  return page
    .getByRole("main")
    .locator("[role=row], [role=listitem]")
    .filter({ has: page.getByText(name, { exact: true }) })
    .last();
}

/** Names in the order of the page. */
function namesOf(page: Page): Promise<string[]> {
  return page.getByRole("main").locator(".card-link, .row-link").allInnerTexts();
}

describe("the first page", () => {
  let backup: { id: string; pingKey: string };
  const agents: TestAgent[] = [];
  // An agent that is silent for a minute needs attention.
  beforeEach(async () => {
    for (const agent of agents) await agent.report();
  });
  const room = createBrowserRoom({
    prepare: async (site) => {
      const web = await site.addOnline({ id: "web-1", name: "web-1", group: "Web", tags: ["eu"] });
      const gone = await site.addOnline({ id: "web-2", name: "web-2", group: "Web" });
      await gone.agent.stop();
      const data = await site.addOnline({ id: "db-1", name: "db-1", group: "Data" });
      agents.push(web.agent, data.agent);
      await site.admin("PATCH", "/api/admin/settings", { privateTargets: true });
      const target = { kind: "http", url: `${site.url}/api/health` };
      await addCheck(site, { name: "Website", group: "Web", public: true, tags: ["eu"], target });
      backup = await addCheck(site, { name: "Backup", group: "Jobs", public: true });
      await ping(site, backup);
      await ping(site, await addCheck(site, { name: "Vault", group: "Data" }));
      await addCheck(site, { name: "Old job", group: "Jobs", public: true, paused: true });
    },
  });

  it(
    "has what is broken first, and then groups that hold servers and checks",
    room.page(async ({ page }) => {
      await openFleet(page);
      await findItem(page, "web-2")
        .filter({ hasText: /Offline for/u })
        .waitFor();
      await findItem(page, "Website").filter({ hasText: /Up/u }).waitFor();
      await eventually(async () =>
        assert.deepEqual(await namesOf(page), ["web-2", "web-1", "Website", "db-1", "Backup", "Old job"]),
      );
      const headings = await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts();
      assert.match(headings.join(" "), /Needs attention\s+1.*Web\s+3.*Data\s+1.*Jobs\s+2/su);
    }, WIDE),
  );

  it(
    "moves a check up when it fails and back when it recovers, without being loaded again",
    room.page(async ({ page }, site) => {
      await openFleet(page);
      await findItem(page, "Backup").filter({ hasText: /Up/u }).waitFor();
      await markDocument(page);
      await ping(site, backup, "/fail");
      await findItem(page, "Backup")
        .filter({ hasText: /Down for/u })
        .waitFor();
      await eventually(async () =>
        assert.deepEqual((await namesOf(page)).slice(0, 2).sort(), ["Backup", "web-2"]),
      );
      assert.match(await page.title(), /^\(2\)/u);
      await ping(site, backup);
      await eventually(async () => assert.deepEqual((await namesOf(page)).slice(0, 1), ["web-2"]));
      await assertSameDocument(page);
    }, WIDE),
  );

  for (const locale of ["en", "de"])
    it(
      `says that a check is in maintenance while it is down, ${locale}`,
      room.page(
        async ({ page }, site) => {
          const hour = 3_600_000;
          const made = await site.admin("POST", "/api/admin/maintenances", {
            name: "Move",
            scope: { type: "ids", ids: [backup.id] },
            schedule: {
              type: "once",
              from: new Date(Date.now() - hour).toISOString(),
              to: new Date(Date.now() + hour).toISOString(),
            },
          });
          await ping(site, backup, "/fail");
          await page.goto("/");
          const card = findItem(page, "Backup");
          await card.locator(".maintenance-mark").waitFor();
          await eventually(async () => {
            const fits = await page.evaluate<boolean>(
              "((line) => line.scrollWidth <= line.clientWidth)(document.querySelector('.card-system:has(.maintenance-mark)'))",
            );
            assert.equal(fits, true);
          });
          await ping(site, backup);
          // `as`: the view of a maintenance.
          await site.admin("DELETE", `/api/admin/maintenances/${(made as { id: string }).id}`);
        },
        { viewport: PHONE.viewport, locale },
      ),
    );

  it(
    "has its uptime in one line on a phone, in German",
    room.page(
      async ({ page }) => {
        await page.goto("/?view=uptime");
        const ratios = page.locator(".uptime-ratio");
        await ratios.filter({ hasText: /\d/u }).first().waitFor();
        for (const ratio of await ratios.all()) {
          const box = await ratio.boundingBox();
          assert.ok(box && box.height < 30, JSON.stringify(box));
        }
      },
      { viewport: PHONE.viewport, locale: "de" },
    ),
  );

  it(
    "shows visitors no private check, and public ones without a way into the console",
    room.page(async ({ page }) => {
      await openFleet(page);
      await findItem(page, "Website").waitFor();
      assert.equal(await page.getByText("Vault").count(), 0);
      assert.equal(await page.getByRole("link", { name: "Website" }).count(), 0);
      await signInBehind(page);
      await page.goto("/");
      await findItem(page, "Vault").waitFor();
      await page.getByRole("link", { name: "Website", exact: true }).click();
      await page.getByRole("heading", { name: "Website" }).waitFor();
      assert.match(new URL(page.url()).pathname, /^\/admin\/checks\/chk_/u);
    }, WIDE),
  );

  it(
    "filters and searches both, and remembers what is shown",
    room.page(async ({ page }) => {
      await openFleet(page);
      await page.getByRole("searchbox").fill("eu");
      await eventually(async () => assert.deepEqual(await namesOf(page), ["web-1", "Website"]));
      await page.getByRole("searchbox").fill("");
      await page.getByRole("group", { name: "States" }).getByRole("button", { name: "Paused" }).click();
      await eventually(async () => assert.deepEqual(await namesOf(page), ["Old job"]));
      await page.getByRole("button", { name: "Clear filter" }).click();
      await page.getByRole("group", { name: "Content" }).getByRole("button", { name: "Checks" }).click();
      await eventually(async () => assert.deepEqual(await namesOf(page), ["Backup", "Old job", "Website"]));
      assert.equal(new URL(page.url()).searchParams.get("show"), "checks");
      await page.goto("/");
      await eventually(async () => assert.deepEqual(await namesOf(page), ["Backup", "Old job", "Website"]));
    }, WIDE),
  );

  it(
    "has rows of both in the list and by uptime, and no percentage of what is younger than an hour",
    room.page(async ({ page }) => {
      await openFleet(page, "/?view=list");
      await findItem(page, "Website")
        .filter({ hasText: /\dm so far/u })
        .waitFor();
      const columns = await page.getByRole("columnheader").count();
      const wide = findItem(page, "Website").locator("[aria-colspan]");
      assert.equal(await wide.getAttribute("aria-colspan"), String(columns - 1));
      await page.goto("/?view=list&show=checks");
      await page.getByRole("columnheader", { name: "Response time" }).waitFor();
      await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
      await eventually(async () => assert.deepEqual(await namesOf(page), ["Backup", "Old job", "Website"]));
      await page.goto("/?view=uptime");
      await findItem(page, "Website")
        .getByRole("img", { name: /Uptime over the last 90 days/u })
        .waitFor();
      await findItem(page, "Website")
        .filter({ hasText: /\dm so far/u })
        .waitFor();
    }, WIDE),
  );

  it(
    "leads the arrow keys from servers to checks, those without a page too",
    room.page(async ({ page }) => {
      await openFleet(page, "/?view=list");
      await findItem(page, "Old job").waitFor();
      const focused = (): Promise<string> => page.evaluate<string>("document.activeElement?.textContent");
      await page.getByRole("link", { name: "web-1", exact: true }).focus();
      await page.keyboard.press("ArrowDown");
      await eventually(async () => assert.equal(await focused(), "Website"));
      await page.keyboard.press("End");
      await eventually(async () => assert.equal(await focused(), "Old job"));
    }, WIDE),
  );

  it(
    "shows at first what the administrator chose, until the reader chooses",
    room.page(async ({ page }, site) => {
      await site.admin("PATCH", "/api/admin/settings", { homeShows: "checks", homeView: "list" });
      await openFleet(page);
      await page.getByRole("columnheader", { name: "Response time" }).waitFor();
      await eventually(async () => assert.deepEqual(await namesOf(page), ["Backup", "Old job", "Website"]));
      await page.getByRole("group", { name: "Content" }).getByRole("button", { name: "All" }).click();
      await page.goto("/");
      await findItem(page, "db-1").waitFor();
      await page.getByRole("columnheader", { name: "CPU", exact: true }).waitFor();
      await site.admin("PATCH", "/api/admin/settings", { homeShows: "all", homeView: "grid" });
    }, WIDE),
  );

  it(
    "keeps its filters behind one button on a phone, with three cards in sight and what is offline first",
    room.page(async ({ page }) => {
      await openFleet(page);
      await findItem(page, "db-1").waitFor();
      const tab = page.getByRole("group", { name: "Groups" }).getByRole("button", { name: "Data" });
      assert.equal(await tab.isVisible(), false);
      await eventually(async () => {
        const boxes = await Promise.all(
          (await page.locator(".card").all()).map((card) => card.boundingBox()),
        );
        const inSight = boxes.filter((box) => box !== null && box.y + box.height <= PHONE.viewport.height);
        assert.ok(inSight.length >= 3, JSON.stringify(boxes));
      });
      assert.equal((await namesOf(page))[0], "web-2");
      await assertNoSideScroll(page);
      const button = page.getByRole("button", { name: "Filters" });
      await button.focus();
      await page.keyboard.press("Enter");
      assert.equal(await button.getAttribute("aria-expanded"), "true");
      await tab.click();
      await eventually(async () => assert.deepEqual(await namesOf(page), ["db-1"]));
      await button.click();
      assert.equal(await tab.isVisible(), false);
      assert.match(await button.innerText(), /Filters\s*1/u);
      await assertNoSideScroll(page);
    }, PHONE),
  );

  for (const { colorScheme, locale } of [
    { colorScheme: "light", locale: "en" },
    { colorScheme: "dark", locale: "de" },
    { colorScheme: "dark", locale: "zh" },
  ] as const)
    it(`has no barriers in any view, ${colorScheme}, ${locale}`, async (test) => {
      await room.page(
        async ({ page }) => {
          await signInBehind(page);
          for (const path of ["/?view=grid", "/?view=list", "/?view=list&show=checks", "/?view=uptime"]) {
            await page.goto(path);
            await findItem(page, "Website").locator(".check-ratio, .uptime-ratio").waitFor();
            await assertNoBarriers(page, { test, what: path });
          }
          await page.setViewportSize(PHONE.viewport);
          await page.goto("/?view=grid");
          await page.locator(".filters-toggle").click();
          await assertNoBarriers(page, { test, what: "the phone's filters" });
        },
        { ...WIDE, colorScheme, locale },
      )(test);
    });
});

describe("the first page without servers", () => {
  const room = createBrowserRoom();

  it(
    "says so while there is nothing, and shows checks as soon as there are some",
    room.page(async ({ page }, site) => {
      await openFleet(page);
      await page.getByText("No servers yet").waitFor();
      await ping(site, await addCheck(site, { name: "Website", public: true }));
      await findItem(page, "Website").filter({ hasText: /Up/u }).waitFor();
      assert.equal(await page.getByRole("group", { name: "Content" }).count(), 0);
      assert.equal(await page.getByRole("group", { name: "Traffic now" }).count(), 0);
    }, WIDE),
  );
});
