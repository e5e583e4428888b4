/**
 * `npm run build:agent [-- --arch x64,arm64]`: the agent as one executable file for Linux, for machines without Node. Node
 * itself comes from the npm registry, pinned by its checksum; the files go to dist/download, where the monitor finds
 * them. Run it after "npm run build", or by itself beside a clone.
 */
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { bundleAgent } from "../src/monitor/service-agent-bundle.ts";
import { writeDownloadList } from "./download-list.ts";
import { projectFolder, runProgram } from "./process.ts";

/** Not 26: its builds need libatomic, which small Debian images lack. */
const NODE = "24.21.0";
const packages = {
  x64: {
    integrity:
      "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  arm64: {
    integrity:
      "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
} as const;
type Arch = keyof typeof packages;

/** https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
const SENTINEL = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
/**
 * A small heap: an agent holds 24 h of reports in a few MB. Without the optimizing compiler it takes 8 MB less, and at a
 * report every 3 s not more of the processor.
 */
const nodeOptions = ["--max-semi-space-size=1", "--max-old-space-size=96", "--lite-mode"];

const compress = promisify(gzip);

function isArch(name: string): name is Arch {
  return name in packages;
}

async function must(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await runProgram(command, args, { cwd, timeoutMs: 600_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code ?? "unknown"}\n${output}`);
}

/** Node for an architecture, unpacked. @throws Error when the package is not the pinned one */
async function fetchNode(arch: Arch, folder: string): Promise<string> {
  const name = `node-linux-${arch}`;
  await must("npm", ["pack", "--silent", `${name}@${NODE}`], folder);
  const archive = join(folder, `${name}-${NODE}.tgz`);
  const found = `sha512-${createHash("sha512")
    .update(await readFile(archive))
    .digest("base64")}`;
  if (found !== packages[arch].integrity)
    throw new Error(`${name}@${NODE} is ${found}, not what is pinned here`);
  const target = join(folder, name);
  await mkdir(target);
  await must("tar", ["-xzf", archive, "-C", target], folder);
  return join(target, "package", "bin", "node");
}

/** The blob is the same for all architectures: it holds no compiled code. */
async function makeBlob(node: string, folder: string): Promise<string> {
  await writeFile(join(folder, "agent.cjs"), await bundleAgent());
  const settings = {
    main: "agent.cjs",
    output: "agent.blob",
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    execArgv: nodeOptions,
    execArgvExtension: "none",
  };
  await writeFile(join(folder, "sea.json"), JSON.stringify(settings));
  await must(node, ["--experimental-sea-config", "sea.json"], folder);
  return join(folder, "agent.blob");
}

async function makeOne(
  arch: Arch,
  parts: { node: string; blob: string; folder: string; to: string },
): Promise<void> {
  const file = join(parts.folder, `agent-${arch}`);
  await copyFile(parts.node, file);
  await chmod(file, 0o755);
  const postject = join(projectFolder, "node_modules", "postject", "dist", "cli.js");
  const args = [postject, file, "NODE_SEA_BLOB", parts.blob, "--sentinel-fuse", SENTINEL];
  await must(process.execPath, args, parts.folder);
  if (arch === process.arch) await must(file, ["--version"], parts.folder);
  const target = join(parts.to, `trivet-agent-linux-${arch}.gz`);
  await writeFile(target, await compress(await readFile(file), { level: constants.Z_BEST_COMPRESSION }));
  const { size } = await stat(target);
  console.log(`trivet-agent-linux-${arch}.gz  ${(size / 1_048_576).toFixed(1)} MiB`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: "string", default: Object.keys(packages).join(",") },
      to: { type: "string", default: join(projectFolder, "dist", "download") },
    },
  });
  const wanted = values.arch.split(",");
  const unknown = wanted.find((name) => !isArch(name));
  if (unknown !== undefined)
    throw new Error(`--arch takes ${Object.keys(packages).join(", ")}, not "${unknown}"`);
  const own = process.arch;
  if (process.platform !== "linux" || !isArch(own))
    throw new Error("This runs on Linux on x64 or arm64: the program of the own architecture makes the blob");
  const folder = await mkdtemp(join(tmpdir(), "trivet-agent-build-"));
  try {
    await mkdir(values.to, { recursive: true });
    await writeFile(join(values.to, "agent.js"), await bundleAgent());
    const ownNode = await fetchNode(own, folder);
    const blob = await makeBlob(ownNode, folder);
    for (const arch of wanted.filter(isArch)) {
      const node = arch === own ? ownNode : await fetchNode(arch, folder);
      await makeOne(arch, { node, blob, folder, to: values.to });
    }
    await writeDownloadList(values.to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
