/** Which files outside `runtime/` and `store/` import modules of Node, each with its reason: decision 029. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";

const decision = join(projectFolder, "docs/decisions/029-node-imports.md");

/** File → its modules, sorted, as "crypto fs/promises". */
async function findImports(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(join(projectFolder, "src"), { recursive: true })) {
    const name = entry.replaceAll("\\", "/");
    if (!/\.tsx?$/u.test(name) || /^(?:runtime|store|web\/built)\//u.test(name)) continue;
    const text = await readFile(join(projectFolder, "src", name), "utf8");
    const modules = [...text.matchAll(/(?:from |import\()"node:([a-z0-9/_]+)"/gu)].map(
      (match) => match[1] ?? "",
    );
    if (modules.length > 0) found.set(name, modules.toSorted().join(" "));
  }
  return found;
}

describe("modules of Node", () => {
  it("are imported by the files that the decision lists, each with a reason, and by no others", async () => {
    const rows = [
      ...(await readFile(decision, "utf8")).matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gmu),
    ];
    const listed = new Map(rows.map((row) => [row[1] ?? "", (row[2] ?? "").trim()]));
    assert.ok(rows.every((row) => (row[3] ?? "").trim().length > 10));
    const sorted = (map: Map<string, string>): [string, string][] =>
      [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
    assert.deepEqual(sorted(listed), sorted(await findImports()));
  });
});
