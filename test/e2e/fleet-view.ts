/** The list of servers as a test speaks of it. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";

/** The part of the page that shows one server. */
export function findServer(page: Page, name: string): Locator {
  return page
    .getByRole("main")
    .locator("li, article, tr, [role=row], [role=listitem]")
    .filter({ has: page.getByRole("link", { name, exact: true }) })
    .last();
}

/** Whether the page says that it is live: "Live", or that it is trying again. */
export function findLiveState(page: Page): Locator {
  return page.getByRole("banner").getByRole("status");
}

/** Opens the first page and waits until it shows live data. */
export async function openFleet(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await findLiveState(page).filter({ hasText: "Live" }).waitFor();
}

/** Waits until the server's part of the page has a text that matches. */
export async function waitForText(page: Page, name: string, pattern: RegExp): Promise<void> {
  await findServer(page, name).filter({ hasText: pattern }).waitFor();
}

/** Waits until no server of this name is shown. */
export async function waitUntilGone(page: Page, name: string): Promise<void> {
  await page.getByRole("main").getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
}

/** Marks the document: a page that was loaded again has lost the mark. */
export async function markDocument(page: Page): Promise<void> {
  await page.evaluate("window.trivetMark = 1");
}

/** Fails when the page was loaded again since {@link markDocument}. */
export async function assertSameDocument(page: Page): Promise<void> {
  assert.equal(await page.evaluate("window.trivetMark"), 1, "The page was loaded again");
}

/** Fails when the page is wider than the window. */
export async function assertNoSideScroll(page: Page): Promise<void> {
  await eventually(async () => {
    const size = await page.evaluate<{ content: number; window: number }>(
      "({ content: document.documentElement.scrollWidth, window: window.innerWidth })",
    );
    assert.ok(
      size.content <= size.window,
      `The page is ${size.content} px wide in a window of ${size.window}`,
    );
  });
}
