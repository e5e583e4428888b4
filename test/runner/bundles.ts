/**
 * Test files, and the programs that they start, made ready for Node: each process gets one JavaScript file with all of
 * our code that it uses.
 */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, stop } from "esbuild";
import { toBundleOptions, toProgramOptions } from "../../src/runtime/program-bundle.ts";
import { projectFolder } from "../support/process.ts";

const bundleOptions = toBundleOptions(projectFolder);

/** What tests start in processes of their own; what is not named here starts from its source. */
const programs: readonly string[] = [
  "src/main.ts",
  "src/agent/main.ts",
  "src/runtime/deno-grpc/grpc-child.ts",
  ...["check-books", "first-sale"].map((name) => `scripts/${name}.ts`),
  "test/runtime/grpc/frozen-client.ts",
  "test/runtime/deno-grpc/grpc-orphan.ts",
  "test/store/journal/kill-writer.ts",
];

/**
 * What a process of several files runs: each is a suite with its name, so that its hooks are its own. One is loaded
 * after the other: while two wait for the same module, Node takes the suites of one for those of the other.
 */
function toEntry(group: readonly string[]): string {
  const suites = group.map((file) => {
    const [name, path] = [file, resolve(file)].map((text) => JSON.stringify(text));
    return `await load(${name}, () => import(${path}));\n`;
  });
  return `import { describe } from "node:test";
const load = (name, take) =>
  new Promise((resolve) => void describe(name, () => take().finally(resolve)));
${suites.join("")}`;
}

/** Writes a bundle for each group of files below `folder`; resolves with them, by the first file of each. */
async function bundleFiles(
  groups: readonly (readonly string[])[],
  folder: string,
): Promise<Map<string, string>> {
  const entries = join(folder, "entries");
  await mkdir(entries);
  const bundles = new Map<string, string>();
  const entryPoints = await Promise.all(
    groups.map(async (group, index) => {
      const [file = ""] = group;
      const name = `${index}-${file.replaceAll(/[^\w.-]/gu, "-")}`;
      bundles.set(file, join(folder, `${name}.mjs`));
      if (group.length === 1) return { in: resolve(file), out: name };
      const entry = join(entries, `${name}.ts`);
      await writeFile(entry, toEntry(group));
      return { in: entry, out: name };
    }),
  );
  await build({ ...bundleOptions, entryPoints, outdir: folder });
  return bundles;
}

/** What runs on Node in place of TypeScript. */
export interface TestBundles {
  /** The bundle of each group of test files, by its first. */
  readonly files: ReadonlyMap<string, string>;
  /** Where test/support/own-runtime.ts finds the bundles of programs. */
  readonly programs: string;
}

/**
 * Makes a bundle of each group of files, and of the programs that tests start, below `folder`.
 * @throws Error when a file cannot be read as TypeScript, or imports what is not there
 */
export async function bundleTests(
  groups: readonly (readonly string[])[],
  folder: string,
): Promise<TestBundles> {
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  try {
    const made = await bundleFiles(groups, folder);
    const place = join(folder, "programs");
    await build({ ...toProgramOptions(projectFolder, place), entryPoints: [...programs] });
    return { files: made, programs: place };
  } finally {
    // Its memory is of more use to the tests.
    await stop();
  }
}
