/** The documentation of a running install below a path: read at two widths in both themes, by keyboard, without script, and searched. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { projectFolder, runProcess } from "../support/process.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { assertNoBarriers } from "./axe.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { withPage } from "./watched-page.ts";

/** Pages with pictures, with wide tables, with code, and a long one. */
const paths = [
  "index.html",
  "monitor.html",
  "configuration.html",
  "reverse-proxy.html",
  "reference/errors.html",
];
const sizes = [
  { width: 390, height: 844 },
  { width: 1_440, height: 900 },
];

describe("the documentation", () => {
  let browser: Browser;
  let programs: Programs;
  let root = "";

  before(async () => {
    const built = await runProcess({
      command: "node",
      args: ["--import", "tsx", "scripts/docs.ts"],
      cwd: projectFolder,
      timeoutMs: 60_000,
    });
    assert.equal(built.code, 0, built.output);
    const port = await findFreePort();
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["monitor"])]);
    const origin = `http://localhost:${port}`;
    root = `${origin}/status/docs`;
    const program = programs.run({
      ADMIN_TOKEN,
      LOG_LEVEL: "warn",
      GATEWAY_PORT: String(port),
      PUBLIC_URL: `${origin}/status`,
      MONITOR_PORT: "off",
    });
    await program.find(/gateway +http/u);
    const changed = await fetch(`${origin}/status/api/admin/settings`, {
      method: "PATCH",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ documentation: true }),
    });
    assert.equal(changed.status, 200);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  for (const viewport of sizes)
    for (const colorScheme of ["light", "dark"] as const)
      it(`has no barriers and fits at ${viewport.width} px in the ${colorScheme} theme`, async (test) => {
        await withPage(
          browser,
          { name: test.name, baseURL: root, viewport, colorScheme },
          async ({ page }) => {
            for (const path of paths) {
              await page.goto(`${root}/${path}`);
              await page.locator("form.search").waitFor();
              await assertNoBarriers(page, { test, what: path });
              const width = await page.evaluate<number>("document.documentElement.scrollWidth");
              assert.ok(width <= viewport.width, `${path} is ${width} wide`);
            }
          },
        );
      });

  // Browsers show a page while it arrives, and its navigation arrives last.
  it("leaves the text where it is when the navigation arrives", async (test) => {
    await withPage(browser, { name: test.name, baseURL: root, viewport: sizes[1] }, async ({ page }) => {
      for (const path of [...paths, "glossary.html"]) {
        await page.goto(`${root}/${path}`);
        const text = page.locator("main");
        const { x, width } = (await text.boundingBox()) ?? assert.fail();
        await page.evaluate("for (const one of document.querySelectorAll('.menu, .contents')) one.remove()");
        const before = (await text.boundingBox()) ?? assert.fail();
        assert.deepEqual([before.x, before.width], [x, width], path);
      }
    });
  });

  it("is opened at its folder, and searched and read by keyboard", async (test) => {
    await withPage(browser, { name: test.name, baseURL: root }, async ({ page }) => {
      await page.goto(root);
      assert.equal(page.url(), `${root}/index.html`);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate("document.activeElement.id"), "content");
      const box = page.getByRole("searchbox");
      await box.focus();
      await page.keyboard.type("grace period hearbeat");
      await page
        .getByRole("status")
        .filter({ hasText: /result/u })
        .waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname.endsWith("/heartbeats.html"));
      await box.fill("qqzzxxkk");
      await page.getByRole("status").filter({ hasText: "0 results" }).waitFor();
      await page.keyboard.press("Escape");
      assert.ok(!(await page.locator(".found").isVisible()));
    });
  });

  it("is read from page to page without script", async (test) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: sizes[0] });
    try {
      const page = await context.newPage();
      await page.goto(`${root}/index.html`);
      assert.ok(!(await page.getByRole("searchbox").isVisible()), test.name);
      await page.getByRole("link", { name: "All pages" }).click();
      await page.locator("#menu").getByRole("link", { name: "Checks", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Checks" }).waitFor();
      await page.getByRole("link", { name: /^Next/u }).click();
      await page.getByRole("heading", { level: 1, name: "Heartbeats" }).waitFor();
    } finally {
      await context.close();
    }
  });
});
