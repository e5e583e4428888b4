/** Pages and a console in a made language of long words, at the width of a phone: all comes from the files of texts, and fits. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { PSEUDO, type PseudoProject, createPseudoProject, listForeign } from "../support/pseudo-language.ts";

const TOKEN = "adm_for-the-pseudo-language";
const PHONE = { width: 390, height: 844 };
/** What sites and languages are called, codes, and ids of requests. */
const NAMES =
  /\bTrivet(?: shop| monitor)?\b|\bEUR\b|\bADMIN_TOKEN\b|\bEnglish\b|\bDeutsch\b|中文|\bqps\b|\b[\da-f]{16}-[\da-f]+\b/gu;

/** What a reader sees, without text in its own language, such as the names of languages. */
const readVisible = `(() => {
  const seen = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement: around } = node;
    if (around.closest("script, style, noscript, code, svg, option, [lang]:not(html)") !== null) continue;
    const blocks = around.closest("p, li, h1, h2, h3, dt, dd, label, legend, button, a, td, th, summary, span") ?? around;
    if (blocks.getClientRects().length > 0) seen.push(blocks.innerText);
  }
  return seen.join("\\n");
})()`;

async function assertPseudo(page: Page, what: string): Promise<void> {
  const visible = await page.evaluate<string>(readVisible);
  assert.ok(visible.includes("⟦"), what);
  assert.deepEqual([...new Set(listForeign(visible.replaceAll(NAMES, "")))], [], what);
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
  assert.ok(wide <= PHONE.width, `${what} is ${wide} wide at ${PHONE.width}`);
}

describe("a language of long words", () => {
  let project: PseudoProject;
  let programs: Programs;
  let browser: Browser;
  let urls: { auth: string; shop: string; monitor: string };

  before(async () => {
    project = await createPseudoProject();
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

  async function withPhone(work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ locale: PSEUDO, viewport: PHONE });
    try {
      await work(await context.newPage());
    } finally {
      await context.close();
    }
  }

  it("fits on a phone on pages of the shop, of accounts and of the status", async () => {
    await withPhone(async (page) => {
      const paths = ["/", "/cart", "/find-order", "/nowhere"].map((path) => urls.shop + path);
      paths.push(...["/sign-in", "/sign-up", "/forgot"].map((path) => urls.auth + path));
      for (const url of paths) {
        await page.goto(url);
        await assertPseudo(page, url);
      }
    });
  });

  // Not the overviews of accounts and of the monitor: their install check is for operators, in English.
  for (const { name, sections } of [
    { name: "shop", sections: ["", "/coupons", "/products", "/orders"] },
    { name: "auth", sections: ["/invites", "/users", "/groups"] },
    { name: "monitor", sections: ["/alerts", "/channels", "/checks", "/maintenance"] },
  ] as const)
    it(`fits on a phone in the console of ${name}`, async () => {
      await withPhone(async (page) => {
        await page.goto(`${urls[name]}/admin`);
        await page.locator("input[type=password]").fill(TOKEN);
        await assertPseudo(page, "sign-in");
        await page.locator("form button[type=submit]").click();
        await page.locator("main h1").waitFor();
        for (const section of sections) {
          await page.goto(`${urls[name]}/admin${section}`);
          await page.locator("main h1").waitFor();
          await page.waitForLoadState("networkidle");
          await assertPseudo(page, `${name} ${section}`);
        }
      });
    });
});
