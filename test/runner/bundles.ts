/**
 * Test files, and the programs that they start, made ready for a runtime: each process gets one JavaScript file with all
 * of our code that it uses.
 */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, stop } from "esbuild";
import { toBundleOptions, toProgramOptions } from "../../src/runtime/program-bundle.ts";
import { projectFolder } from "../support/process.ts";

type TestRuntime = "node" | "deno";

const bundleOptions = toBundleOptions(projectFolder);

/** What tests start in processes of their own; what is not named here starts from its source. */
const programs: readonly string[] = [
  "src/main.ts",
  "src/agent/main.ts",
  "src/runtime/deno-grpc/grpc-child.ts",
  ...["check-books", "first-sale"].map((name) => `scripts/${name}.ts`),
  "test/runner/main.ts",
  "test/runtime/grpc/frozen-client.ts",
  "test/runtime/deno-grpc/grpc-orphan.ts",
  "test/store/journal/kill-writer.ts",
];

/** Loaded before each bundle on Node: see test/runner/runtimes.ts. */
const preload = join(projectFolder, "test", "runner", "untracked.ts");

/**
 * What a process of several files runs: each is a suite with its name, so that its hooks are its own. `require` loads
 * it while the suite is being declared; what an import brings would come too late for Deno.
 */
function toEntry(group: readonly string[]): string {
  const suites = group.map((file) => {
    const [name, path] = [file, resolve(file)].map((text) => JSON.stringify(text));
    return `describe(${name}, () => void require(${path}));\n`;
  });
  return `import { describe } from "node:test";\n${suites.join("")}`;
}

/** Writes a bundle for each group of files below `folder`; resolves with them, by the first file of each. */
async function bundleFiles(
  groups: readonly (readonly string[])[],
  options: { runtime: TestRuntime; folder: string },
): Promise<Map<string, string>> {
  const { folder } = options;
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
  // Which of our code for the one or the other runtime "#runtime" is.
  const conditions = options.runtime === "deno" ? ["deno"] : [];
  if (options.runtime === "node") entryPoints.push({ in: resolve(preload), out: "untracked" });
  await build({ ...bundleOptions, conditions, entryPoints, outdir: folder });
  return bundles;
}

/** What runs in place of TypeScript. */
export interface TestBundles {
  /** The bundle of each group of test files, by its first. */
  readonly files: ReadonlyMap<string, string>;
  /** Where test/support/own-runtime.ts finds the bundles of programs. */
  readonly programs?: string;
}

/**
 * Creates a bundle of each group of files, and for Node of the programs if these tests start some, below `folder`.
 * @throws Error when a file is invalid TypeScript, or imports a missing file
 */
export async function bundleTests(
  groups: readonly (readonly string[])[],
  options: { runtime: TestRuntime; folder: string; startPrograms: boolean },
): Promise<TestBundles> {
  const { folder } = options;
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  try {
    const files = await bundleFiles(groups, options);
    if (options.runtime === "deno" || !options.startPrograms) return { files };
    const place = join(folder, "programs");
    await build({ ...toProgramOptions(projectFolder, place), entryPoints: [...programs] });
    return { files, programs: place };
  } finally {
    // Its memory is of more use to the tests.
    await stop();
  }
}
