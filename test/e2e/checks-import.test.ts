/** The import page with Uptime Kuma's database, which the browser reads. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { beszelDatabase } from "../support/beszel-database.ts";
import { findProgram, tellSkipped } from "../support/missing.ts";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";

const program = findProgram("sqlite3") ?? "";
const skip = program === "" && tellSkipped("sqlite3 is not in PATH");

/** For people who look at what is drawn: SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const shots = process.env["SHOTS"];
  if (shots === undefined) return;
  for (const width of [1_440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
}

describe("import of checks from a database", { skip }, () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kuma-"));
    execFileSync(program, [join(folder, "kuma.db")], {
      input: `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name TEXT, type TEXT, url TEXT, hostname TEXT);
        INSERT INTO monitor (name, type, url) VALUES ('Shop', 'http', 'https://shop.example.org/');
        INSERT INTO monitor (name, type, hostname) VALUES ('Game', 'steam', 'game.example.org');`,
    });
    execFileSync(program, [join(folder, "data.db")], { input: beszelDatabase });
    execFileSync(program, [join(folder, "home.db")], {
      input: `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name TEXT, type TEXT, url TEXT);
        INSERT INTO monitor (name, type, url) VALUES ('Router', 'http', 'http://192.168.1.1/');`,
    });
    await writeFile(join(folder, "other.db"), "encrypted, perhaps");
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const room = createBrowserRoom();

  it(
    "names what is no database, then shows each monitor, and adds the checks",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/checks/import");
      const main = page.getByRole("main");
      const input = main.locator("input[type=file]");
      await input.setInputFiles(join(folder, "other.db"));
      await main.getByText("This file is not an SQLite database, or it is encrypted.").waitFor();
      await input.setInputFiles(join(folder, "kuma.db"));
      await main.getByText("To import: 1. Skipped: 1.").waitFor();
      await main.getByText("GET shop.example.org").waitFor();
      await main.getByRole("button", { name: "Add 1 check" }).click();
      await main.getByText("Checks added: 1").waitFor();
      await main.getByRole("link", { name: "Shop" }).click();
      await main.getByRole("heading", { name: "Shop" }).waitFor();
    }),
  );

  it(
    "allows private addresses where the file has some",
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/checks/import");
      const main = page.getByRole("main");
      await main.locator("input[type=file]").setInputFiles(join(folder, "home.db"));
      await main.getByText("Some of these targets are in your own networks").waitFor();
      await main.getByRole("button", { name: "Allow private addresses and try again" }).click();
      await main.getByText("Some of these targets are in your own networks").waitFor({ state: "detached" });
      await main.getByRole("button", { name: "Add 1 check" }).waitFor();
      const settings = (await site.admin("GET", "/api/admin/settings")) as { privateTargets: boolean };
      assert.equal(settings.privateTargets, true);
    }),
  );

  it(
    "takes servers and alert rules of Beszel, and shows the command for each machine",
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/checks/import");
      const main = page.getByRole("main");
      await main.locator("input[type=file]").setInputFiles(join(folder, "data.db"));
      await main.getByText("To import: 3 servers, 4 alert rules").waitFor();
      await main.getByText("Not imported: history, users").waitFor();
      await shoot(page, "beszel-trial");
      await main.getByRole("button", { name: "Add servers and alert rules" }).click();
      await main.getByText("Imported: 3 servers, 4 alert rules").waitFor();
      assert.equal(await main.getByText(/install\.sh \| sudo sh/u).count(), 3);
      await shoot(page, "beszel-done");
      const { items } = (await site.admin("GET", "/api/admin/servers")) as { items: { name: string }[] };
      assert.deepEqual(items.map(({ name }) => name).sort(), ["Küche 夜", "nas", "web-1"].sort());
      // The same file again.
      await main.locator("input[type=file]").setInputFiles(join(folder, "home.db"));
      await main.getByText("To import: 1.").waitFor();
      await main.locator("input[type=file]").setInputFiles(join(folder, "data.db"));
      await main.getByText("Nothing new to import").waitFor();
    }),
  );
});
