/**
 * `npm run licences` lists what the installed programs bring along and under which licence, read from
 * package-lock.json. With `--check` it fails for a licence that is not on the list below, for a version
 * in package.json that is not exact, and for a lock file with which `npm ci` would not install.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder } from "./process.ts";

/** Licences that ask for no more than their notice when the program is passed on. */
const accepted = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Python-2.0",
  "PSF-2.0",
  "Unlicense",
  "CC0-1.0",
  "Zlib",
]);

/** What the accepted ones are joined by, for some uses. */
const acceptedFor: Readonly<Record<string, string>> = {
  // File-level copyleft: fine for what only tests use and what is not distributed.
  development: "MPL-2.0",
  // Library copyleft: libvips, which sharp loads as a separate, replaceable file, and which is in no bundle.
  optional: "LGPL-3.0-or-later",
};

/** Whether one may be taken under accepted licences; "(MIT OR CC0-1.0)" leaves the choice, "MIT AND ISC" does not. */
function isAccepted(license: string, use: string): boolean {
  const choices = license.replace(/^\((.*)\)$/u, "$1").split(" OR ");
  const isGood = (one: string): boolean => accepted.has(one) || one === acceptedFor[use];
  return choices.some((choice) => choice.split(" AND ").every(isGood));
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      // Old packages name several to choose from.
      license: z
        .union([z.string(), z.array(z.string()).transform((choices) => choices.join(" OR "))])
        .optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      optionalDependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
});
const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({ dependencies: versions, devDependencies: versions });

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(projectFolder, name), "utf8"));
}

async function main(): Promise<number> {
  const check = process.argv.includes("--check");
  const { packages } = lockFile.parse(await readJson("package-lock.json"));
  const rows = Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version = "", license = "unknown", dev, optional }]) => ({
      name: path.replace(/^.*node_modules\//u, ""),
      use: dev ? "development" : optional ? "optional" : "runtime",
      version,
      license,
    }));
  if (!check) {
    for (const { name, use, version, license } of rows.filter((row) => row.use === "runtime")) {
      console.log(`${`${name} ${version}`.padEnd(48)} ${license.padEnd(14)} ${use}`);
    }
  }
  const counts = new Map<string, number>();
  for (const { license, use } of rows) {
    const key = `${use}: ${license}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`${key} × ${count}`);

  const { dependencies, devDependencies } = manifest.parse(await readJson("package.json"));
  const problems = [
    ...rows
      .filter(({ license, use }) => !isAccepted(license, use))
      .map((row) => `${row.name} ${row.version}: "${row.license}"`),
    // npm leaves out platform packages that the registry lacks, and then `npm ci` refuses the whole file.
    ...Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies)
        .filter(
          (name) =>
            packages[`node_modules/${name}`] === undefined &&
            packages[`${path}/node_modules/${name}`] === undefined,
        )
        .map(
          (name) =>
            `${path}: "${name}" is missing in package-lock.json; choose a version that has all its platforms`,
        ),
    ),
    ...Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^(?:npm:[a-z@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version))
      .map(([name, version]) => `${name}: "${version}" is not an exact version`),
  ];
  for (const problem of problems) console.error(problem);
  return check && problems.length > 0 ? 1 : 0;
}

process.exitCode = await main();
