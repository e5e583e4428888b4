/** API keys in Chromium: created on the page of each console, used by curl, and revoked; one page for all three. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { findProgram, tellSkipped } from "../support/missing.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { signIn } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { withPage } from "./watched-page.ts";

const run = promisify(execFile);
const curl = findProgram("curl");

/** The line without its quotes, as a shell would give it to curl, with the status as what is printed. */
async function runLine(line: string): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const [, ...args] = words;
  const { stdout } = await run(curl ?? "", ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...args]);
  return stdout;
}

const consoles = [
  { base: "", noun: "Servers", wrong: "checks" },
  { base: "/auth", noun: "Users", wrong: "clients" },
  { base: "/shop", noun: "Orders", wrong: "products" },
] as const;

describe(
  "API keys in the consoles",
  { skip: curl === undefined && tellSkipped("curl is not in PATH") },
  () => {
    let browser: Browser;
    let programs: Programs;
    let origin = "";

    before(async () => {
      const port = await findFreePort();
      [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
      origin = `http://127.0.0.1:${port}`;
      const off = { MONITOR_PORT: "off", AUTH_PORT: "off", SHOP_PORT: "off" };
      const program = programs.run({ ...off, ADMIN_TOKEN, LOG_LEVEL: "warn", GATEWAY_PORT: String(port) });
      await program.find(new RegExp(`gateway +${origin}`, "u"));
    });
    after(async () => {
      await browser?.close();
      await programs?.dispose();
    });

    async function createKey(page: Page, noun: string): Promise<string> {
      await page.getByRole("button", { name: "Create API key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create API key" }).click();
      await dialog.getByText("Select at least one scope").waitFor();
      await dialog.getByLabel("Name").fill("Homepage");
      await dialog.getByLabel(noun, { exact: true }).selectOption("Read");
      await dialog.getByRole("button", { name: "Create API key" }).click();
      const line = dialog.getByRole("textbox", { name: "Test the key with curl" });
      await line.waitFor();
      return (await line.textContent()) ?? "";
    }

    for (const { base, noun, wrong } of consoles) {
      it(`are created at ${base}/admin, used by curl, and revoked`, async (test) => {
        const options = { name: test.name, baseURL: origin, viewport: { width: 390, height: 844 } };
        await withPage(browser, options, async ({ page }) => {
          await signIn(page, `${base}/admin/api-keys`);
          await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
          const line = await createKey(page, noun);
          await assertNoBarriers(page, { test, what: "a new key" });
          assert.equal(await runLine(line), "200");
          assert.equal(await runLine(line.replace(/\w+$/u, wrong)), "403");
          await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
          await page.getByText(`${noun}: Read`).waitFor();
          await assertNoBarriers(page, { test, what: "the list of keys" });
          const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(overflow) <= 0, `overflows by ${String(overflow)}`);
          await page.getByRole("button", { name: "Edit" }).click();
          await page.getByRole("dialog").getByLabel("Allowed networks").fill("203.0.113.0/24");
          await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
          await page.getByText("Only from 203.0.113.0/24").waitFor();
          assert.equal(await runLine(line), "403");
          await page.getByRole("button", { name: "Revoke" }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
          await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
          assert.equal(await runLine(line), "401");
        });
      });
    }
  },
);
