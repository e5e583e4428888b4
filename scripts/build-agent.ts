/**
 * `npm run build:agent [-- --arch x64,arm64]`: the agent as one executable file for Linux, for machines without Node. Node
 * itself comes from the npm registry, pinned by its checksum; the files go to dist/download, where the monitor finds
 * them. Run it after "npm run build", or by itself beside a clone.
 */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { bundleAgent } from "../src/monitor/service-agent-bundle.ts";
import { agentOptions } from "../src/runtime/start-options.ts";
import { readScriptAgent } from "../src/monitor/service-downloads.ts";
import { VERSION } from "../src/version.ts";
import { writeDownloadList } from "./download-list.ts";
import { projectFolder } from "./process.ts";
import { compress, makeBlob, putIntoNode } from "./release/executable.ts";
import { type Arch, architectures, fetchNode, must, parseArch } from "./release/packages.ts";

async function makeOne(
  arch: Arch,
  parts: { node: string; blob: string; folder: string; to: string },
): Promise<void> {
  const file = join(parts.folder, `agent-${arch}`);
  await putIntoNode(file, parts);
  if (arch === process.arch) await must(file, ["--version"], parts.folder);
  const target = join(parts.to, `trivet-agent-linux-${arch}.gz`);
  await writeFile(target, await compress(await readFile(file)));
  const { size } = await stat(target);
  console.log(`trivet-agent-linux-${arch}.gz  ${(size / 1_048_576).toFixed(1)} MiB`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: "string", default: architectures.join(",") },
      to: { type: "string", default: join(projectFolder, "dist", "download") },
    },
  });
  const wanted = values.arch.split(",").map(parseArch);
  if (process.platform !== "linux")
    throw new Error("This runs on Linux: a program of its own makes the blob");
  const own = parseArch(process.arch);
  const folder = await mkdtemp(join(tmpdir(), "trivet-agent-build-"));
  try {
    await mkdir(values.to, { recursive: true });
    await writeFile(join(values.to, "agent.js"), await bundleAgent());
    await writeFile(join(values.to, "agent.sh"), await readScriptAgent(VERSION));
    const ownNode = await fetchNode(own, folder);
    const blob = await makeBlob({
      node: ownNode,
      folder,
      script: await bundleAgent(),
      nodeOptions: agentOptions,
    });
    for (const arch of wanted) {
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
