/** That npm warns of no package on a Node that package.json, and with it the README, names. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";

const manifest = z.object({ engines: z.object({ node: z.string() }) });
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      engines: z.object({ node: z.string().optional() }).optional(),
      cpu: z.array(z.string()).optional(),
    }),
  ),
});

type Version = readonly [major: number, minor: number, patch: number];

function toVersion(text: string): Version {
  const match = /^v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?$/u.exec(text);
  assert.ok(match, `"${text}" is no version that this test reads`);
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map((part) => Number(part ?? 0) || 0);
  return [major, minor, patch];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Whether a range such as "^20.19.0 || >=22.12.0" takes the version. */
function isTaken(version: Version, range: string): boolean {
  const isWithin = (comparator: string): boolean => {
    if (comparator === "*" || comparator === "") return true;
    const [, operator = "", text = ""] = /^(>=|<=|>|<|\^|~|=)?(.*)$/u.exec(comparator) ?? [];
    const bound = toVersion(text);
    const order = compare(version, bound);
    if (operator === ">=") return order >= 0;
    if (operator === ">") return order > 0;
    if (operator === "<") return order < 0;
    if (operator === "<=") return order <= 0;
    if (operator === "~") return order >= 0 && version[0] === bound[0] && version[1] === bound[1];
    return order >= 0 && version[0] === bound[0];
  };
  const alternatives = range.split("||").map((part) => part.trim().replace(/([<>=^~]) +/gu, "$1"));
  return alternatives.some((part) => part.split(/\s+/u).every(isWithin));
}

async function read<T>(name: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(projectFolder, name), "utf8")));
}

describe("the packages of package-lock.json", () => {
  it("take the lowest versions of Node that package.json names, and the newest", async () => {
    const { engines } = await read("package.json", manifest);
    const lowest = engines.node.split("||").map((part) => part.replace(/[^\d.]/gu, ""));
    const { packages } = await read("package-lock.json", lock);
    const refusals = [...lowest, "20.99.0", "22.99.0", "24.0.0", "26.0.0"].flatMap((version) =>
      Object.entries(packages)
        // Nothing runs on 32-bit Windows: Node itself no longer has such builds.
        .filter(([, { cpu = [] }]) => cpu.join() !== "ia32")
        .filter(([, { engines: wanted }]) => !isTaken(toVersion(version), wanted?.node ?? "*"))
        .map(([name, { engines: wanted }]) => `${version}: ${name} wants ${wanted?.node ?? ""}`),
    );
    assert.deepEqual(refusals, []);
  });

  it("are named with those versions in the README", async () => {
    const { engines } = await read("package.json", manifest);
    assert.equal(engines.node, "^20.19 || >=22.12");
    assert.match(
      await readFile(join(projectFolder, "README.md"), "utf8"),
      /Node\.js\S* 20\.19, 22\.12, or newer/u,
    );
  });
});
