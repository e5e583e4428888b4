/** The world of runtimes: each version of Node that package.json names, Deno, and arm64 by emulation. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { findProgram } from "../../support/missing.ts";
import { denoRunner } from "../../support/own-runtime.ts";
import { type ProgramFile, createPrograms, terminate } from "../../support/program.ts";
import { projectFolder } from "../../support/process.ts";
import { makeBase } from "../machines/base.ts";
import { startMachine } from "../machines/machine.ts";
import { type Services, TOKEN, awaitReport, makeAgentKey, makeFirstSale } from "./first-day.ts";
import { run } from "./podman.ts";

type Say = (line: string) => void;
interface Settings {
  readonly cache: string;
  readonly release: string;
  readonly only: string;
}

interface Runtime {
  readonly services: ProgramFile;
  /** Runs the agent. */
  readonly agent: readonly [command: string, ...args: string[]];
}

const lines = ["20", "22", "24", "26"];

/** The newest Node of a line from npm; resolves with the program's path. */
async function fetchNode(line: string, folder: string, arch = "x64"): Promise<string> {
  const name = `node-linux-${arch}`;
  const args = ["install", "--silent", "--no-save", "--ignore-scripts", "--force", "--prefix", folder];
  await mkdir(folder, { recursive: true });
  await run("npm", [...args, `${name}@${line}`], folder);
  return join(folder, "node_modules", name, "bin", "node");
}

async function tryRuntime(name: string, runtime: Runtime, say: Say): Promise<void> {
  const programs = await createPrograms([], runtime.services);
  try {
    const from = performance.now();
    // The shop asks the auth service at the port that is set.
    const [authPort] = await findFreePorts(1);
    const program = programs.run({ ADMIN_TOKEN: TOKEN, AUTH_PORT: String(authPort) });
    const services: Services = {
      shop: await programs.shopUrl(program),
      auth: await programs.authUrl(program),
      monitor: `http://127.0.0.1:${(await programs.ports(program)).http}`,
    };
    const ready = ((performance.now() - from) / 1_000).toFixed(1);
    await makeFirstSale(services);
    const [command, ...args] = runtime.agent;
    const agent = spawn(
      command,
      [...args, "--enrol", await makeAgentKey(services), "--url", services.monitor],
      {
        cwd: projectFolder,
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: programs.folder,
          TRIVET_DATA: `${programs.folder}/agent`,
        },
        stdio: "ignore",
      },
    );
    const ended = once(agent, "exit");
    const report = (await awaitReport(services)).toFixed(1);
    agent.kill("SIGTERM");
    await ended;
    terminate(program);
    assert.equal(await program.ended, 0, program.output());
    say(
      `${name}: ready after ${ready} s, first sale, first report ${report} s after the agent's start, ends with 0`,
    );
  } finally {
    await programs.dispose();
  }
}

/** The release for arm64 on a Debian for arm64, whose programs qemu-user runs. */
async function tryArm(work: string, cache: string, say: Say): Promise<void> {
  const qemu = "/usr/bin/qemu-aarch64-static";
  if (findProgram("qemu-aarch64-static") !== qemu || process.getuid?.() !== 0) {
    say("Skipped: arm64, for want of root or qemu-aarch64-static (apt install qemu-user-static)");
    return;
  }
  const base = await makeBase(join(cache, "debian-12-arm64"), "arm64");
  const folder = join(work, "arm64");
  const opt = join(folder, "upper/opt");
  await mkdir(opt, { recursive: true });
  await run("npm", ["run", "--silent", "build", "--", "--to", join(opt, "trivet"), "--cpu", "arm64"]);
  await cp(await fetchNode("24", join(work, "node-arm64"), "arm64"), join(opt, "node"));
  const machine = await startMachine({ name: "arm", base, folder, foreign: true });
  try {
    const [monitor, shop, auth, grpc] = await findFreePorts(4);
    const services: Services = {
      monitor: `http://127.0.0.1:${monitor}`,
      shop: `http://127.0.0.1:${shop}`,
      auth: `http://127.0.0.1:${auth}`,
    };
    const from = performance.now();
    const env = `ADMIN_TOKEN=${TOKEN} MONITOR_PORT=${monitor} SHOP_PORT=${shop} AUTH_PORT=${auth} GRPC_PORT=${grpc} DATA_DIR=/data`;
    await machine.run(
      `${env} setsid /opt/node ${nodeOptions.join(" ")} /opt/trivet/trivet.js >/log 2>&1 & echo $! >/pid`,
    );
    const urls = Object.values(services).map((url) => `${url}/api/health`);
    for (let tries = 0; ; tries += 1) {
      const answers = await Promise.all(urls.map((url) => fetch(url).catch(() => undefined)));
      if (answers.every((answer) => answer?.ok === true)) break;
      if (tries > 300) throw new Error(`arm64 does not start: ${await machine.run("tail -n 20 /log")}`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    const ready = ((performance.now() - from) / 1_000).toFixed(0);
    assert.equal((await machine.run("/opt/node -p process.arch")).trim(), "arm64");
    await makeFirstSale(services);
    await machine.run(
      `TRIVET_DATA=/agent setsid /opt/node /opt/trivet/agent.js --enrol ${await makeAgentKey(services)} --url ${services.monitor} >/agent.log 2>&1 &`,
    );
    const report = (await awaitReport(services)).toFixed(0);
    say(`arm64 by qemu-user, Node 24: ready after ${ready} s, first sale, first report after ${report} s`);
  } finally {
    await machine.stop();
  }
}

/** All that can run here. @throws AssertionError at the first promise that does not hold */
export async function walkRuntimes(say: Say, settings: Settings): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "trivet-runtimes-"));
  try {
    const dist = join(work, "dist");
    await mkdir(dist);
    await run("tar", ["-xzf", settings.release, "-C", dist, "--strip-components=1"]);
    assert.ok((await readdir(dist)).includes("agent.js"));
    const isWanted = (name: string): boolean => name.includes(settings.only.toLowerCase());
    for (const line of lines.filter((each) => isWanted(`node ${each}`))) {
      const node = await fetchNode(line, join(work, `node-${line}`));
      const version = (await run(node, ["--version"])).trim();
      const services: ProgramFile = { runner: [node, ...nodeOptions], entry: join(dist, "trivet.js") };
      await tryRuntime(`Node ${version}`, { services, agent: [node, join(dist, "agent.js")] }, say);
    }
    if (isWanted("deno")) {
      const deno = denoRunner();
      const version = /deno (\S+)/u.exec(await run(deno[0], ["--version"]))?.[1] ?? "";
      const runner: Runtime = {
        services: { runner: deno, entry: "src/main.ts" },
        agent: [...deno, "src/agent/main.ts"],
      };
      await tryRuntime(`Deno ${version}`, runner, say);
    }
    say("Skipped: Alpine (musl), because neither npm nor Debian has Node for musl");
    if (isWanted("arm64")) await tryArm(work, settings.cache, say);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
