/**
 * `npm run build:single [-- --arch x64,arm64]`: all services as one executable file for Linux (glibc), with
 * Node and the binaries of packages inside, all from the npm registry: dist/single/trivet-linux-x64 and so
 * on, with a .gz of each unless --plain is given. `--signer` and `--signature` go to "npm run build".
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { nodeOptions } from "../../src/runtime/start-options.ts";
import { projectFolder } from "../process.ts";
import { compress, makeBlob, putIntoNode } from "./executable.ts";
import { type Arch, architectures, fetchNode, must, parseArch } from "./packages.ts";

/** What only other ways of starting need. */
const leftOut = /^(?:agent\.js|README\.md|package-lock\.json)$|\.(?:map|d\.ts)$/u;

async function bundleStart(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(projectFolder, "src/runtime/single-file.ts")],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node24",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** The files of a build, and their hashes beside them: path in the program → path here. */
async function listAssets(dist: string): Promise<Record<string, string>> {
  // Kept from one start to the next in the same private folder.
  const start = `require("node:module").enableCompileCache?.(require("node:path").join(__dirname, "..", "v8"));\nimport("./trivet.js");\n`;
  await writeFile(join(dist, "start.cjs"), start);
  const assets: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(dist, file).split(sep).join("/");
    if (!entry.isFile() || leftOut.test(path)) continue;
    assets[path] = file;
    hashes[path] = createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  }
  await writeFile(join(dist, "hashes.json"), JSON.stringify(hashes));
  return { ...assets, "hashes.json": join(dist, "hashes.json") };
}

const toMebibytes = async (path: string): Promise<string> =>
  `${((await stat(path)).size / 1_048_576).toFixed(1)} MiB`;

async function makeOne(
  arch: Arch,
  parts: {
    ownNode: string;
    node: string;
    folder: string;
    to: string;
    isPlain: boolean;
    signing: readonly string[];
  },
): Promise<void> {
  const dist = join(parts.folder, `dist-${arch}`);
  const args = ["--import", "tsx", "scripts/build.ts", "--to", dist, "--cpu", arch, ...parts.signing];
  await must(process.execPath, args, projectFolder);
  await copyFile(join(parts.node, "..", "..", "LICENSE"), join(dist, "LICENSE-node.txt"));
  const work = join(parts.folder, `work-${arch}`);
  await mkdir(work);
  const assets = await listAssets(dist);
  const script = await bundleStart();
  const blob = await makeBlob({ node: parts.ownNode, folder: work, script, nodeOptions, assets });
  const file = join(parts.to, `trivet-linux-${arch}`);
  await putIntoNode(file, { node: parts.node, blob });
  console.log(
    `trivet-linux-${arch}  ${await toMebibytes(file)}; ${Object.keys(assets).length} files inside, ${await toMebibytes(blob)}`,
  );
  if (parts.isPlain) return;
  await writeFile(`${file}.gz`, await compress(await readFile(file)));
  console.log(`trivet-linux-${arch}.gz  ${await toMebibytes(`${file}.gz`)}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: "string", default: architectures.join(",") },
      to: { type: "string", default: join(projectFolder, "dist", "single") },
      plain: { type: "boolean", default: false },
      signer: { type: "string" },
      signature: { type: "string" },
    },
  });
  const { signer, signature } = values;
  const signing =
    signer === undefined || signature === undefined ? [] : ["--signer", signer, "--signature", signature];
  const wanted = values.arch.split(",").map(parseArch);
  if (process.platform !== "linux")
    throw new Error("This runs on Linux: a program of its own makes the blob");
  const own = parseArch(process.arch);
  const folder = await mkdtemp(join(tmpdir(), "trivet-single-build-"));
  try {
    await mkdir(values.to, { recursive: true });
    const ownNode = await fetchNode(own, folder);
    for (const arch of wanted) {
      const node = arch === own ? ownNode : await fetchNode(arch, folder);
      await makeOne(arch, { ownNode, node, folder, to: values.to, isPlain: values.plain, signing });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
