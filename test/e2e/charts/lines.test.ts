/** The charts of a server in a real browser: outages with their names, and lines that are switched. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator } from "playwright-core";
import { assertNoBarriers } from "../axe.ts";
import { createBrowserRoom } from "../browser-room.ts";
import { eventually } from "../../support/eventually.ts";
import { ADMIN_TOKEN } from "../site.ts";
import {
  BEGAN,
  CAME,
  LEFT,
  addPast,
  drag,
  findChart,
  findPlot,
  openCharts,
  waitForSpan,
} from "./chart-page.ts";

describe("the charts of a server, their lines", () => {
  const room = createBrowserRoom({ prepare: addPast });

  it(
    "name an outage and a restart: on the page, at the cursor and in the table",
    room.page(async ({ page }) => {
      await openCharts(page, "?range=6h");
      const plot = await findPlot(page, "cpu");
      const box = await plot.boundingBox();
      assert.ok(box);
      const at = (minutesAgo: number): number => box.x + box.width * (1 - minutesAgo / 360);
      const chart = findChart(page, "cpu");
      await page.mouse.move(at((LEFT + CAME) / 2), box.y + 40);
      await chart.locator(".legend").getByText("Offline").first().waitFor();
      await chart
        .locator(".chart-tip")
        .getByText(/^Offline .*59m$/u)
        .waitFor();
      await page.mouse.move(at(CAME), box.y + 40);
      await chart.locator(".chart-tip").getByText("rebooted").waitFor();
      await page.mouse.move(at(300), box.y + 40);
      await chart.locator(".legend").getByText("No data yet").first().waitFor();
      await page.mouse.move(at(20), box.y + 40);
      await chart.locator(".legend").getByText("%").first().waitFor();
      await chart.locator(".chart-canvas").focus();
      await page.keyboard.press("Home");
      const said = chart.getByRole("status");
      for (let step = 0; step <= BEGAN && !/Offline/u.test(await said.innerText()); step += 1)
        await page.keyboard.press("ArrowRight");
      assert.match(await said.innerText(), /Offline .*59m/u);
      await chart.getByRole("button", { name: "Show as table" }).click();
      const events = chart.getByRole("list", { name: "Events" });
      assert.match(await events.innerText(), /rebooted[^]*Offline .*59m/u);
    }),
  );

  it(
    "mark alerts, for administrators only",
    room.page(async ({ page }, site) => {
      const rule = { kind: "metric", name: "Swamped", metric: "cpu.usagePercent", op: ">", threshold: 90 };
      await site.admin("POST", "/api/admin/alert-rules", { ...rule, forSeconds: 0 });
      const { agent } = await site.addOnline({ id: "busy-1", name: "busy-1" }, { cpuPercent: 97 });
      await agent.report({ cpuPercent: 98 });
      await eventually(async () => {
        const incidents = await site.admin("GET", "/api/admin/incidents?serverId=busy-1");
        assert.match(JSON.stringify(incidents), /Swamped/u);
      });
      await openCharts(page, "?range=1h", "busy-1");
      const table = findChart(page, "cpu").getByRole("button", { name: "Show as table" });
      await table.click();
      await findChart(page, "cpu").getByRole("cell").first().waitFor();
      assert.equal(await page.getByText("Swamped").count(), 0);
      await page.request.post("/api/admin/auth", { data: { token: ADMIN_TOKEN } });
      await page.evaluate('localStorage.setItem("admin-signed-in", "1")');
      await page.reload();
      await findPlot(page, "cpu");
      await table.click();
      await findChart(page, "cpu")
        .getByText(/alert: Swamped \(ongoing\)$/u)
        .waitFor();
    }),
  );

  it(
    "begin with the first value when the whole range is requested",
    room.page(async ({ page }) => {
      await openCharts(page, "?range=all");
      const box = await (await findPlot(page, "cpu")).boundingBox();
      assert.ok(box);
      await eventually(async () => {
        await page.mouse.move(box.x + 0.05 * box.width, box.y + 40);
        await findChart(page, "cpu").locator(".legend").getByText("%").first().waitFor({ timeout: 500 });
      });
    }),
  );

  it(
    "switch lines off and on, keep that over a new load, and show one alone",
    room.page(async ({ page }) => {
      await openCharts(page);
      const line = (name: string): Locator =>
        findChart(page, "load").getByRole("button", { name: new RegExp(`^${name}`, "u") });
      const pressed = async (): Promise<readonly (string | null)[]> =>
        Promise.all(["1 min", "5 min", "15 min"].map((name) => line(name).getAttribute("aria-pressed")));
      await findPlot(page, "load");
      await line("5 min").click();
      assert.deepEqual(await pressed(), ["true", "false", "true"]);
      await page.reload();
      await findPlot(page, "load");
      assert.deepEqual(await pressed(), ["true", "false", "true"]);
      await line("15 min").focus();
      await page.keyboard.press("Space");
      assert.deepEqual(await pressed(), ["true", "false", "false"]);
      await line("1 min").click();
      assert.deepEqual(await pressed(), ["true", "true", "true"]);
      await line("5 min").dblclick();
      assert.deepEqual(await pressed(), ["false", "true", "false"]);
      await line("5 min").dblclick();
      assert.deepEqual(await pressed(), ["true", "true", "true"]);
    }),
  );

  it(
    "show speeds in bits and temperatures in °F where the reader wants that",
    room.page(async ({ page }) => {
      await openCharts(page);
      await findPlot(page, "network");
      await page.getByLabel("Unit for speed").selectOption("bits");
      await findChart(page, "network")
        .getByText(/bit\/s/u)
        .first()
        .waitFor();
      await page.reload();
      await findPlot(page, "network");
      await findChart(page, "network")
        .getByText(/bit\/s/u)
        .first()
        .waitFor();
    }),
  );

  for (const colorScheme of ["light", "dark"] as const)
    it(`have no barriers when zoomed, ${colorScheme}`, async (test) => {
      await room.page(
        async ({ page }) => {
          await openCharts(page, "?range=6h");
          await drag(page, await findPlot(page, "cpu"), { from: 0.25, to: 0.75 });
          await waitForSpan(page);
          await findChart(page, "cpu").getByRole("button", { name: "Show as table" }).click();
          await assertNoBarriers(page, { test, what: `charts ${colorScheme}` });
        },
        { colorScheme },
      )(test);
    });
});
