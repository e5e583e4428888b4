/**
 * `npm run build`: dist/trivet.js and dist/agent.js, each one file that runs on Node without node_modules. With
 * `--check` it builds in a temporary folder, where no node_modules is near, and asks each bundle for its help.
 */
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { build, type Metafile, type Plugin } from "esbuild";
import { z } from "zod";
import { escapeLetters } from "../src/runtime/program-bundle.ts";
import { bundleAgent } from "../src/monitor/service-agent-bundle.ts";
import { writeDownloadList } from "./download-list.ts";
import { findPackageFolders, readLicenceTexts } from "./licence-texts.ts";
import { projectFolder, runNode } from "./process.ts";

const entries = { trivet: "src/main.ts", agent: "src/agent/main.ts" };

/** Native modules cannot be bundled: they and their binary for this platform are copied to dist/node_modules. */
const nativePackages = ["@node-rs/argon2", "@node-rs/bcrypt"];

/** sharp with its libraries for this platform, and what it imports; without them pictures keep their size. */
const picturePackages = ["sharp", "detect-libc", "semver"];

/** What src/kit/http/swagger-assets.ts reads from disk, with its licences: copied to dist/node_modules. */
const swaggerFiles = [
  ...["package.json", "LICENSE", "NOTICE", "swagger-ui.css", "swagger-ui-bundle.js"],
  "swagger-ui-bundle.js.LICENSE.txt",
];

// CommonJS packages in an ES module: esbuild's own require knows no built-in modules, and they ask for __dirname.
const banner = `import { createRequire as bundleRequire } from "node:module";
import { dirname as bundleDirname } from "node:path";
import { fileURLToPath as bundlePath } from "node:url";
const require = bundleRequire(import.meta.url);
const __filename = bundlePath(import.meta.url);
const __dirname = bundleDirname(__filename);`;

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
});

/**
 * Lets a source file find what lies beside it: dist/src mirrors src for files that are not code, and
 * `import.meta.url` means the place that the file has there.
 */
const keepPlaces: Plugin = {
  name: "keep-places",
  setup(target) {
    target.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const place = relative(projectFolder, path).split(sep).join("/");
      if (!place.startsWith("src/")) return undefined;
      const text = await readFile(path, "utf8");
      const url = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`;
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/gu, `(${url})`), loader: "ts" };
    });
  },
};

async function bundle(dist: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: entries,
    outdir: dist,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none", // LICENSES.txt holds them all
    metafile: true,
    banner: { js: banner },
    plugins: [keepPlaces],
    external: ["esbuild", "swagger-ui-dist", "pg-native", "sharp", ...nativePackages],
    logLevel: "warning",
  });
  return metafile;
}

/** Packages of a scope that are installed. */
async function listScope(scope: string): Promise<string[]> {
  const installed = await readdir(join(projectFolder, "node_modules", scope)).catch((): string[] => []);
  return installed.map((entry) => `node_modules/${scope}/${entry}`);
}

/** Native packages with their binaries for this platform, which is all that npm installs. */
async function listNativeFolders(): Promise<string[]> {
  const hashes = (await listScope("@node-rs")).filter((folder) =>
    nativePackages.some((name) => folder.startsWith(`node_modules/${name}`)),
  );
  const pictures = picturePackages.map((name) => `node_modules/${name}`);
  return [...hashes, ...pictures, ...(await listScope("@img"))];
}

/** Copies what the program reads from disk: files beside the source, and the assets of Swagger UI. */
async function copyFiles(dist: string): Promise<void> {
  const code = new Set([".ts", ".map"]);
  for (const entry of await readdir(join(projectFolder, "src"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isBuiltFrom =
      path.includes(join("src", "monitor", "proto")) ||
      path.includes(join("src", "pages")) ||
      (path.includes(join("src", "web")) && !path.includes(join("src", "web", "built")));
    if (!entry.isFile() || isBuiltFrom || code.has(extname(entry.name))) continue;
    await cp(path, join(dist, relative(projectFolder, path)));
  }
  const target = join(dist, "node_modules", "swagger-ui-dist");
  await mkdir(target, { recursive: true });
  for (const name of swaggerFiles)
    await cp(join(projectFolder, "node_modules", "swagger-ui-dist", name), join(target, name));
  for (const folder of await listNativeFolders())
    await cp(join(projectFolder, folder), join(dist, folder), { recursive: true });
  const { name, version, license } = manifest.parse(
    JSON.parse(await readFile(join(projectFolder, "package.json"), "utf8")),
  );
  await writeFile(
    join(dist, "package.json"),
    `${JSON.stringify({ name, version, license, private: true, type: "module" }, undefined, 2)}\n`,
  );
}

/** What the monitor hands to machines: agent.js here, single executables beside it by "npm run build:agent". */
async function writeDownloads(dist: string): Promise<void> {
  const folder = join(dist, "download");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "agent.js"), await bundleAgent());
  await writeDownloadList(folder);
}

async function writeLicences(dist: string, metafile: Metafile): Promise<number> {
  const folders = findPackageFolders([
    ...Object.keys(metafile.inputs),
    ...(await listNativeFolders()).map((folder) => `${folder}/`),
  ]);
  await writeFile(join(dist, "LICENSES.txt"), await readLicenceTexts(folders));
  return folders.length;
}

async function makeAll(dist: string): Promise<void> {
  const started = performance.now();
  await rm(dist, { recursive: true, force: true });
  const metafile = await bundle(dist);
  for (const name of Object.keys(entries)) await escapeLetters(join(dist, `${name}.js`));
  await copyFiles(dist);
  const packages = await writeLicences(dist, metafile);
  await writeDownloads(dist);
  for (const name of Object.keys(entries)) {
    const { size } = await stat(join(dist, `${name}.js`));
    console.log(`${name}.js  ${(size / 1024).toFixed(0)} KiB`);
  }
  console.log(`${packages} packages inside, built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function tryBundles(dist: string): Promise<boolean> {
  let good = true;
  for (const name of Object.keys(entries)) {
    const args = [join(dist, `${name}.js`), "--help"];
    const { code, output } = await runNode(args, { cwd: dist, timeoutMs: 30_000 });
    if (code === 0) continue;
    good = false;
    console.error(`${name}.js --help: exit ${code ?? "unknown"}\n${output}`);
  }
  return good;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { check: { type: "boolean", default: false }, to: { type: "string" } },
  });
  if (!values.check) {
    const dist = resolve(values.to ?? join(projectFolder, "dist"));
    // What was there is removed, so it has to be a bundle.
    const found = await readdir(dist).catch((): string[] => []);
    if (found.length > 0 && !found.includes("trivet.js") && values.to !== undefined) {
      console.error(`"${dist}" holds something else than a bundle: name a new or an empty folder`);
      return 1;
    }
    await makeAll(dist);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), "trivet-build-"));
  try {
    const dist = join(folder, "dist");
    await makeAll(dist);
    return (await tryBundles(dist)) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
