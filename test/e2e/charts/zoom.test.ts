/** The charts of a server in a real browser: all are zoomed and moved at once. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBrowserRoom } from "../browser-room.ts";
import { eventually } from "../../support/eventually.ts";
import {
  HOUR_MS,
  addPast,
  drag,
  findChart,
  findPlot,
  openCharts,
  readSpan,
  waitForSpan,
} from "./chart-page.ts";

describe("the charts of a server, zoomed", () => {
  const room = createBrowserRoom({ prepare: addPast });

  it(
    "zoom all at once where one is dragged, ask for that span, and go back with the browser",
    room.page(async ({ page }) => {
      const asked: URL[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname.endsWith("/history")) asked.push(url);
      });
      await openCharts(page, "?range=24h");
      asked.length = 0;
      await drag(page, await findPlot(page, "cpu"), { from: 0.25, to: 0.75 });
      const span = await waitForSpan(page);
      assert.ok(Math.abs(span.to - span.from - 12 * HOUR_MS) < HOUR_MS / 2, `${span.to - span.from} ms`);
      for (const metric of ["cpu.usagePercent", "memory.usedPercent"])
        await eventually(() => {
          const own = asked.filter(({ searchParams }) => searchParams.getAll("metric").includes(metric));
          const from = Number(own.at(-1)?.searchParams.get("from"));
          assert.ok(from > span.from - 12 * HOUR_MS && from <= span.from, `${metric} from ${from}`);
        });
      await page.goBack();
      await page.getByRole("button", { name: "Reset zoom" }).waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).search, "?range=24h");
      await page.goForward();
      await page.getByRole("button", { name: "Reset zoom" }).click();
      await eventually(() => assert.equal(new URL(page.url()).search, "?range=24h"));
    }),
  );

  it(
    "are opened at a span by an address, and moved and zoomed by buttons",
    room.page(async ({ page }) => {
      const now = Date.now();
      const [from, to] = [now - 3 * HOUR_MS, now - 2 * HOUR_MS].map((at) => new Date(at).toISOString());
      await openCharts(page, `?range=6h&from=${from}&to=${to}`);
      const before = await waitForSpan(page);
      await page.getByRole("button", { name: "Earlier" }).click();
      await eventually(() => Math.abs(before.from - readSpan(page).from - HOUR_MS / 2) < 2_000);
      await page.getByRole("button", { name: "Zoom out" }).click();
      await eventually(() => {
        const span = readSpan(page);
        assert.ok(Math.abs(span.to - span.from - 2 * HOUR_MS) < 2_000, "two hours are shown");
      });
    }),
  );

  it(
    "are zoomed by keys, and moved by dragging with Shift",
    room.page(async ({ page }) => {
      await openCharts(page, "?range=15m");
      const canvas = findChart(page, "cpu").locator(".chart-canvas");
      await canvas.focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+End");
      await eventually(async () => {
        const selected = await findChart(page, "memory").locator(".u-select").boundingBox();
        assert.ok(selected !== null && selected.width > 1, "the span is marked on the other charts too");
      });
      await page.keyboard.press("Enter");
      const span = await waitForSpan(page);
      await page.keyboard.down("Shift");
      await drag(page, await findPlot(page, "cpu"), { from: 0.3, to: 0.8 });
      await page.keyboard.up("Shift");
      await eventually(() => {
        const moved = readSpan(page);
        assert.ok(moved.from < span.from, "it shows what was earlier");
        assert.ok(Math.abs(moved.to - moved.from - (span.to - span.from)) < 2_000, "as much as before");
      });
      await canvas.focus();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Reset zoom" }).waitFor({ state: "detached" });
    }),
  );

  it(
    "are zoomed by a finger",
    room.page(
      async ({ page }) => {
        await openCharts(page, "?range=6h");
        const box = await (await findPlot(page, "cpu")).boundingBox();
        assert.ok(box);
        const session = await page.context().newCDPSession(page);
        const touch = (type: "touchStart" | "touchMove" | "touchEnd", share: number): Promise<unknown> =>
          session.send("Input.dispatchTouchEvent", {
            type,
            touchPoints:
              type === "touchEnd" ? [] : [{ x: box.x + share * box.width, y: box.y + box.height / 2 }],
          });
        await touch("touchStart", 0.3);
        for (const share of [0.35, 0.5, 0.6]) await touch("touchMove", share);
        await touch("touchEnd", 0.6);
        const span = await waitForSpan(page);
        assert.ok(Math.abs(span.to - span.from - 1.8 * HOUR_MS) < HOUR_MS / 2);
      },
      { hasTouch: true, viewport: { width: 390, height: 800 } },
    ),
  );

  it(
    "show a range of one's own, and say what is wrong with it",
    room.page(async ({ page }) => {
      await openCharts(page);
      await page.getByRole("button", { name: "Custom…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("From").fill("2026-01-02T10:00");
      await dialog.getByLabel("To").fill("2026-01-02T09:00");
      const show = dialog.getByRole("button", { name: "Apply" });
      await dialog.getByLabel("From").fill("2001-01-02T10:00");
      await show.click();
      await dialog.getByText("Older values aren’t kept").waitFor();
      const day = new Date(Date.now() - 26 * HOUR_MS);
      const toText = (hours: number): string => {
        const pad = (value: number): string => String(value).padStart(2, "0");
        return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}T${pad(hours)}:30`;
      };
      await dialog.getByLabel("From").fill(toText(1));
      await dialog.getByLabel("To").fill(toText(0));
      await dialog.getByText("at least one minute after the start").waitFor();
      await dialog.getByLabel("From").fill(toText(0));
      await dialog.getByLabel("To").fill(toText(1));
      await show.click();
      const span = await waitForSpan(page);
      assert.equal(span.to - span.from, HOUR_MS);
    }),
  );
});
