/** What is the owner's of the dashboard: colours, the app, unknown addresses. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { eventually } from "../support/eventually.ts";
import { findServer, openFleet } from "./fleet-view.ts";

const notFound = /404 \(Not Found\)/u;

async function readAccent(page: Page): Promise<string> {
  return page.evaluate<string>(
    "getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()",
  );
}

describe("the site", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      await site.addOnline({ id: "db-1", name: "db-1", region: "DE" });
    },
  });

  it(
    "has a page for an unknown address, with a way home",
    room.page(async ({ page, allow }) => {
      allow(notFound);
      const answer = await page.goto("/nonsense");
      assert.equal(answer?.status(), 404);
      await page.getByText("Page not found").waitFor();
      await page.getByRole("main").getByRole("link", { name: "All servers" }).click();
      await findServer(page, "db-1").waitFor();
    }),
  );

  it(
    "shows flags as pictures",
    room.page(async ({ page }) => {
      await openFleet(page);
      await page.getByRole("img", { name: "Germany" }).first().waitFor();
      await eventually(async () =>
        assert.equal(await page.evaluate("document.querySelector('img.flag').naturalWidth > 0"), true),
      );
    }),
  );

  it(
    "can be installed as an app",
    room.page(async ({ page }) => {
      await openFleet(page);
      const session = await page.context().newCDPSession(page);
      const { errors, url } = await session.send("Page.getAppManifest");
      assert.match(url, /\/site\.webmanifest$/u);
      assert.deepEqual(errors, []);
      const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
      // A context of its own per test is a private window, which installs nothing.
      const others = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
      assert.deepEqual(others, []);
    }),
  );

  it(
    "takes the owner's accent, and refuses one that could not be read",
    room.page(
      async ({ page, allow }, site) => {
        allow(/422 \(Unprocessable/u);
        await signIn(page, "/admin/settings");
        const field = page.getByRole("textbox", { name: "Accent color in the light theme", exact: true });
        await field.fill("#ffee00");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("Not enough contrast for links in the light theme").waitFor();
        assert.equal(await field.inputValue(), "#ffee00");
        await field.fill("#5522aa");
        await page.getByRole("button", { name: "Save" }).click();
        await eventually(async () => assert.equal(await readAccent(page), "#5522aa"));
        await page.goto("/");
        assert.equal(await readAccent(page), "#5522aa");
        await site.admin("PATCH", "/api/admin/settings", { accent: { light: "" } });
        await page.goto("/");
        assert.equal(await readAccent(page), "#0d6b5c");
      },
      { colorScheme: "light" },
    ),
  );

  it(
    "shows the chosen logo to everyone",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/settings");
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h2v1z"/></svg>';
      const file = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) };
      await page.getByLabel("Logo", { exact: true }).setInputFiles(file);
      await page.getByRole("img", { name: "Current logo" }).waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      const isShown = "document.querySelector('.brand-logo')?.naturalWidth > 0";
      await eventually(async () => assert.equal(await page.evaluate(isShown), true));
      await page.context().clearCookies();
      await page.goto("/");
      await eventually(async () => assert.equal(await page.evaluate(isShown), true));
    }),
  );
});
