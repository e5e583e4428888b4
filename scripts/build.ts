/**
 * `npm run build [-- --cpu x64|arm64]`: dist/trivet.js with dist/parts, which are read when they are needed, and
 * dist/agent.js, which is one file; they run on Node without node_modules. `npm pack ./dist` makes a package of it. With `--cpu` its binaries are those of another Linux (glibc).
 * `--signer` is the public key that install.sh checks the agent's programs with, `--signature` the file with their
 * signature: `npm run release` sets both. With `--check` it builds in a temporary folder, where no node_modules is near, asks each bundle for its help, and
 * looks at what npm would pack.
 */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { build, type Metafile, type Plugin } from "esbuild";
import { escapeLetters } from "../src/runtime/program-bundle.ts";
import { bundleAgent } from "../src/monitor/service-agent-bundle.ts";
import { readScriptAgent } from "../src/monitor/service-downloads.ts";
import { VERSION } from "../src/version.ts";
import { writeDownloadList } from "./download-list.ts";
import { findPackageFolders, readLicenceTexts } from "./licence-texts.ts";
import { buildDocumentation, buildPages, projectFolder, runNode } from "./process.ts";
import { copyFiles, nativePackages } from "./release/dist-files.ts";
import { type Arch, parseArch } from "./release/packages.ts";
import { findPackingFaults, writeManifest } from "./release/tarball.ts";

const usualDist = join(projectFolder, "dist");
const entries = { trivet: "src/main.ts", agent: "src/agent/main.ts" };

/** Below dist: what entry points read when they need it. */
const PARTS = "parts";

// CommonJS packages in an ES module: esbuild's own require knows no built-in modules, and they ask for __dirname. All of
// them, those in parts too, find themselves in the folder of the entry point.
const banner = `#!/usr/bin/env node
import { createRequire as bundleRequire } from "node:module";
import { fileURLToPath as bundlePath } from "node:url";
const bundleRoot = import.meta.url.replace(/\\/(?:${PARTS}\\/[^/]+-[0-9A-Z]{8}|[^/]+)\\.js$/, "/");
const require = bundleRequire(bundleRoot);
const __filename = bundlePath(import.meta.url);
const __dirname = bundlePath(bundleRoot);`;

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
      const url = `new URL(${JSON.stringify(`./${place}`)}, bundleRoot).href`;
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/gu, `(${url})`), loader: "ts" };
    });
  },
};

async function bundle(dist: string, name: keyof typeof entries): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: projectFolder,
    entryPoints: { [name]: entries[name] },
    // Source maps and the hashes in names follow from this folder: the same wherever the files go.
    outdir: usualDist,
    write: false,
    bundle: true,
    // Who copies the agent copies one file.
    splitting: name !== "agent",
    chunkNames: `${PARTS}/[name]-[hash]`,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    sourcesContent: false,
    // Names stay, so that stack traces can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none", // LICENSES.txt holds them all
    metafile: true,
    banner: { js: banner },
    plugins: [keepPlaces],
    external: ["esbuild", "swagger-ui-dist", "pg-native", "sharp", ...nativePackages],
    logLevel: "warning",
  });
  for (const { path, contents } of outputFiles) {
    const file = join(dist, relative(usualDist, path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
    if (file.endsWith(".js")) await escapeLetters(file);
  }
  return metafile;
}

interface BuildOptions {
  readonly arch: Arch | undefined;
  readonly signer: string | undefined;
  /** Text of SHA256SUMS.minisig. */
  readonly signature: string | undefined;
}

/** What the monitor hands to machines: agent.js here, single executables beside it by "npm run build:agent". */
async function writeDownloads(dist: string, { signer, signature }: BuildOptions): Promise<void> {
  const folder = join(dist, "download");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "agent.js"), await bundleAgent());
  await writeFile(join(folder, "agent.sh"), await readScriptAgent(VERSION));
  await writeDownloadList(folder, signature);
  if (signer === undefined) return;
  const script = join(dist, "src/monitor/install/install.sh");
  const text = await readFile(script, "utf8");
  await writeFile(
    script,
    text.replace("\nsigner=''\n", () => `\nsigner='${signer}'\n`),
  );
}

async function writeLicences(
  dist: string,
  parts: { inputs: Metafile["inputs"]; native: readonly string[] },
): Promise<number> {
  const copied = parts.native.map((name) => `node_modules/${name}/`);
  const folders = findPackageFolders([...Object.keys(parts.inputs), ...copied]);
  await writeFile(join(dist, "LICENSES.txt"), await readLicenceTexts(folders, [projectFolder, dist]));
  return folders.length;
}

async function makeAll(dist: string, options: BuildOptions): Promise<void> {
  const started = performance.now();
  await rm(dist, { recursive: true, force: true });
  await buildPages();
  await buildDocumentation();
  const [program, agent] = [await bundle(dist, "trivet"), await bundle(dist, "agent")];
  const native = await copyFiles(dist, options.arch);
  await writeManifest(dist);
  const packages = await writeLicences(dist, { inputs: { ...program.inputs, ...agent.inputs }, native });
  await writeDownloads(dist, options);
  const toSize = ({ outputs }: Metafile): string =>
    `${(Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0) / 1024).toFixed(0)} KiB with maps`;
  console.log(`trivet.js  ${toSize(program)} in ${Object.keys(program.outputs).length / 2} files`);
  console.log(`agent.js  ${toSize(agent)}`);
  console.log(`${packages} packages inside, built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function tryBundles(dist: string): Promise<boolean> {
  const faults = await findPackingFaults(dist);
  for (const fault of faults) console.error(`npm pack ./dist: not as it should be: ${fault}`);
  let good = faults.length === 0;
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
    options: {
      check: { type: "boolean", default: false },
      to: { type: "string" },
      cpu: { type: "string" },
      signer: { type: "string" },
      signature: { type: "string" },
    },
  });
  const arch = values.cpu === undefined ? undefined : parseArch(values.cpu);
  const signature = values.signature && (await readFile(values.signature, "utf8"));
  const options: BuildOptions = { arch, signer: values.signer, signature };
  if (!values.check) {
    const dist = resolve(values.to ?? usualDist);
    // What was there is removed, so it has to be a bundle.
    const found = await readdir(dist).catch((): string[] => []);
    if (found.length > 0 && !found.includes("trivet.js") && values.to !== undefined) {
      console.error(`"${dist}" holds something else than a bundle: name a new or an empty folder`);
      return 1;
    }
    await makeAll(dist, options);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), "trivet-build-"));
  try {
    const dist = join(folder, "dist");
    await makeAll(dist, options);
    return (await tryBundles(dist)) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
