/**
 * `npm run web`: makes src/web/built, what a browser gets, from src/web. The result is committed, so that nobody who
 * installs needs a bundler; `--check` fails when it is not what the source gives.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Plugin, build } from "esbuild";
import { findPackageFolders, readLicenceTexts } from "./licence-texts.ts";
import { projectFolder } from "./process.ts";

const source = join(projectFolder, "src/web");
const target = join(source, "built");
const entry = "src/web/main.tsx";
/** Name of a file in `built` → its bytes. */
type Files = ReadonlyMap<string, Uint8Array>;

/** `name` with a hash of the bytes, so that browsers may keep it for ever. */
function toHashedName(name: string, bytes: Uint8Array): string {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  const extension = extname(name);
  return `${basename(name, extension)}-${hash}${extension}`;
}

interface Bundle {
  readonly files: Map<string, Uint8Array>;
  readonly script: string;
  readonly style: string;
  readonly needed: readonly string[];
}

/** Making a schema does nothing else: what uses none of a file's schemas needs neither it nor the library. */
const schemasOnlyWhereUsed: Plugin = {
  name: "schemas only where used",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/schemas?\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    })),
};

async function bundle(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: [entry],
    outdir: target,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: ["chrome109", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    plugins: [schemasOnlyWhereUsed],
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const licences = await readLicenceTexts(findPackageFolders(Object.keys(metafile.inputs)));
  files.set("licences.txt", new TextEncoder().encode(licences));
  const main = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry);
  if (main?.[1].cssBundle === undefined) throw new Error("The dashboard has no style sheet");
  // What the first script needs at once; the browser would else find out only after it has read that.
  const needed = main[1].imports.filter(({ kind }) => kind === "import-statement");
  return {
    files,
    script: basename(main[0]),
    style: basename(main[1].cssBundle),
    needed: needed.map(({ path }) => basename(path)),
  };
}

async function makeFiles(): Promise<Files> {
  const { files, script, style, needed } = await bundle();
  const icon = await readFile(join(projectFolder, "src", "kit", "http", "icon.svg"));
  const iconName = toHashedName("icon.svg", icon);
  files.set(iconName, icon);
  const page = (await readFile(join(source, "index.html"), "utf8"))
    .replace(
      "<!-- needed -->",
      needed.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`).join(""),
    )
    .replaceAll("main.js", script)
    .replaceAll("main.css", style)
    .replaceAll("icon.svg", iconName);
  files.set("index.html", new TextEncoder().encode(page));
  for (const name of await readdir(join(source, "locales"))) {
    // Read and written anew: a locale that is no JSON fails here, and comes without spaces.
    const texts: unknown = JSON.parse(await readFile(join(source, "locales", name), "utf8"));
    files.set(`locale-${name}`, new TextEncoder().encode(JSON.stringify(texts)));
  }
  return files;
}

async function findDifference(files: Files): Promise<string | undefined> {
  const present = await readdir(target).catch(() => []);
  const extra = present.find((name) => !files.has(name));
  if (extra !== undefined) return extra;
  for (const [name, bytes] of files) {
    const found = await readFile(join(target, name)).catch(() => undefined);
    if (found === undefined || !found.equals(bytes)) return name;
  }
  return undefined;
}

async function main(): Promise<number> {
  const files = await makeFiles();
  if (process.argv.includes("--check")) {
    const name = await findDifference(files);
    if (name !== undefined) console.error(`src/web/built/${name} is not what src/web gives: npm run web`);
    return name === undefined ? 0 : 1;
  }
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(target, name), bytes);
  for (const [name, bytes] of [...files].sort((a, b) => b[1].length - a[1].length))
    console.log(`${name.padEnd(32)} ${(gzipSync(bytes).length / 1024).toFixed(1).padStart(7)} KiB gzipped`);
  return 0;
}

process.exitCode = await main();
