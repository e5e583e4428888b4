/**
 * Test files made ready for Node: each becomes one JavaScript file with all of our code that it uses. Loading
 * TypeScript module by module costs up to a second of processor time for each file; this costs a few hundredths.
 * Hidden here: where the files lie, and that code still takes itself for the source file that it was.
 */
import { readFile, symlink } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { projectFolder } from "./process.ts";

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

/**
 * Writes the bundles of `files` below `folder`; resolves with the bundle of each. Packages are not in them, so
 * each is loaded once and as it is.
 * @throws Error when a file cannot be read as TypeScript, or imports what is not there
 */
export async function bundleTests(
  files: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  const bundles = new Map(
    files.map((file, index) => [file, join(folder, `${index}-${file.replaceAll(/[^\w.-]/gu, "-")}.mjs`)]),
  );
  await build({
    absWorkingDir: projectFolder,
    entryPoints: [...bundles].map(([file, bundle]) => ({
      in: resolve(file),
      out: relative(folder, bundle).replace(/\.mjs$/u, ""),
    })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.15",
    keepNames: true,
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [keepPlaces],
    logLevel: "silent",
  });
  return bundles;
}
