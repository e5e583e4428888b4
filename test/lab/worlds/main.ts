/**
 * `npm run worlds [-- NAME…] [--only PART] [--cache FOLDER] [--node FILE] [--release FILE]`: what is promised of an
 * environment, run in that environment. Without names it runs all worlds; one that lacks something is skipped and says what
 * it lacks. `--only` takes the proxies, runtimes or folders whose names contain it. `--release` is a release's archive for
 * x64, by default the one in dist/release. test/lab/README.md lists the worlds.
 */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { VERSION } from "../../../src/version.ts";
import { findProgram } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { packages, walkCompose } from "./compose.ts";
import { saveImages } from "./compose-images.ts";
import { walkContainer } from "./container.ts";
import { walkLife } from "./life.ts";
import { type Machine, type Release, bootMachine, makeBase } from "./machine.ts";
import { configurePodman } from "./podman.ts";
import { walkProxies } from "./proxies.ts";
import { walkRuntimes } from "./runtimes.ts";
import { walkSmall } from "./small.ts";
import { walkSystemd } from "./systemd.ts";
import { makeBefore, walkUpgrade } from "./upgrade.ts";

interface Settings {
  /** Made once and kept: bases of machines take a minute or more. */
  readonly cache: string;
  readonly node: string;
  readonly release: string;
  /** Part of the name of what a world tries one after the other; empty for all. */
  readonly only: string;
}
type Say = (line: string) => void;

interface World {
  /** Programs, with the packages of Debian that have them. */
  readonly programs: Readonly<Record<string, string>>;
  readonly needsRoot: boolean;
  readonly needsRelease: boolean;
  readonly walk: (say: Say, settings: Settings) => Promise<void>;
}

interface Plan {
  readonly say: Say;
  readonly settings: Settings;
  readonly binds?: Readonly<Record<string, string>>;
  readonly stores?: Readonly<Record<string, string>>;
  /** More packages of the machine, and the name of a Debian with them. */
  readonly more?: { readonly name: string; readonly packages: readonly string[] };
}

/** Boots a Debian that has the release in /srv/trivet, and walks there. */
async function onMachine(
  debian: Release,
  { say, settings, binds, stores, more }: Plan,
  walk: (world: { machine: Machine; say: Say }) => Promise<void>,
): Promise<void> {
  const base = await makeBase(join(settings.cache, more?.name ?? debian), debian, more?.packages);
  const folder = await mkdtemp(join(tmpdir(), "trivet-worlds-"));
  try {
    const unpacked = join(folder, "release");
    await mkdir(unpacked);
    const args = ["-xzf", settings.release, "-C", unpacked, "--strip-components=1"];
    const { code, output } = await runProcess({ command: "tar", args });
    if (code !== 0) throw new Error(`"${settings.release}" cannot be unpacked: ${output}`);
    const from = performance.now();
    const machine = await bootMachine({
      base,
      folder,
      node: settings.node,
      binds: { "/srv/trivet": unpacked, ...binds },
      ...(stores !== undefined && { stores }),
    });
    try {
      const systemd = (await machine.run("systemctl --version | head -n 1")).trim();
      const node = (await machine.run("node --version")).trim();
      say(
        `${debian}, ${systemd}, Node ${node}, up after ${((performance.now() - from) / 1_000).toFixed(1)} s`,
      );
      await walk({ machine, say });
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

/** A machine in which containers run: their files lie beside it, since an overlay cannot lie on another. */
async function walkComposeFiles(say: Say, settings: Settings): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-compose-"));
  try {
    const [images = "", podman = "", docker = "", home = ""] = ["images", "podman", "docker", "home"].map(
      (name) => join(folder, name),
    );
    for (const each of [images, podman, docker, home]) await mkdir(each);
    await configurePodman(folder);
    await saveImages(folder, { cache: settings.cache, to: join(images, "all.tar") });
    const plan: Plan = {
      say,
      settings,
      binds: { "/srv/images": images, "/srv/source": projectFolder },
      stores: { "/var/lib/containers": podman, "/var/lib/docker": docker, "/home": home },
      more: { name: "debian-13-containers", packages },
    };
    await onMachine("debian-13", plan, (world) => walkCompose(world, settings.only));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const machinePrograms = {
  "systemd-nspawn": "systemd-container",
  nsenter: "util-linux",
  debootstrap: "debootstrap",
};
const systemd = (debian: Release): World => ({
  programs: machinePrograms,
  needsRoot: true,
  needsRelease: true,
  walk: (say, settings) => onMachine(debian, { say, settings }, walkSystemd),
});

const worlds: Readonly<Record<string, World>> = {
  "systemd-12": systemd("debian-12"),
  "systemd-13": systemd("debian-13"),
  upgrade: {
    programs: { ...machinePrograms, git: "git" },
    needsRoot: true,
    needsRelease: true,
    walk: async (say, settings) => {
      const binds = { "/srv/before": await makeBefore(settings.cache) };
      await onMachine("debian-12", { say, settings, binds }, walkUpgrade);
    },
  },
  runtimes: { programs: { npm: "npm" }, needsRoot: false, needsRelease: true, walk: walkRuntimes },
  small: {
    programs: { unshare: "util-linux", taskset: "util-linux", ip: "iproute2", "mkfs.ext4": "e2fsprogs" },
    needsRoot: true,
    needsRelease: true,
    walk: walkSmall,
  },
  life: { programs: { tar: "tar" }, needsRoot: false, needsRelease: true, walk: walkLife },
  proxies: { programs: { openssl: "openssl" }, needsRoot: true, needsRelease: false, walk: walkProxies },
  container: {
    programs: { podman: "podman", debootstrap: "debootstrap" },
    needsRoot: true,
    needsRelease: false,
    walk: walkContainer,
  },
  compose: {
    programs: { ...machinePrograms, podman: "podman" },
    needsRoot: true,
    needsRelease: true,
    walk: walkComposeFiles,
  },
};

/** What is missing for a world to run, each with what brings it. */
async function findMissing({ programs, needsRoot, needsRelease }: World, release: string): Promise<string[]> {
  const missing = Object.entries(programs)
    .filter(([program]) => findProgram(program, ["/usr/sbin"]) === undefined)
    .map(([program, name]) => `${program} (apt install ${name})`);
  if (needsRoot && process.getuid?.() !== 0) missing.push("root");
  if (needsRelease && (await stat(release).catch(() => undefined)) === undefined)
    missing.push(`${release} (npm run release -- ${VERSION} --unsigned --arch x64)`);
  return missing;
}

async function main(): Promise<void> {
  const { values: settings, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cache: { type: "string", default: "/var/cache/trivet-worlds" },
      node: { type: "string", default: process.execPath },
      only: { type: "string", default: "" },
      release: {
        type: "string",
        default: join(projectFolder, `dist/release/trivet-${VERSION}-linux-x64.tar.gz`),
      },
    },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(worlds, name));
  if (unknown.length > 0)
    throw new Error(`There is no world "${unknown.join('", "')}", only ${Object.keys(worlds).join(", ")}`);
  for (const [name, world] of Object.entries(worlds)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const missing = await findMissing(world, settings.release);
    if (missing.length > 0) {
      console.log(`Skipped: ${name}, for want of ${missing.join(", ")}`);
      continue;
    }
    console.log(name);
    const from = performance.now();
    const say = (line: string): void =>
      console.log(`  ${((performance.now() - from) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
    await world.walk(say, settings);
  }
  console.log("Every promise holds");
}

try {
  await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
