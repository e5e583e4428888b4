/**
 * The world of containers: the images of the Dockerfiles, built and run by Podman as the documents say. It needs no registry
 * of images: the base images are made by debootstrap and from npm's package of Node, under the names that the files have.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "../../support/free-ports.ts";
import { runProcess } from "../../support/process.ts";
import { DEBIAN, buildImage, configurePodman, makeImages, podman, run, sizeOf } from "./podman.ts";

export const IMAGE = "localhost/trivet-world";
const AGENT_IMAGE = "localhost/trivet-world-agent";
const NAME = "trivet-world";
const AGENT = `${NAME}-agent`;
const volumes = ["data", "backups", "agent"].map((name) => `${NAME}-${name}`);
/** What the image may weigh, without Debian. */
const MAX_BYTES = 160_000_000;
const MINUTE_MS = 60_000;

type Say = (line: string) => void;
const toMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;

async function build(work: string, say: Say): Promise<void> {
  const seconds = await buildImage(work, "Dockerfile", IMAGE);
  const own = (await sizeOf(IMAGE)) - (await sizeOf(DEBIAN));
  say(`built in ${seconds.toFixed(0)} s: ${toMegabytes(own)} on top of Debian`);
  assert.ok(own <= MAX_BYTES, `${own} bytes`);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < 90_000) {
    if (await isSo().catch(() => false)) return (performance.now() - from) / 1_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within 90 s\n${await podman("logs", "--tail", "20", NAME)}`);
}

const hardened = [
  ...["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--network", "host"],
  "--no-healthcheck",
] as const;

/** Starts it as docs/containers.md says; resolves with the seconds until all services are well. */
async function start(ports: readonly number[]): Promise<number> {
  const names = ["MONITOR_PORT", "SHOP_PORT", "AUTH_PORT", "GRPC_PORT"];
  const settings = names.flatMap((name, index) => ["-e", `${name}=${ports[index]}`]);
  await podman(
    ...["run", "-d", "--name", NAME, ...hardened, "--tmpfs", "/tmp", "-e", "HOST=127.0.0.1", ...settings],
    ...["-v", `${volumes[0]}:/data`, "-v", `${volumes[1]}:/backups`, IMAGE],
  );
  return until("Health", async () => {
    const answers = ports.slice(0, 3).map((port) => fetch(`http://127.0.0.1:${port}/api/health`));
    return (await Promise.all(answers)).every(({ ok }) => ok);
  });
}

async function readMemory(): Promise<string> {
  const pid = (await podman("inspect", "--format", "{{.State.Pid}}", NAME)).trim();
  const kilobytes = /VmRSS:\s+(\d+) kB/u.exec(await run("cat", [`/proc/${pid}/status`]))?.[1];
  return `${(Number(kilobytes) / 1_024).toFixed(0)} MiB`;
}

/** The agent's image with the key of the console, beside the services. */
async function runAgent(work: string, monitor: { url: string; token: string }, say: Say): Promise<void> {
  const seconds = await buildImage(work, "Dockerfile.agent", AGENT_IMAGE);
  say(`agent's image built in ${seconds.toFixed(0)} s: ${toMegabytes(await sizeOf(AGENT_IMAGE))} in all`);
  const headers = { "x-admin-token": monitor.token, "content-type": "application/json" };
  const body = JSON.stringify({ uses: 1, lifeSeconds: 3_600 });
  const made = await fetch(`${monitor.url}/api/admin/enrolments`, { method: "POST", headers, body });
  const { code } = (await made.json()) as { code: string };
  await podman(
    ...["run", "-d", "--name", AGENT, ...hardened, "-v", `${volumes[2]}:/data`, "-v", "/proc:/host/proc:ro"],
    ...[
      "-v",
      "/sys:/host/sys:ro",
      "-e",
      `TRIVET_URL=${monitor.url}`,
      "-e",
      `TRIVET_ENROL=${code}`,
      AGENT_IMAGE,
    ],
  );
  const waited = await until("The agent's first report", async () => {
    const answer = await fetch(`${monitor.url}/api/admin/servers`, { headers });
    const { items } = (await answer.json()) as { items: { agent: { reportsStored: number } }[] };
    return items.some(({ agent }) => agent.reportsStored > 0);
  });
  assert.equal((await podman("inspect", "--format", "{{.Config.User}}", AGENT)).trim(), "1000:1000");
  const from = performance.now();
  await podman("stop", "-t", "20", AGENT);
  const stopMs = performance.now() - from;
  assert.equal((await podman("inspect", "--format", "{{.State.ExitCode}}", AGENT)).trim(), "0");
  say(
    `agent: first report after ${waited.toFixed(1)} s; SIGTERM ends it with 0 after ${stopMs.toFixed(0)} ms`,
  );
}

async function live(work: string, say: Say): Promise<void> {
  const ports = await findFreePorts(4);
  const url = `http://127.0.0.1:${ports[0]}`;
  say(`all services answer ${(await start(ports)).toFixed(1)} s after the start, on a read-only root`);
  const started = performance.now();
  assert.match(await podman("exec", NAME, "id"), /^uid=1000\(?.*gid=1000/u);
  assert.match(await podman("exec", NAME, "trivet", "doctor"), /, 0 problems/u);
  assert.notEqual((await runProcess({ command: "podman", args: ["exec", NAME, "touch", "/x"] })).code, 0);
  say("user 1000 without capabilities; the doctor finds no problem");
  const token = (await podman("exec", NAME, "cat", "/data/first-admin-token")).trim();
  await runAgent(work, { url, token }, say);
  assert.match(await podman("exec", NAME, "trivet", "backup"), /Backed up and verified/u);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, MINUTE_MS - (performance.now() - started))));
  say(`backs up; ${await readMemory()} resident after more than a minute`);
  const from = performance.now();
  await podman("stop", "-t", "20", NAME);
  const stopMs = performance.now() - from;
  assert.equal((await podman("inspect", "--format", "{{.State.ExitCode}}", NAME)).trim(), "0");
  await podman("rm", NAME);
  await start(ports);
  const list = await fetch(`${url}/api/admin/servers`, { headers: { "x-admin-token": token } });
  const { items } = (await list.json()) as { items: unknown[] };
  assert.equal(items.length, 1);
  say(`SIGTERM ends it with 0 after ${stopMs.toFixed(0)} ms; a new container goes on with the volume`);
}

/** Builds and runs the images, and removes what it made. */
export async function walkContainer(say: Say, { cache }: { readonly cache: string }): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "trivet-container-"));
  try {
    await configurePodman(work);
    await makeImages(work, cache);
    await build(work, say);
    await live(work, say);
  } finally {
    await runProcess({ command: "podman", args: ["rm", "-f", NAME, AGENT], timeoutMs: 60_000 });
    await runProcess({ command: "podman", args: ["volume", "rm", "-f", ...volumes], timeoutMs: 60_000 });
    await rm(work, { recursive: true, force: true });
  }
}
