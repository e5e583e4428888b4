/** A check that is down, from the alert to the draft of a status page, and a rule about checks in the editor. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import process from "node:process";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";

const SHOTS = process.env["SHOTS"];

describe("a check that is down", () => {
  const room = createBrowserRoom({ env: { CHECKS_PRIVATE: "1" } });

  it(
    "is listed among the alerts, and a post of the status page is drafted from it",
    room.page(async ({ page }, site) => {
      // Port 9 is closed.
      const target = { kind: "tcp", host: "127.0.0.1", port: 9 };
      const check = { name: "Shop", group: "Public", target, failures: 1, intervalSeconds: 20 };
      const made = (await site.admin("POST", "/api/admin/checks", check)) as { id: string };
      const components = [{ name: "Web shop", source: { type: "check", checkId: made.id } }];
      await site.admin("POST", "/api/admin/status-pages", { slug: "main", title: "Example", components });
      await signIn(page, "/admin/alerts");
      const main = page.getByRole("main");
      await main.getByRole("link", { name: "Shop" }).waitFor();
      await main.getByText("connection refused").waitFor();
      for (const width of [390, 1_440]) {
        if (SHOTS === undefined) continue;
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: `${SHOTS}/alerts-${width}-${colorScheme}.png`, fullPage: true });
        }
      }
      await main.getByRole("checkbox", { name: /^Select Shop: /u }).check();
      await main.getByRole("button", { name: /^Create status page draft/u }).click();
      await page.waitForURL(/\/admin\/status\/stp_/u);
      await page.getByText("Web shop is unavailable").first().waitFor();
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/draft.png`, fullPage: true });
    }),
  );

  it(
    "is covered by a rule that names it in the editor",
    room.page(async ({ page }, site) => {
      const target = { kind: "tcp", host: "127.0.0.1", port: 9 };
      await site.admin("POST", "/api/admin/checks", { name: "Blog", target, paused: true });
      await signIn(page, "/admin/rules");
      await page.getByRole("button", { name: "Add rule" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill("Blog is down");
      await dialog.getByLabel("Condition", { exact: true }).selectOption({ label: "Check is down" });
      await dialog.getByText("Selected checks").first().click();
      await dialog.getByLabel("Blog").check();
      await dialog.getByLabel("Include checks that are down from some locations only").check();
      if (SHOTS !== undefined)
        for (const width of [390, 1_440]) {
          await page.setViewportSize({ width, height: 1_200 });
          await page.screenshot({ path: `${SHOTS}/rule-${width}.png` });
        }
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Blog is down" }).waitFor();
      const { items } = (await site.admin("GET", "/api/admin/alert-rules")) as {
        items: { name: string; countsPartial?: boolean; scope: { ids?: string[] } }[];
      };
      const rule = items.find(({ name }) => name === "Blog is down");
      assert.deepEqual([rule?.countsPartial, rule?.scope.ids?.length], [true, 1]);
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/rules.png`, fullPage: true });
    }),
  );
});
