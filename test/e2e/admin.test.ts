/** Administration in a real browser: signing in, adding a machine, editing, putting in order. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { signIn, signInBehind } from "./admin-view.ts";
import { runAgentLines } from "./agent-program.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { eventually } from "../support/eventually.ts";
import { openFleet, waitForText, waitUntilGone } from "./fleet-view.ts";
import { ADMIN_TOKEN, type Site } from "./site.ts";

const isSignedOut = /401 \(Unauthorized\)/u;

async function readOrder(site: Site): Promise<string[]> {
  const { items: servers }: { items: { id: string }[] } = await (
    await fetch(`${site.url}/api/servers`)
  ).json();
  return servers.map(({ id }) => id);
}

/** Puts the servers of the suite back as they were. */
async function setOrder(site: Site, first: readonly string[]): Promise<void> {
  const present = await readOrder(site);
  const ids = [...first, ...present.filter((id) => !first.includes(id))];
  await site.admin("PUT", "/api/admin/servers/reorder", { ids });
}

async function findRow(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await page
    .getByRole("list", { name: "Order of servers" })
    .getByRole("button", { name })
    .boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Waits until the field is above the bar that saves, with what is said below it. */
async function waitUntilClear(page: Page, field: Locator): Promise<void> {
  await eventually(async () => {
    const [box, bar] = await Promise.all([field.boundingBox(), page.locator(".save-bar").boundingBox()]);
    assert.ok(box && bar && box.y >= 0);
    assert.ok(box.y + box.height + 24 <= bar.y, `${box.y + box.height} is not above ${bar.y}`);
  });
}

describe("administration in a browser", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      for (const id of ["alpha", "beta", "gamma"]) await site.addOnline({ id, name: id });
    },
  });

  it(
    "refuses a wrong token, takes the right one, stays signed in, and signs out",
    room.page(async ({ page, allow }) => {
      allow(isSignedOut);
      await page.goto("/admin");
      await page.getByRole("textbox", { name: "Administrator token" }).fill("adm_not-the-token");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Invalid administrator token").waitFor();
      await page.getByRole("textbox", { name: "Administrator token" }).fill(ADMIN_TOKEN);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "alpha" }).first().waitFor();
      await page.reload();
      await page.getByRole("link", { name: "alpha" }).first().waitFor();
      assert.match(await page.title(), /^Servers · Admin · /u);
      await page.getByRole("link", { name: "Alert rules" }).click();
      await page.getByRole("heading", { name: "Alert rules" }).waitFor();
      assert.match(await page.title(), /^Alert rules · Admin · /u);
      // No script can read the session.
      assert.ok(!(await page.evaluate<string>("document.cookie")).includes("session"));
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("textbox", { name: "Administrator token" }).waitFor();
      await page.reload();
      await page.getByRole("textbox", { name: "Administrator token" }).waitFor();
    }),
  );

  it(
    "adds a machine: the line that is shown starts a real agent, and the page tells of it",
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/servers");
      await page.getByRole("button", { name: "Add server" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("delta");
      await dialog.getByRole("button", { name: "Continue" }).click();
      const lines = dialog.getByRole("textbox", { name: "Command to run" });
      assert.match((await lines.textContent()) ?? "", /install\.sh \| sudo sh -s -- enr_/u);
      for (const [way, text] of [
        ["Docker", /docker run .*-e TRIVET_ENROL=enr_/su],
        ["Compose", /TRIVET_ENROL: "enr_/u],
        ["Ansible", /sh \/root\/trivet-install\.sh enr_/u],
        ["Manual", /node agent\.js --enrol enr_/u],
      ] as const) {
        await dialog.getByRole("button", { name: way }).click();
        assert.match((await lines.textContent()) ?? "", text);
      }
      const agent = await runAgentLines((await lines.textContent()) ?? "", site.folder);
      try {
        await dialog.getByText("The machine is connected and reports").waitFor();
        await dialog.getByRole("button", { name: "Done" }).click();
        await page.getByRole("link", { name: "delta" }).first().waitFor();
        await openFleet(page);
        await waitForText(page, "delta", /Online/u);
      } finally {
        await agent.stop();
      }
    }),
  );

  it(
    "creates one key for many machines and counts those that register, named as they call themselves",
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/servers");
      await page.getByRole("button", { name: "Add server" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Many machines" }).click();
      await dialog.getByLabel("Number of machines").fill("0");
      await dialog.getByRole("button", { name: "Continue" }).click();
      await dialog.getByText("Enter a number from 1 to 1000").first().waitFor();
      await dialog.getByLabel("Number of machines").fill("3");
      await dialog.getByLabel("Group").fill("Rack");
      await dialog.getByRole("button", { name: "Continue" }).click();
      const line = await dialog.getByRole("textbox", { name: "Command to run" }).textContent();
      const code = /enr_\S+/u.exec(line ?? "")?.[0];
      await dialog.getByText("0 of 3 machines have connected").waitFor();
      for (const hostname of ["rack-1", "rack-2"])
        await fetch(`${site.url}/api/enrol`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ code, hostname }),
        });
      await dialog.getByText("2 of 3 machines have connected").waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("link", { name: "rack-2" }).first().waitFor();
    }),
  );

  it(
    "saves edits; a server that is hidden there disappears for everyone at once",
    room.page(async ({ page }, site) => {
      await signInBehind(page);
      const visitor = await page.context().newPage();
      await openFleet(visitor);
      await waitForText(visitor, "gamma", /Online/u);
      await page.goto("/admin/servers/gamma");
      await page.getByLabel("Name", { exact: true }).fill("gamma-renamed");
      await page.getByLabel(/^Hidden/u).check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("No unsaved changes").waitFor();
      await waitUntilGone(visitor, "gamma");
      assert.ok(!(await readOrder(site)).includes("gamma"));
      await page.reload();
      await page.getByRole("heading", { name: "gamma-renamed" }).waitFor();
      await page.getByLabel(/^Hidden/u).uncheck();
      await page.getByRole("button", { name: "Save" }).click();
      await waitForText(visitor, "gamma-renamed", /Online/u);
    }),
  );

  it(
    "keeps the field that is typed into, and after saving the wrong one, clear of the bar that saves",
    room.page(async ({ page }) => {
      await signInBehind(page);
      await page.setViewportSize({ width: 390, height: 600 });
      await page.goto("/admin/servers/alpha");
      const name = page.getByLabel("Name", { exact: true });
      const box = await name.boundingBox();
      assert.ok(box);
      // The window ends right below the field.
      await page.setViewportSize({ width: 390, height: Math.ceil(box.y + box.height) + 4 });
      await name.click();
      await page.keyboard.type("x");
      await waitUntilClear(page, name);
      await page.setViewportSize({ width: 390, height: 600 });
      const limit = page.getByLabel("Limit per cycle");
      await limit.fill("much");
      await page.evaluate("scrollTo(0, 0)");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("[aria-invalid=true]:focus").waitFor();
      await waitUntilClear(page, limit);
      await page.getByRole("button", { name: "Revert" }).click();
    }),
  );

  it(
    "says so when someone else changed the server meanwhile, and loses neither change",
    room.page(async ({ page, allow }, site) => {
      allow(/412 \(Precondition Failed\)/u);
      await signInBehind(page);
      await page.goto("/admin/servers/beta");
      await page.getByLabel("Public note").fill("mine");
      await site.admin("PUT", "/api/admin/servers/beta", { name: "beta", group: "Theirs" });
      await page.getByRole("button", { name: "Save" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Theirs").first().waitFor();
      assert.equal(await page.getByLabel("Public note").inputValue(), "mine");
    }),
  );

  it(
    "puts servers in order by keyboard, and tells a screen reader",
    room.page(async ({ page }, site) => {
      await setOrder(site, ["alpha", "beta"]);
      await signInBehind(page);
      await page.goto("/admin/servers/reorder");
      const list = page.getByRole("list", { name: "Order of servers" });
      await list.getByRole("button", { name: "alpha" }).focus();
      await page.keyboard.press("Space");
      await page.getByText(/alpha picked up, position 1 of/u).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.getByText(/alpha, position 2 of/u).waitFor();
      await page.keyboard.press("Space");
      await page.getByText(/alpha dropped at position 2 of/u).waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Order saved").first().waitFor();
      assert.deepEqual((await readOrder(site)).slice(0, 2), ["beta", "alpha"]);
    }),
  );

  it(
    "puts servers in order by dragging",
    room.page(async ({ page }, site) => {
      await setOrder(site, ["alpha", "beta"]);
      await signInBehind(page);
      await page.goto("/admin/servers/reorder");
      const from = await findRow(page, "alpha");
      const to = await findRow(page, "beta");
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x, (from.y + to.y) / 2, { steps: 4 });
      await page.mouse.move(to.x, to.y + 8, { steps: 4 });
      await page.mouse.up();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Order saved").first().waitFor();
      await eventually(async () => assert.deepEqual((await readOrder(site)).slice(0, 2), ["beta", "alpha"]));
    }),
  );
});
