/** Groups, on-call tables and escalation as an administrator sets them, on a phone and on a large screen. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";

const sizes = [
  { width: 390, height: 844 },
  { width: 1_440, height: 900 },
];

async function assertFits(page: Page): Promise<void> {
  assert.equal(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), false);
}

describe("groups and on-call tables in the page", () => {
  const room = createBrowserRoom({ env: { CHECKS_PRIVATE: "1" } });

  for (const size of sizes) {
    const { width } = size;

    it(
      `create an on-call table with a shift and an override, and name it in a step of an escalation: ${width} px`,
      room.page(
        async ({ page }, site) => {
          const input = { type: "ntfy", name: `Alice ${width}`, topic: "alice" };
          await site.admin("POST", "/api/admin/channels", input);
          await page.setViewportSize(size);
          await signIn(page, "/admin/channels");
          await page.getByRole("button", { name: "Add channel" }).click();
          const dialog = page.getByRole("dialog", { name: "Add channel" });
          await dialog.getByLabel("Type").selectOption("oncall");
          await dialog.getByLabel("Name", { exact: true }).fill(`On call ${width}`);
          await dialog.getByLabel("Time zone").fill("Asia/Tokyo");
          const shifts = dialog.getByRole("group", { name: "Shifts" });
          await shifts.getByRole("button", { name: "Add shift" }).click();
          const boxes = await Promise.all(
            ["Mon", "Tue", "Wed"].map((day) => shifts.getByLabel(day, { exact: true }).boundingBox()),
          );
          assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, "days are beside each other");
          await shifts.getByLabel("Mon", { exact: true }).check();
          await shifts.getByLabel("Channel", { exact: true }).selectOption({ label: input.name });
          const overrides = dialog.getByRole("group", { name: "Overrides" });
          await overrides.getByRole("button", { name: "Override this week" }).click();
          await overrides.getByLabel("Channel", { exact: true }).selectOption({ label: input.name });
          // Monday in Tokyo begins on Sunday at 15:00 in UTC, which is the browser's zone.
          assert.match(await overrides.getByLabel("From", { exact: true }).inputValue(), /T15:00$/u);
          await dialog.getByLabel("Otherwise", { exact: true }).selectOption({ label: input.name });
          await assertFits(page);
          await dialog.getByRole("button", { name: "Save" }).click();
          await dialog.waitFor({ state: "hidden" });
          await page.goto(`${site.url}/admin/rules`);
          await page.getByRole("button", { name: "Add rule" }).click();
          const rule = page.getByRole("dialog", { name: "Add rule" });
          await rule.getByLabel("Name", { exact: true }).fill(`Escalated ${width}`);
          await rule.getByRole("button", { name: "Add step" }).click();
          await rule.getByLabel("Minutes after the first notification").fill("15");
          await rule.getByLabel(`On call ${width}`).last().check();
          await assertFits(page);
          await rule.getByRole("button", { name: "Save" }).click();
          await rule.waitFor({ state: "hidden" });
          await page.getByText(`Escalated ${width}`).first().waitFor();
          const rules = await site.admin("GET", "/api/admin/alert-rules");
          assert.match(JSON.stringify(rules), /"afterMinutes":15/u);
        },
        { timezoneId: "UTC" },
      ),
    );

    it(
      `create a group that is down with one member of two, and list both: ${width} px`,
      room.page(async ({ page }, site) => {
        const group = `Web ${width}`;
        const target = { kind: "tcp", host: "127.0.0.1", port: 9 };
        const up = { kind: "tcp", host: "127.0.0.1", port: Number(new URL(site.url).port) };
        const members = [
          { name: `Dead ${width}`, group, target, failures: 1 },
          { name: `Alive ${width}`, group, target: up },
        ];
        for (const fields of members) await site.admin("POST", "/api/admin/checks", fields);
        await page.setViewportSize(size);
        await signIn(page, "/admin/checks/new?kind=group");
        await page.getByLabel("Group", { exact: true }).first().fill(group);
        await page.getByLabel("Down when").selectOption({ label: "at least this many members are down" });
        await page.getByLabel("Members that must be down").fill("1");
        await page.getByLabel("Members don’t alert on their own").check();
        await page.getByLabel("Name", { exact: true }).fill(`Group ${width}`);
        await page.getByRole("main").getByRole("button", { name: "Add check" }).click();
        await page.getByText("1 of 2 members down", { exact: false }).first().waitFor();
        await page.getByText(`${group}: at least 1`).first().waitFor();
        const panel = page.getByRole("region", { name: "Members" });
        await assertFits(page);
        assert.match(await panel.getByRole("listitem").first().innerText(), new RegExp(`Dead ${width}`, "u"));
        await panel.getByRole("link", { name: `Alive ${width}` }).click();
        await page.getByRole("heading", { name: `Alive ${width}` }).waitFor();
        // The rule holds, and who is down stays visible.
        const found = await site.admin("GET", `/api/admin/checks?q=${encodeURIComponent(`Group ${width}`)}`);
        const [made] = (found as { items: { id: string }[] }).items;
        await site.admin("PATCH", `/api/admin/checks/${made?.id}`, {
          target: { kind: "group", group, downWhen: "all" },
        });
        await page.goto(`${site.url}/admin/checks`);
        const row = page.getByRole("row").filter({ hasText: `Group ${width}` });
        await row.getByText(`1 of 2 members down: Dead ${width}`).waitFor();
        await row.getByText("Up", { exact: true }).waitFor();
        await assertFits(page);
        await page.goto(`${site.url}/admin/checks/${made?.id}`);
        await page.getByText("1 of 2 members down").first().waitFor();
      }),
    );
  }
});
