/** Beszel's database as the browser reads it: systems and alerts, and nothing of its users. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { planRules, planServers } from "../../../../src/monitor/moving/beszel.ts";
import { serverImportSchema } from "../../../../src/monitor/moving/schema.ts";
import { readImportFile } from "../../../../src/web/monitor/checks/import/read-file.ts";
import { beszelDatabase } from "../../../support/beszel-database.ts";
import { findProgram, tellSkipped } from "../../../support/missing.ts";

const program = findProgram("sqlite3") ?? "";
const skip = program === "" && tellSkipped("sqlite3 is not in PATH");

it("gives the rows of systems and alerts, as the API takes them", { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "beszel-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "data.db");
  execFileSync(program, [path], { input: beszelDatabase });
  const content = await readImportFile(new File([await readFile(path)], "data.db"));
  assert.ok("beszel" in content);
  assert.doesNotMatch(JSON.stringify(content), /owner@|secret|usr0/u);
  const input = serverImportSchema.parse({ format: "beszel", ...content.beszel });
  assert.deepEqual(
    planServers(input.systems).map(({ name, address, fields }) => [name, address, fields?.disabled]),
    [
      ["web-1", "10.0.0.5:45876", false],
      ["Küche 夜", "[fd00::7]:45876", false],
      ["nas", "/beszel_socket/beszel.sock", true],
    ],
  );
  assert.deepEqual(
    planRules(input.alerts).map(({ name, systemIds }) => [name, systemIds.length]),
    [
      ["Beszel: offline for 10 min", 1],
      ["Beszel: CPU > 80 % for 10 min", 2],
      ["Beszel: LoadAvg5 > 7.5", 1],
      ["Beszel: Temperature > 65 °C for 5 min", 1],
    ],
  );
});
