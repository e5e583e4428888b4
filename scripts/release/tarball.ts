/** The package that `npm pack ./dist` makes and npx runs: its manifest, and what may be in it. */
import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectFolder } from "../process.ts";
import { nativePackages } from "./dist-files.ts";

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  dependencies: z.record(z.string(), z.string()),
});

/** Packages with binaries, which npm installs beside the bundle for the machine that it is on. */
const installed = [...nativePackages, "sharp"];

/** Comes along as it was copied: as a dependency it would bring another package. */
const bundled = ["swagger-ui-dist"];

/** Writes dist/package.json, README.md and LICENSE. "private" keeps it from a registry; it hinders no packing. */
export async function writeManifest(dist: string): Promise<void> {
  const text = await readFile(join(projectFolder, "package.json"), "utf8");
  const { dependencies, ...own } = manifestSchema.parse(JSON.parse(text));
  const manifest = {
    ...own,
    private: true,
    type: "module",
    bin: { trivet: "trivet.js" },
    files: ["trivet.js", "parts/*.js", "src", "download", "!download/*.gz", "LICENSES.txt"],
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => [...installed, ...bundled].includes(name)),
    ),
    bundleDependencies: bundled,
  };
  await writeFile(join(dist, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const name of ["README.md", "LICENSE"]) await copyFile(join(projectFolder, name), join(dist, name));
}

/** Everything that a package may hold. */
const expected = [
  /^(?:package\.json|README\.md|LICENSE|LICENSES\.txt|trivet\.js)$/u,
  /^parts\/[\w-]+\.js$/u,
  /^download\/(?:agent\.(?:js|sh)|download\.json|SHA256SUMS(?:\.minisig)?)$/u,
  /^src\/web\/built\/(?:(?:auth|shop|store)\/)?[\w-]+\.(?:js|css|json|html|svg|png|txt|webmanifest|woff2)$/u,
  /^src\/web\/built-docs\/[\w./-]+\.(?:html|js|css|svg|webp|txt)$/u,
  /^src\/(?:kit\/http\/icon\.svg|monitor\/install\/install\.sh)$/u,
  /^src\/shop\/invoices\/fonts\/[\w-]+\.(?:ttf\.gz|LICENSE\.txt)$/u,
  /^node_modules\/swagger-ui-dist\/(?:package\.json|LICENSE|NOTICE|swagger-ui[\w.-]+)$/u,
];

const packedSchema = z.tuple([
  z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

/** What is wrong with the package that npm would make of `dist`: a file too many, or none where there must be one. */
export async function findPackingFaults(dist: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--silent"], {
    cwd: dist,
    maxBuffer: 16 * 1024 * 1024,
  });
  const [{ size, files }] = packedSchema.parse(JSON.parse(stdout));
  console.log(`npm pack: ${files.length} files, ${(size / 1_048_576).toFixed(1)} MiB`);
  const paths = files.map(({ path }) => path);
  return [
    ...paths.filter((path) => !expected.some((pattern) => pattern.test(path))),
    ...expected.filter((pattern) => !paths.some((path) => pattern.test(path))).map(String),
  ];
}
