/** Alerts as a table: filters, a selection by mouse, keyboard and finger, and one action on all of them. */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import type { Site } from "./site.ts";

const names = ["alpha", "bravo", "charlie", "delta", "echo"];

/** For people who look at what is drawn: SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  const size = page.viewportSize();
  for (const width of [1_440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.emulateMedia({ colorScheme: "light" });
  if (size !== null) await page.setViewportSize(size);
}

async function prepare(site: Site): Promise<void> {
  const rule = { kind: "check", name: "Down", severity: "critical" };
  await site.admin("POST", "/api/admin/alert-rules", rule);
  // Port 9 is closed.
  const target = { kind: "tcp", host: "127.0.0.1", port: 9 };
  for (const name of names)
    await site.admin("POST", "/api/admin/checks", { name, target, failures: 1, intervalSeconds: 20 });
}

async function openAlerts(page: Page): Promise<void> {
  await signIn(page, "/admin/alerts");
  await page.getByRole("checkbox", { name: "Select all (5)" }).waitFor();
}

describe("alerts that are selected", () => {
  const room = createBrowserRoom({ env: { CHECKS_PRIVATE: "1" }, prepare });

  it(
    "are acknowledged, annotated and muted together, by mouse and keyboard",
    room.page(async ({ page }) => {
      await openAlerts(page);
      const main = page.getByRole("main");
      const rows = main.getByRole("table", { name: "Open alerts" }).locator("tbody tr");
      const box = (at: number) => rows.nth(at).getByRole("checkbox");
      const bar = main.getByRole("group", { name: "Selected alerts" });

      await box(0).click();
      await box(2).click({ modifiers: ["Shift"] });
      await bar.getByText("3 selected").waitFor();
      // The space key ticks, and with Shift it takes the rows in between.
      await box(2).focus();
      await page.keyboard.press("Space");
      await bar.getByText("2 selected").waitFor();
      await box(4).focus();
      await page.keyboard.press("Shift+Space");
      await bar.getByText("5 selected").waitFor();
      await bar.getByRole("button", { name: "Clear selection" }).click();
      await bar.waitFor({ state: "detached" });

      await main.getByRole("checkbox", { name: "Select all (5)" }).check();
      await shoot(page, "alerts-selected");
      await assertNoBarriers(page, { test: { diagnostic: () => undefined }, what: "selected alerts" });
      await bar.getByRole("button", { name: "Acknowledge" }).click();
      await page.getByText("5 alerts changed").waitFor();
      await rows.nth(4).getByText("Acknowledged").waitFor();
      await bar.getByRole("button", { name: "Edit note" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Note").fill("Rack 4 has no power");
      await dialog.getByRole("button", { name: "Save" }).click();
      await rows.nth(4).getByText("Rack 4 has no power").waitFor();
      await bar.getByRole("button", { name: "Mute" }).click();
      await page.getByRole("menuitem", { name: "Mute for an hour" }).click();
      await rows.nth(4).getByText("Muted").first().waitFor();
      await shoot(page, "alerts-done");

      await bar.getByRole("button", { name: "Clear selection" }).click();
      await main.getByRole("searchbox", { name: "Search alerts" }).fill("charlie");
      await page.waitForURL(/q=charlie/u);
      assert.equal(await rows.count(), 1);
      await main.getByRole("combobox", { name: "Acknowledged" }).selectOption({ label: "Not acknowledged" });
      await main.getByText("No open alerts match these filters").waitFor();
    }),
  );

  it(
    "can be selected on a phone, and the actions stay in sight",
    room.page(async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 600 });
      await openAlerts(page);
      const main = page.getByRole("main");
      const rows = main.getByRole("table", { name: "Open alerts" }).locator("tbody tr");
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
      await rows.nth(0).getByRole("checkbox").check();
      await rows.nth(4).scrollIntoViewIfNeeded();
      await rows.nth(4).getByRole("checkbox").check();
      const bar = main.getByRole("group", { name: "Selected alerts" });
      await bar.getByText("2 selected").waitFor();
      const at = await bar.boundingBox();
      assert.ok(at !== null && at.y >= 0 && at.y + at.height <= 600);
      await bar.getByRole("button", { name: "Acknowledge" }).click();
      await page.getByText("2 alerts changed").waitFor();
    }),
  );

  it(
    "are named when they are over before the action comes",
    room.page(async ({ page }, site) => {
      await openAlerts(page);
      const main = page.getByRole("main");
      await main.getByRole("checkbox", { name: "Select all (5)" }).check();
      const { items } = (await site.admin("GET", "/api/admin/checks")) as {
        items: { id: string; name: string }[];
      };
      const gone = items.find(({ name }) => name === "bravo")?.id ?? "";
      // The page learns of it only after it has asked.
      const before = await site.admin("GET", "/api/admin/alerts");
      await page.route("**/api/admin/alerts", (route) => route.fulfill({ json: before }));
      await site.admin("PATCH", `/api/admin/checks/${gone}`, { paused: true });
      for (let open = 5; open > 4; await page.evaluate("new Promise(requestAnimationFrame)"))
        open = ((await site.admin("GET", "/api/admin/alerts")) as { firing: unknown[] }).firing.length;
      await main
        .getByRole("group", { name: "Selected alerts" })
        .getByRole("button", { name: "Acknowledge" })
        .click();
      const dialog = page.getByRole("dialog", { name: "Some alerts weren’t changed" });
      await dialog.getByText("4 alerts changed").waitFor();
      await dialog.getByText("bravo: Down").waitFor();
      await dialog.getByText(/The incident is already closed/u).waitFor();
    }),
  );
});
