/** What a reader does with the dashboard's head: groups, tags, the order; and what it says when the service is gone. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { createBrowserRoom } from "./browser-room.ts";
import { eventually } from "../support/eventually.ts";
import { assertNoSideScroll, findServer, openFleet, waitForText, waitUntilGone } from "./fleet-view.ts";

/** What the browser says of a service that is gone. */
const unreachable = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket/u;

const WIDE = { viewport: { width: 1_440, height: 900 } };

function foldOf(page: Page, group: string) {
  return page.getByRole("main").getByRole("heading", { name: group }).getByRole("button");
}

function tabOf(page: Page, name: string) {
  return page.getByRole("group", { name: "Groups" }).getByRole("button", { name });
}

describe("the dashboard's page", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      for (const [id, group, tags] of [
        ["web-1", "Web", ["nginx", "app"]],
        ["web-2", "Web", ["nginx"]],
        ["db-1", "Data", ["postgres"]],
      ] as const)
        await site.addOnline({ id, name: id, group, tags: [...tags], region: "DE" });
      const gone = await site.addOnline({ id: "web-3", name: "web-3", group: "Web", tags: ["app"] });
      await gone.agent.stop();
    },
  });

  it(
    "shows one group by its tab, with counts that follow the filter",
    room.page(async ({ page }) => {
      await openFleet(page);
      await waitForText(page, "web-3", /Offline/u);
      await tabOf(page, "Data").click();
      await waitUntilGone(page, "web-1");
      assert.equal(new URL(page.url()).searchParams.get("group"), "Data");
      assert.equal(await tabOf(page, "Data").getAttribute("aria-pressed"), "true");
      await page.getByRole("group", { name: "States" }).getByText("1/1").waitFor();
      await tabOf(page, "All").click();
      await findServer(page, "web-1").waitFor();
      await page.getByRole("group", { name: "States" }).getByRole("button", { name: "Offline" }).click();
      await waitUntilGone(page, "web-1");
      assert.match((await tabOf(page, "Data").textContent()) ?? "", /0$/u);
      assert.match((await tabOf(page, "Web").textContent()) ?? "", /1$/u);
    }, WIDE),
  );

  it(
    "folds a group by keyboard, remembers it, and still says that something in it is offline",
    room.page(async ({ page }) => {
      await openFleet(page);
      await foldOf(page, "Web").focus();
      await page.keyboard.press("Enter");
      await waitUntilGone(page, "web-1");
      await page.reload();
      await findServer(page, "db-1").waitFor();
      assert.equal(await foldOf(page, "Web").getAttribute("aria-expanded"), "false");
      assert.equal(await page.getByRole("link", { name: "web-1", exact: true }).count(), 0);
      await waitForFold(page, /1\s*Offline/u);
      await foldOf(page, "Web").click();
      await findServer(page, "web-1").waitFor();
    }, WIDE),
  );

  async function waitForFold(page: Page, pattern: RegExp): Promise<void> {
    await eventually(async () => assert.match(await foldOf(page, "Web").innerText(), pattern));
  }

  it(
    "puts small groups beside each other on a wide screen, and one below the other on a narrow one",
    room.page(async ({ page }) => {
      await openFleet(page);
      const topOf = async (group: string): Promise<number> => {
        const box = await foldOf(page, group).boundingBox();
        assert.ok(box);
        return Math.round(box.y);
      };
      await eventually(async () => assert.equal(await topOf("Web"), await topOf("Data")));
      await page.setViewportSize({ width: 700, height: 900 });
      await eventually(async () => assert.notEqual(await topOf("Web"), await topOf("Data")));
    }, WIDE),
  );

  it(
    "filters by several tags of a menu, each of which keeps its place",
    room.page(async ({ page }) => {
      await openFleet(page);
      const button = page.getByRole("button", { name: "Tags" });
      const panel = page.getByRole("group", { name: "Tags" });
      await button.focus();
      await page.keyboard.press("Enter");
      const words = (): Promise<string[]> => panel.locator("label").allInnerTexts();
      const inLine = async (): Promise<string[]> =>
        (await words()).map((text) => text.replaceAll(/\s+/gu, " ").trim());
      assert.deepEqual(await inLine(), ["app 2", "nginx 2", "postgres 1"]);
      await panel.getByLabel("nginx").focus();
      await page.keyboard.press("Space");
      await waitUntilGone(page, "db-1");
      assert.deepEqual(await inLine(), ["app 1", "nginx 2", "postgres 0"]);
      await panel.getByLabel("app").check();
      await waitUntilGone(page, "web-2");
      assert.deepEqual(new URL(page.url()).searchParams.getAll("tag"), ["nginx", "app"]);
      await page.keyboard.press("Escape");
      assert.equal(await panel.count(), 0);
      const focused = (): Promise<string> => page.evaluate<string>("document.activeElement?.textContent");
      await eventually(async () => assert.match(await focused(), /^Tags/u));
      await page.setViewportSize({ width: 375, height: 800 });
      await assertNoSideScroll(page);
      await page.getByRole("button", { name: "Not tagged app" }).click();
      await findServer(page, "web-2").waitFor();
    }, WIDE),
  );

  it(
    "puts the worst first from the list of orders and from a column's head alike, and says so",
    room.page(async ({ page }) => {
      await openFleet(page, "/?view=list");
      await waitForText(page, "web-3", /Offline/u);
      const first = (): Promise<string> => page.locator(".row-link").first().innerText();
      await page.getByLabel("Sort by").selectOption({ label: "State" });
      await eventually(async () => assert.equal(await first(), "web-3"));
      await page.getByRole("button", { name: "Worst first" }).click();
      await page.getByRole("button", { name: "Best first" }).waitFor();
      await eventually(async () => assert.notEqual(await first(), "web-3"));
      await page.getByRole("columnheader", { name: "CPU", exact: true }).getByRole("button").click();
      await page.getByRole("button", { name: "Highest first" }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get("sort"), "-cpu");
    }, WIDE),
  );

  it(
    "says since when there is no contact, until there is",
    room.page(async ({ page, allow }, site) => {
      allow(unreachable);
      await openFleet(page);
      await site.kill();
      const note = page.getByText(/Connection lost at \d/u);
      await note.waitFor();
      const colourOf = (selector: string): Promise<string> =>
        page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).color`);
      assert.equal(await colourOf(".summary-states .is-online"), await colourOf(".section-count"));
      await site.restart();
      await note.waitFor({ state: "detached" });
    }, WIDE),
  );
});
