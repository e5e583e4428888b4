/** The public dashboard, in a real browser, on the real program. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBrowserRoom } from "./browser-room.ts";
import { eventually } from "../support/eventually.ts";
import {
  assertNoSideScroll,
  assertSameDocument,
  findServer,
  markDocument,
  openFleet,
  waitForText,
  waitUntilGone,
} from "./fleet-view.ts";
import type { TestAgent } from "./site.ts";

const WIDTHS = [375, 768, 1_280, 1_920];
/** A page may ask for the past of a server in the moment in which it goes. */
const goneHistory = /404 \(Not Found\).*\/history\?/u;

describe("the dashboard", () => {
  const agents = new Map<string, TestAgent>();
  const room = createBrowserRoom({
    prepare: async (site) => {
      for (const name of ["web-1", "web-2", "db-1"]) {
        const { agent } = await site.addOnline({
          id: name,
          name,
          group: name.startsWith("web") ? "Web" : "Data",
          tags: ["test"],
          region: "DE",
        });
        agents.set(name, agent);
      }
      await site.addServer({ id: "new-1", name: "new-1" });
      await site.addServer({ id: "secret-1", name: "secret-1", hidden: true });
    },
  });

  function agent(name: string): TestAgent {
    const found = agents.get(name);
    assert.ok(found);
    return found;
  }

  it(
    "shows every visible server with its state and what it reports",
    room.page(async ({ page }) => {
      await agent("web-1").report({ cpuPercent: 41 });
      await openFleet(page);
      await waitForText(page, "web-1", /41\s?%/u);
      for (const name of ["web-1", "web-2", "db-1"]) await waitForText(page, name, /Online/u);
      await waitForText(page, "new-1", /Never connected/u);
    }),
  );

  it(
    "shows a new report without being loaded again",
    room.page(async ({ page }) => {
      await agent("web-1").report({ cpuPercent: 17 });
      await openFleet(page);
      await waitForText(page, "web-1", /17\s?%/u);
      await markDocument(page);
      await agent("web-1").report({ cpuPercent: 83 });
      await waitForText(page, "web-1", /83\s?%/u);
      await assertSameDocument(page);
    }),
  );

  it(
    "shows a server that is added, changed or removed while the page is open",
    room.page(async ({ page, allow }, site) => {
      allow(goneHistory);
      await openFleet(page);
      await markDocument(page);
      const added = await site.addOnline({ name: "late-1" }, { cpuPercent: 55 });
      await waitForText(page, "late-1", /55\s?%/u);
      await site.admin("PUT", `/api/admin/servers/${added.id}`, { name: "renamed-1" });
      await waitForText(page, "renamed-1", /55\s?%/u);
      await waitUntilGone(page, "late-1");
      await site.admin("DELETE", `/api/admin/servers/${added.id}`);
      await waitUntilGone(page, "renamed-1");
      await assertSameDocument(page);
      await added.agent.stop();
    }),
  );

  it(
    "shows that a server went offline and came back",
    room.page(async ({ page }, site) => {
      const key = await site.addServer({ name: "shaky-1" });
      const first = site.startAgent(key);
      await first.report();
      await openFleet(page);
      await waitForText(page, "shaky-1", /Online/u);
      await markDocument(page);
      await first.stop();
      await waitForText(page, "shaky-1", /Offline/u);
      const second = site.startAgent(key);
      await second.report();
      await waitForText(page, "shaky-1", /Online/u);
      await assertSameDocument(page);
      await second.stop();
      await site.admin("DELETE", `/api/admin/servers/${key.id}`);
    }),
  );

  it(
    "never shows a hidden server, and takes one away that is hidden while the page is open",
    room.page(async ({ page, allow }, site) => {
      allow(goneHistory);
      await openFleet(page);
      await findServer(page, "web-2").waitFor();
      assert.equal(await page.getByText("secret-1").count(), 0);
      const record = { name: "web-2", group: "Web", tags: ["test"], region: "DE" };
      await site.admin("PUT", "/api/admin/servers/web-2", { ...record, hidden: true });
      await waitUntilGone(page, "web-2");
      for (const path of ["/api/servers", "/api/servers/web-2", "/api/uptime"]) {
        const text = await (await fetch(`${site.url}${path}`)).text();
        assert.ok(!/"id":"(?:web-2|secret-1)"/u.test(text), `${path} tells of a hidden server`);
      }
      // The page asks for what is hidden, and is refused.
      allow(/404 \(Not Found\)/u);
      await page.goto("/servers/secret-1");
      await page.getByText("Server not found").waitFor();
      // What a PUT leaves out stays as it is.
      await site.admin("PUT", "/api/admin/servers/web-2", { ...record, hidden: false });
    }),
  );

  it(
    "keeps the chosen theme over a new load, and comes in it from the first moment",
    room.page(
      async ({ page }) => {
        await openFleet(page);
        const background = (): Promise<string> =>
          page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
        const light = await background();
        await page.getByLabel("Theme").selectOption("dark");
        const dark = await background();
        assert.notEqual(dark, light);
        // The answer itself carries the theme: there is no moment in the other colours.
        const answer = await page.goto("/");
        assert.match((await answer?.text()) ?? "", /data-theme="dark"/u);
        assert.equal(await background(), dark);
      },
      { colorScheme: "light" },
    ),
  );

  it(
    "follows the system's dark mode when nothing was chosen",
    room.page(
      async ({ page }) => {
        await openFleet(page);
        const scheme = await page.evaluate<string>("getComputedStyle(document.documentElement).colorScheme");
        assert.equal(scheme, "dark");
      },
      { colorScheme: "dark" },
    ),
  );

  it(
    "speaks the browser's language, and the one that is chosen",
    room.page(
      async ({ page }) => {
        await page.goto("/");
        await page.getByText("在线").first().waitFor();
        assert.equal(await page.evaluate("document.documentElement.lang"), "zh");
        await page.getByLabel("语言").selectOption("en");
        await waitForText(page, "web-1", /Online/u);
        await page.reload();
        await waitForText(page, "web-1", /Online/u);
      },
      { locale: "zh-CN" },
    ),
  );

  for (const width of WIDTHS) {
    it(
      `fits a window of ${width} px`,
      room.page(
        async ({ page }) => {
          await openFleet(page);
          await findServer(page, "web-1").waitFor();
          await assertNoSideScroll(page);
          await page.goto("/servers/web-1");
          await page.getByRole("heading", { name: "web-1" }).waitFor();
          await assertNoSideScroll(page);
        },
        { viewport: { width, height: 800 } },
      ),
    );
  }

  it(
    "goes to a server's page and back without being loaded again, also by keyboard",
    room.page(async ({ page }) => {
      await openFleet(page);
      await markDocument(page);
      await page.getByRole("main").getByRole("link", { name: "web-1" }).first().focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "web-1" }).waitFor();
      assert.equal(new URL(page.url()).pathname, "/servers/web-1");
      await page.goBack();
      await findServer(page, "web-2").waitFor();
      await assertSameDocument(page);
    }),
  );

  it(
    "draws of a long list what is near, and leads by keyboard to all of it",
    room.page(async ({ page, allow }, site) => {
      allow(goneHistory);
      const ids = Array.from({ length: 120 }, (_, index) => `many-${String(index).padStart(3, "0")}`);
      for (const id of ids) await site.addServer({ id, name: id, group: "Many" });
      await openFleet(page, "/?group=Many");
      const cards = page.getByRole("main").locator("article");
      const links = page.getByRole("main").getByRole("link", { name: /^many-/u });
      await eventually(async () => assert.equal(await links.count(), ids.length));
      await eventually(async () => {
        const count = await cards.count();
        assert.ok(count > 0 && count < 60, `${count} cards`);
      });
      const focused = (): Promise<string> => page.evaluate<string>("document.activeElement?.textContent");
      await links.first().focus();
      await page.keyboard.press("End");
      await findServer(page, "many-119").locator(".card-link").waitFor();
      assert.equal(await focused(), "many-119");
      await eventually(async () => assert.equal(await cards.filter({ hasText: "many-060" }).count(), 0));
      await page.keyboard.press("ArrowUp");
      await eventually(async () => assert.match(await focused(), /^many-11[4-8]$/u));
      // What has the focus stays drawn, however far the page is scrolled.
      const last = await focused();
      await page.evaluate("scrollTo(0, 0)");
      await cards.filter({ hasText: "many-000" }).waitFor();
      assert.equal(await cards.filter({ hasText: last }).count(), 1);
      assert.equal(await focused(), last);
      await page.keyboard.press("Home");
      await eventually(async () => assert.equal(await focused(), "many-000"));
      for (const id of ids) await site.admin("DELETE", `/api/admin/servers/${id}`);
    }),
  );

  it(
    "has a way past the header for the keyboard",
    room.page(async ({ page }) => {
      await openFleet(page);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await eventually(async () => assert.equal(await page.evaluate("document.activeElement?.id"), "main"));
    }),
  );

  it(
    "sends requests to the monitor only",
    room.page(async ({ page }, site) => {
      const foreign: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(site.url)) foreign.push(request.url());
      });
      await openFleet(page);
      await page.goto("/servers/web-1");
      await page.getByRole("heading", { name: "web-1" }).waitFor();
      assert.deepEqual(
        foreign.filter((url) => /^https?:/u.test(url)),
        [],
      );
    }),
  );
});
