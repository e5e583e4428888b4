/**
 * `npm run worlds [-- systemd proxies container] [--base FOLDER] [--node FILE]`: what is promised of an environment, run in that
 * environment. "proxies" puts nginx, Caddy, HAProxy, and Apache before all services, each with its block of
 * docs/reverse-proxy.md; it skips those that are not installed. "container"
 * builds and runs the image by Podman, as root on Debian with debootstrap.
 * "systemd" boots a Debian with a systemd of its own and walks through installing, reporting, rebooting, hanging,
 * failing and removing there. It needs root on Debian, systemd-nspawn (systemd-container) and debootstrap, and what
 * "npm run build" and "npm run build:agent" make.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { findProgram } from "../../support/missing.ts";
import { projectFolder } from "../../support/process.ts";
import { bootMachine, makeBase } from "./machine.ts";
import { walkContainer } from "./container.ts";
import { walkProxies } from "./proxies.ts";
import { walkSystemd } from "./systemd.ts";

const worlds = ["systemd", "proxies", "container"] as const;

/** Made once and kept: it takes a minute or more. */
const BASE = "/var/cache/trivet-worlds/debian-12";
const debootstrap = { debootstrap: "debootstrap" };
/** What a world needs: programs with the packages that have them, and files with what makes them. */
const needs = {
  systemd: {
    programs: { "systemd-nspawn": "systemd-container", nsenter: "util-linux", ...debootstrap },
    files: {
      "dist/trivet.js": "npm run build",
      "dist/download/trivet-agent-linux-x64.gz": "npm run build:agent",
    },
  },
  proxies: { programs: { openssl: "openssl" }, files: {} },
  container: { programs: { podman: "podman", ...debootstrap }, files: {} },
} as const;

/** What is missing for a world to run, each with what brings it. */
async function findMissing(world: keyof typeof needs): Promise<string[]> {
  const { programs, files } = needs[world];
  const missing = Object.entries(programs)
    .filter(([program]) => findProgram(program, ["/usr/sbin"]) === undefined)
    .map(([program, name]) => `${program} (apt install ${name})`);
  if (process.getuid?.() !== 0) missing.push("root");
  for (const [path, command] of Object.entries(files))
    if ((await stat(join(projectFolder, path)).catch(() => undefined)) === undefined)
      missing.push(`${path} (${command})`);
  return missing;
}

async function runSystemd(values: { readonly base: string; readonly node: string }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-worlds-"));
  try {
    const base = await makeBase(values.base);
    const machine = await bootMachine({ base, folder, node: values.node });
    try {
      await walkSystemd({ machine, say });
    } catch (error) {
      console.error((await machine.attempt("journalctl -n 40 --no-pager")).output);
      throw error;
    } finally {
      await machine.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const say = (line: string): void => console.log(`  ${line}`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      base: { type: "string", default: BASE },
      node: { type: "string", default: process.execPath },
    },
  });
  const unknown = positionals.filter((name) => !worlds.some((world) => world === name));
  if (unknown.length > 0)
    throw new Error(`There is no world "${unknown.join('", "')}", only ${worlds.join(", ")}`);
  for (const world of worlds.filter((name) => positionals.length === 0 || positionals.includes(name))) {
    const missing = await findMissing(world);
    if (missing.length > 0) {
      console.log(`Skipped: ${world}, for want of ${missing.join(", ")}`);
      continue;
    }
    console.log(world);
    if (world === "systemd") await runSystemd(values);
    else if (world === "proxies") await walkProxies(say);
    else await walkContainer(say);
  }
  console.log("Every promise holds");
}

try {
  await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
