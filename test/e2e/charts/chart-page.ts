/** The charts of a server as a test speaks of them. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { Site } from "../site.ts";

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** How long ago the machine of the tests began to report, went away, and came back, minutes. */
export const [BEGAN, LEFT, CAME] = [180, 120, 60];

/** A chart by the key of its kind. */
export function findChart(page: Page, key: string): Locator {
  return page.getByTestId(`chart-${key}`);
}

/** The lines of a chart without its axes, when it has drawn itself. */
export async function findPlot(page: Page, key: string): Promise<Locator> {
  const chart = findChart(page, key);
  await chart.scrollIntoViewIfNeeded();
  await page.locator(`[data-testid=chart-${key}]:not(.is-loading)`).waitFor();
  return chart.locator(".u-over");
}

/** Opens a server's page and waits for its first chart. */
export async function openCharts(page: Page, query = "", id = "web-1"): Promise<void> {
  await page.goto(`/servers/${id}${query}`);
  await page.getByRole("heading", { name: "Charts" }).waitFor();
  await findPlot(page, "cpu");
}

/** Drags over a chart, by shares of its width. */
export async function drag(
  page: Page,
  plot: Locator,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const box = await plot.boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y);
  await page.mouse.move(box.x + to * box.width, y);
  await page.mouse.up();
}

/** The span of the address, epoch ms. */
export function readSpan(page: Page): { from: number; to: number } {
  const { searchParams } = new URL(page.url());
  return {
    from: Date.parse(searchParams.get("from") ?? ""),
    to: Date.parse(searchParams.get("to") ?? ""),
  };
}

/** Waits until a span of the reader's own is shown, and gives it. */
export async function waitForSpan(page: Page): Promise<{ from: number; to: number }> {
  await page.getByRole("button", { name: "Reset zoom" }).waitFor();
  const span = readSpan(page);
  assert.ok(span.to > span.from);
  return span;
}

/** Creates the machine "web-1" with a history that has an outage, which ends with a restart. */
export async function addPast(site: Site): Promise<void> {
  const agent = site.startAgent(await site.addServer({ id: "web-1", name: "web-1" }));
  const now = Date.now();
  for (let ago = BEGAN; ago >= 0; ago -= 1) {
    if (ago < LEFT && ago > CAME) continue;
    const uptimeSeconds = 60 * (ago <= CAME ? CAME - ago + 1 : 10_000 - ago);
    await agent.report({
      cpuPercent: 20 + (ago % 30),
      at: now - ago * MINUTE_MS,
      parts: { uptimeSeconds },
    });
  }
}
