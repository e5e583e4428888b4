/** Hidden servers and open alerts, for strangers and for administrators. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signInBehind } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";

describe("hidden servers in a browser", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      await site.addOnline({ id: "web-1", name: "Web 1", group: "Web" });
      await site.addOnline({ id: "secret", name: "Secret box", group: "Web", hidden: true });
      await site.admin("POST", "/api/admin/alert-rules", {
        kind: "metric",
        name: "Busy",
        metric: "cpu.usagePercent",
        op: ">",
        threshold: 1,
        severity: "critical",
        forSeconds: 0,
      });
    },
  });

  it(
    "stay out of a stranger's sight",
    room.page(async ({ page, allow }) => {
      allow(/404/u);
      await page.goto("/");
      await page.getByRole("link", { name: "Web 1", exact: true }).waitFor();
      assert.equal(await page.getByText("Secret box").count(), 0);
      assert.equal(await page.getByRole("link", { name: /open alert/u }).count(), 0);
      await page.goto("/servers/secret");
      await page.getByText("Server not found").waitFor();
    }),
  );

  for (const colorScheme of ["light", "dark"] as const)
    it(`are marked for an administrator, with their page, Edit and the bell, in the ${colorScheme} theme`, async (test) => {
      await room.page(
        async ({ page }) => {
          await signInBehind(page);
          await page.goto("/");
          const card = page.getByRole("article").filter({ hasText: "Secret box" });
          await card.getByText("Hidden").waitFor();
          const bell = page.getByRole("link", { name: "2 open alerts 2 critical" });
          await bell.waitFor();
          await assertNoBarriers(page, { test, what: `the list, ${colorScheme}` });
          await page.goto("/?view=list");
          await page.getByRole("link", { name: "Edit Secret box" }).waitFor();
          await assertNoBarriers(page, { test, what: `the rows, ${colorScheme}` });
          await page.getByRole("link", { name: "Secret box", exact: true }).click();
          await page.getByRole("heading", { level: 1, name: "Secret box" }).waitFor();
          await page.getByRole("heading", { name: "CPU" }).waitFor();
          await assertNoBarriers(page, { test, what: `the server's page, ${colorScheme}` });
          await page.getByRole("link", { name: "Edit Secret box" }).click();
          await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
          await bell.click();
          await page.waitForURL("**/admin/alerts");
        },
        { colorScheme },
      )(test);
    });

  it(
    "go from sight when the administrator signs out",
    room.page(async ({ page }) => {
      await signInBehind(page);
      await page.goto("/admin/servers");
      // What is still loaded when the session ends would get 401.
      await page.getByText("Secret box").first().waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.goto("/");
      await page.getByRole("link", { name: "Web 1", exact: true }).waitFor();
      assert.equal(await page.getByText("Secret box").count(), 0);
    }),
  );
});
