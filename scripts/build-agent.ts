/**
 * `npm run build:agent [-- --arch x64,arm64] [--image]`: the agent as one executable file for Linux, for machines without
 * Node. Node itself comes from the npm registry, pinned by its checksum; the files go to dist/download, where the monitor
 * finds them. Run it after "npm run build", or by itself beside a clone. `--image` adds container images, with Docker or
 * Podman; `--plain` writes the executable files alone, not compressed.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { bundleAgent } from "../src/monitor/service-agent-bundle.ts";
import { agentOptions } from "../src/runtime/start-options.ts";
import { readScriptAgent } from "../src/monitor/service-downloads.ts";
import { VERSION } from "../src/version.ts";
import { writeDownloadList } from "./download-list.ts";
import { projectFolder, runProgram } from "./process.ts";
import { compress, makeBlob, putIntoNode } from "./release/executable.ts";
import { type Arch, architectures, fetchNode, must, parseArch } from "./release/packages.ts";

async function makeOne(
  arch: Arch,
  parts: { node: string; blob: string; folder: string; to: string; isPlain: boolean },
): Promise<void> {
  const file = join(parts.folder, `agent-${arch}`);
  await putIntoNode(file, parts);
  if (arch === process.arch) await must(file, ["--version"], parts.folder);
  if (parts.isPlain) {
    await rename(file, join(parts.to, `trivet-agent-linux-${arch}`));
    return;
  }
  const target = join(parts.to, `trivet-agent-linux-${arch}.gz`);
  await writeFile(target, await compress(await readFile(file)));
  const { size } = await stat(target);
  console.log(`trivet-agent-linux-${arch}.gz  ${(size / 1_048_576).toFixed(1)} MiB`);
}

/** The program that builds images. @throws Error when there is none */
async function findEngine(): Promise<string> {
  for (const name of ["docker", "podman"]) {
    const { code } = await runProgram(name, ["info"], { cwd: projectFolder, timeoutMs: 30_000 });
    if (code === 0) return name;
  }
  throw new Error("--image needs Docker or Podman, and neither answers here");
}

/** The image as one file, for "docker load". `base` replaces the image that Dockerfile.agent takes Node from. */
async function makeImage(
  arch: Arch,
  { folder, to, base }: { folder: string; to: string; base: string | undefined },
): Promise<void> {
  const engine = await findEngine();
  const platform = `linux/${arch === "x64" ? "amd64" : arch}`;
  const tag = `localhost/trivet-agent:${VERSION}`;
  const from = base === undefined ? [] : ["--build-arg", `NODE=${base}`];
  const build = ["build", "--platform", platform, ...from, "-f", "Dockerfile.agent", "-t", tag, "."];
  await must(engine, build, projectFolder);
  const archive = join(folder, `image-${arch}.tar`);
  await must(engine, ["save", "-o", archive, tag], projectFolder);
  const target = join(to, `trivet-agent-image-linux-${arch}.tar.gz`);
  await pipeline(createReadStream(archive), createGzip({ level: 9 }), createWriteStream(target));
  console.log(`${basename(target)}  ${((await stat(target)).size / 1_048_576).toFixed(1)} MiB`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: "string", default: architectures.join(",") },
      to: { type: "string", default: join(projectFolder, "dist", "download") },
      plain: { type: "boolean", default: false },
      image: { type: "boolean", default: false },
      base: { type: "string" },
    },
  });
  const wanted = values.arch.split(",").map(parseArch);
  if (process.platform !== "linux")
    throw new Error("This runs on Linux: a program of its own makes the blob");
  const own = parseArch(process.arch);
  const folder = await mkdtemp(join(tmpdir(), "trivet-agent-build-"));
  try {
    await mkdir(values.to, { recursive: true });
    if (!values.plain) {
      await writeFile(join(values.to, "agent.js"), await bundleAgent());
      await writeFile(join(values.to, "agent.sh"), await readScriptAgent(VERSION));
    }
    const ownNode = await fetchNode(own, folder);
    const blob = await makeBlob({
      node: ownNode,
      folder,
      script: await bundleAgent(),
      nodeOptions: agentOptions,
    });
    for (const arch of wanted) {
      const node = arch === own ? ownNode : await fetchNode(arch, folder);
      await makeOne(arch, { node, blob, folder, to: values.to, isPlain: values.plain });
      if (values.image) await makeImage(arch, { folder, to: values.to, base: values.base });
    }
    if (!values.plain) await writeDownloadList(values.to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
