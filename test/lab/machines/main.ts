/**
 * `npm run machines [-- --base FOLDER] [--arm64 FOLDER] [--count 20]`: machines without Node, made by debootstrap, get
 * agents by the line that the dashboard shows, are enrolled again, upgraded and freed of them; one of them gets agent.sh. Needs root on Debian,
 * debootstrap, and what "npm run build:agent" makes; arm64 needs qemu-user-static.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { type MonitorProgram, startMonitorProgram } from "../program.ts";
import { makeBase } from "./base.ts";
import { type Machine, startMachine } from "./machine.ts";

const VISIBLE_MS = 60_000;
/** qemu runs the program some fifty times slower. */
const VISIBLE_SLOW_MS = 300_000;
const PAUSE_MS = 250;
/** How many machines are installed at a time. */
const AT_ONCE = 3;

interface ServerView {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly group: string;
  readonly agent?: { readonly version?: string };
}

const say = (line: string): void => console.log(line);

async function listServers(monitor: MonitorProgram): Promise<readonly ServerView[]> {
  // The form that the API documents.
  const { items } = (await monitor.admin("GET", "/api/admin/servers")) as { items: readonly ServerView[] };
  return items;
}

/** The server of this name once it is online. @throws Error when it is not in time */
async function untilOnline(monitor: MonitorProgram, name: string, withinMs: number): Promise<ServerView> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const found = (await listServers(monitor)).find(
      (server) => server.name === name && server.state === "online",
    );
    if (found !== undefined) return found;
    if (performance.now() > endMs) throw new Error(`"${name}" is not online after ${withinMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function makeKey(monitor: MonitorProgram, uses: number): Promise<string> {
  const body = { uses, lifeSeconds: 86_400, fields: { group: "Fleet", tags: ["trial"] } };
  const { code } = (await monitor.admin("POST", "/api/admin/enrolments", body)) as { code: string };
  return code;
}

const line = (monitor: MonitorProgram, rest: string): string =>
  `curl -fsSL ${monitor.url}/install.sh | sh -s -- ${rest}`;

/** From the line until the dashboard has it; resolves with seconds. */
async function install(
  trial: { readonly monitor: MonitorProgram; readonly machine: Machine; readonly name: string },
  key: string,
  withinMs = VISIBLE_MS,
): Promise<number> {
  const { monitor, machine, name } = trial;
  const startMs = performance.now();
  await machine.run(line(monitor, key));
  const server = await untilOnline(monitor, name, withinMs);
  const seconds = (performance.now() - startMs) / 1_000;
  assert.equal(server.group, "Fleet");
  if (seconds * 1_000 > withinMs) throw new Error(`"${name}" was online only after ${seconds.toFixed(0)} s`);
  return seconds;
}

const PID = "$(cat /run/trivet-agent.pid)";
/** What useradd and userdel leave behind anywhere: backups of their files, and a lock. */
const ofDebian =
  /^\/etc\/(?:passwd-|shadow-|group-|gshadow-|subuid-?|subgid-?|\.pwd\.lock)$|^\/var\/log\/(?:lastlog|faillog)$/u;

async function uninstall(monitor: MonitorProgram, machine: Machine): Promise<void> {
  await machine.run(line(monitor, "--uninstall"));
  const files = (await machine.listChanges()).filter((path) => !ofDebian.test(path));
  assert.deepEqual(files, [], "what is left on the machine");
  const running = await machine.run("cat /proc/[0-9]*/comm");
  assert.doesNotMatch(running, /trivet/u);
}

async function walk(monitor: MonitorProgram, machines: ReadonlyMap<string, Machine>): Promise<void> {
  const [first] = machines;
  assert.ok(first !== undefined);
  const [name, machine] = first;
  const key = await makeKey(monitor, machines.size + 1);
  const missing = await machine.run("command -v node || echo none");
  assert.equal(missing.trim(), "none", "Node on the machine");
  say(
    `one machine without Node: online ${(await install({ monitor, machine, name }, key)).toFixed(1)} s after its line`,
  );

  const others = [...machines].slice(1);
  const times: number[] = [];
  const work = async (): Promise<void> => {
    for (let next = others.shift(); next !== undefined; next = others.shift())
      times.push(await install({ monitor, machine: next[1], name: next[0] }, key));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const servers = await listServers(monitor);
  assert.equal(servers.filter(({ state }) => state === "online").length, machines.size);
  assert.equal(new Set(servers.map(({ id }) => id)).size, machines.size);
  say(
    `${machines.size} machines with one key, ${AT_ONCE} at a time: the slowest online after ${Math.max(0, ...times).toFixed(1)} s`,
  );

  const before = await untilOnline(monitor, name, VISIBLE_MS);
  await monitor.admin("DELETE", `/api/admin/servers/${before.id}`);
  const again = await install({ monitor, machine, name }, key);
  const after = await untilOnline(monitor, name, VISIBLE_MS);
  assert.notEqual(after.id, before.id);
  say(`deleted in the dashboard, the same line again: online as a new server after ${again.toFixed(1)} s`);

  const oldPid = await machine.run(`echo ${PID}`);
  const output = await machine.run(line(monitor, ""));
  assert.match(output, /Upgrading the agent/u);
  assert.notEqual(await machine.run(`echo ${PID}`), oldPid);
  assert.equal((await untilOnline(monitor, name, VISIBLE_MS)).id, after.id);
  say("the line without a key: upgraded and started anew, the same server");
  const memory = await machine.run(`grep VmRSS /proc/${PID}/status`);
  say(`resident memory of the agent there: ${(Number(/\d+/u.exec(memory)?.[0]) / 1_024).toFixed(0)} MiB`);

  for (const each of machines.values()) await uninstall(monitor, each);
  say(`--uninstall on all ${machines.size}: no file, no process, no user is left`);
}

/** The same line with --small: agent.sh from its first report to nothing left. */
async function walkSmall(monitor: MonitorProgram, machine: Machine, name: string): Promise<void> {
  const key = await makeKey(monitor, 1);
  const seconds = await install({ monitor, machine, name }, `${key} --small`);
  say(`agent.sh by --small: online ${seconds.toFixed(1)} s after its line`);
  const command = await machine.run(`tr '\\0' ' ' </proc/${PID}/cmdline`);
  assert.match(command, /^\/bin\/sh \/opt\/trivet-agent\/agent\.sh/u);
  const output = await machine.run(line(monitor, "--small"));
  assert.match(output, /Upgrading the agent/u);
  const memory = await machine.run(`grep -h Pss: /proc/${PID}/smaps_rollup`);
  say(`memory of agent.sh between reports: ${Number(/\d+/u.exec(memory)?.[0])} KiB`);
  await uninstall(monitor, machine);
  const left = await machine.run("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
  assert.doesNotMatch(left, /\/opt\/trivet-agent\/agent\.sh/u);
  say("agent.sh: --uninstall leaves nothing");
}

async function walkArm(monitor: MonitorProgram, machine: Machine, name: string): Promise<void> {
  say(`arm64 under qemu-user: uname says ${(await machine.run("uname -m")).trim()}`);
  const key = await makeKey(monitor, 1);
  const seconds = await install({ monitor, machine, name }, key, VISIBLE_SLOW_MS);
  say(`arm64 under qemu-user: online ${seconds.toFixed(0)} s after its line`);
  await uninstall(monitor, machine);
  say("arm64 under qemu-user: --uninstall leaves nothing");
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      base: { type: "string" },
      arm64: { type: "string" },
      count: { type: "string", default: "20" },
    },
  });
  if (process.getuid?.() !== 0) throw new Error("Namespaces with their own files need root");
  const folder = await mkdtemp(join(tmpdir(), "trivet-machines-"));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const monitor = await startMonitorProgram();
    undo.unshift(() => monitor.stop());
    const start = async (name: string, base: string, foreign = false): Promise<Machine> => {
      const machine = await startMachine({ name, base, folder: join(folder, name), foreign });
      undo.unshift(() => machine.stop());
      return machine;
    };
    const base = await makeBase(values.base ?? join(folder, "base"), "amd64");
    const machines = new Map<string, Machine>();
    for (let index = 1; index <= Number(values.count); index += 1)
      machines.set(`box-${index}`, await start(`box-${index}`, base));
    await walk(monitor, machines);
    await walkSmall(monitor, await start("small-1", base), "small-1");
    if (values.arm64 !== undefined)
      await walkArm(monitor, await start("arm-1", await makeBase(values.arm64, "arm64"), true), "arm-1");
  } finally {
    for (const step of undo) await step();
  }
}

try {
  await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
