/** The import page with Uptime Kuma's database, which the browser reads. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findProgram, tellSkipped } from "../support/missing.ts";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";

const program = findProgram("sqlite3") ?? "";
const skip = program === "" && tellSkipped("sqlite3 is not in PATH");

describe("import of checks from a database", { skip }, () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kuma-"));
    execFileSync(program, [join(folder, "kuma.db")], {
      input: `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name TEXT, type TEXT, url TEXT, hostname TEXT);
        INSERT INTO monitor (name, type, url) VALUES ('Shop', 'http', 'https://shop.example.org/');
        INSERT INTO monitor (name, type, hostname) VALUES ('Game', 'steam', 'game.example.org');`,
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
});
