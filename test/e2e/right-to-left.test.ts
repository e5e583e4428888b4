/** Pages and consoles in a made language that is written from right to left: they are mirrored, and nothing runs out of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { PSEUDO, type PseudoProject, createPseudoProject } from "../support/pseudo-language.ts";

const TOKEN = "adm_for-the-other-direction";

describe("a language from right to left", () => {
  let project: PseudoProject;
  let programs: Programs;
  let browser: Browser;
  let urls: { auth: string; shop: string; monitor: string };

  before(async () => {
    project = await createPseudoProject("rtl");
    await project.run("web.ts", ["pseudo"]);
    programs = await createPrograms([], {
      runner: [process.execPath, "--import", "tsx"],
      entry: join(project.folder, "src/main.ts"),
    });
    const program = programs.run({
      LOG_LEVEL: "warn",
      ADMIN_TOKEN: TOKEN,
      SHOP_DEMO: "1",
      GATEWAY_PORT: "0",
      TSX_TSCONFIG_PATH: join(project.folder, "tsconfig.json"),
    });
    urls = {
      monitor: `http://127.0.0.1:${(await programs.ports(program)).http}`,
      auth: await programs.authUrl(program),
      shop: await programs.shopUrl(program),
    };
    const spoken = await fetch(`${urls.shop}/api/admin/site`, {
      method: "PATCH",
      headers: { "x-admin-token": TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ languages: ["en", PSEUDO] }),
    });
    assert.ok(spoken.ok);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
    await project?.dispose();
  });

  /** Mirrored, and with nothing beyond either edge. */
  async function assertMirrored(page: Page, what: string): Promise<void> {
    assert.equal(await page.evaluate("document.documentElement.dir"), "rtl", what);
    const direction = await page.evaluate("getComputedStyle(document.querySelector('main h1')).direction");
    assert.equal(direction, "rtl", what);
    const edges = await page.evaluate<{ wide: number; inner: number; left: number }>(`({
      wide: document.documentElement.scrollWidth,
      inner: innerWidth,
      left: Math.min(...[...document.querySelectorAll("main h1, main input, main button")]
        .map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 1).map(({ left }) => left)),
    })`);
    assert.ok(edges.wide <= edges.inner, `${what} is ${edges.wide} wide at ${edges.inner}`);
    assert.ok(edges.left >= 0, `${what}: something is ${edges.left} px beyond the left edge`);
  }

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1_440, height: 900 },
  ])
    it(`mirrors pages and consoles at ${viewport.width} px`, async () => {
      const context = await browser.newContext({ locale: PSEUDO, viewport });
      try {
        const page = await context.newPage();
        for (const url of [
          `${urls.shop}/cart`,
          `${urls.shop}/find-order`,
          `${urls.auth}/sign-in`,
          `${urls.auth}/sign-up`,
        ]) {
          await page.goto(url);
          await assertMirrored(page, url);
        }
        for (const service of ["shop", "auth", "monitor"] as const) {
          const section = { shop: "coupons", auth: "users", monitor: "checks" }[service];
          await page.goto(`${urls[service]}/admin`);
          await page.locator("input[type=password]").fill(TOKEN);
          await page.locator("form button[type=submit]").click();
          await page.locator("input[type=password]").waitFor({ state: "detached" });
          await page.goto(`${urls[service]}/admin/${section}`);
          await page.locator("main h1").waitFor();
          await assertMirrored(page, `${service} ${section}`);
        }
      } finally {
        await context.close();
      }
    });
});
