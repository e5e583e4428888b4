/**
 * The world of a small machine: 256 MiB of memory, one core, a disk of 1 GiB, no IPv6, no /dev/shm, an odd time zone, LANG=C,
 * umask 077, and paths with spaces; and folders in which nothing can start, of which one sentence must tell.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

type Say = (line: string) => void;
interface Settings {
  readonly release: string;
  readonly node: string;
}

const MEMORY_BYTES = 256 * 1_048_576;
/** No user has this ID. */
const USER = 4_321;

/** The control group that limits memory, by the version that the machine has: its files for the limit and the peak. */
async function makeGroup(): Promise<{ folder: string; limit: string; peak: string }> {
  const old = "/sys/fs/cgroup/memory";
  const isOld = (await stat(old).catch(() => undefined)) !== undefined;
  const folder = `${isOld ? old : "/sys/fs/cgroup"}/trivet-small-${process.pid}`;
  await mkdir(folder);
  const names = isOld
    ? { limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" }
    : { limit: "memory.max", peak: "memory.peak" };
  await writeFile(join(folder, names.limit), String(MEMORY_BYTES));
  return { folder, ...names };
}

/** A network without IPv6, a /dev of six devices, and a disk of its own, for the process that runs the script alone. */
const toWorld = (folder: string): string => `set -eu
ip link set lo up
echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
mkdir -p "${folder}/dev" "${folder}/a disk"
mount -t tmpfs tmpfs "${folder}/dev"
for name in null zero full random urandom tty; do
  touch "${folder}/dev/$name"
  mount --bind "/dev/$name" "${folder}/dev/$name"
done
truncate -s 1G "${folder}/disk.img"
mkfs.ext4 -q -F "${folder}/disk.img"
mount -o loop "${folder}/disk.img" "${folder}/a disk"
mount --bind "${folder}/dev" /dev
chmod 777 "${folder}/a disk"
`;

async function inWorld(script: string): Promise<string> {
  const args = ["--mount", "--net", "--propagation", "private", "sh", "-c", script];
  const { code, output } = await runProcess({
    command: "unshare",
    args,
    cwd: projectFolder,
    timeoutMs: 600_000,
  });
  if (code !== 0) throw new Error(`The small machine: ${output.slice(-2_500)}`);
  return output;
}

const asUser = (env: string): string =>
  `setpriv --reuid=${USER} --regid=${USER} --clear-groups env -i PATH=/usr/bin:/bin ${env}`;

/** All limits at once, from the start to the first report and the end. */
async function liveSmall(
  folder: string,
  program: string,
  { node, say }: Settings & { say: Say },
): Promise<void> {
  const group = await makeGroup();
  const env = `TZ=Asia/Kathmandu LANG=C LC_ALL=C DATA_DIR='${folder}/a disk/my data' BACKUP_DIR='${folder}/a disk/my backups'`;
  try {
    const output = await inWorld(`${toWorld(folder)}
cat >"${folder}/start.sh" <<'END'
echo $$ >${group.folder}/cgroup.procs
umask 077
exec taskset -c 0 ${asUser(env)} "$@" ${node} ${nodeOptions.join(" ")} '${program}/trivet.js'
END
exec ${process.execPath} --import tsx test/lab/worlds/small-visit.ts "${folder}" "${program}" "${node}"`);
    for (const line of output
      .trim()
      .split("\n")
      .filter((text) => text.startsWith("> ")))
      say(line.slice(2));
    const peak = Number(await readFile(join(group.folder, group.peak), "utf8"));
    say(`peak of memory, with the cache of files: ${(peak / 1_048_576).toFixed(0)} of 256 MiB`);
  } finally {
    await runProcess({ command: "rmdir", args: [group.folder] });
  }
}

/** What is wrong with a folder, the commands that make it so, and what must be said. */
const refusals: readonly (readonly [name: string, make: string, expected: RegExp])[] = [
  [
    "a full disk",
    `mount -t tmpfs -o size=256k,mode=777 tmpfs "$W"; install -d -o ${USER} "$W/data"; dd if=/dev/zero of="$W/fill" bs=4k 2>/dev/null || true`,
    /no space left on device.*The disk is full\. Free some space/u,
  ],
  [
    "a data folder on a read-only file system",
    `install -d -o ${USER} "$W/data"; mount --bind "$W" "$W"; mount -o remount,bind,ro "$W"`,
    /read-only file system.*Mount it for writing/u,
  ],
  ["a data folder of another user", `mkdir -m 700 "$W/data"`, /must belong to the user that runs Trivet/u],
  ["a parent folder of another user", `chmod 755 "$W"`, /must belong to the user that runs Trivet/u],
  ["a file in place of the folder", `chmod 777 "$W"; touch "$W/data"`, /A file has this name/u],
];

async function refuse(
  folder: string,
  program: string,
  { node, say }: Settings & { say: Say },
): Promise<void> {
  for (const [index, [name, make, expected]] of refusals.entries()) {
    const place = join(folder, `refusal ${index}`);
    await mkdir(place);
    const env = `DATA_DIR="$W/data" BACKUP_DIR="$W/backups" MONITOR_PORT=0 SHOP_PORT=0 AUTH_PORT=0 GRPC_PORT=0`;
    const output = await inWorld(
      `ip link set lo up; W='${place}'; ${make}; if timeout 60 ${asUser(env)} ${node} '${program}/trivet.js' 2>&1; then echo started; fi`,
    );
    const said = output.trim().split("\n");
    assert.match(said.at(-1) ?? "", expected);
    assert.equal(said.length, 1, output);
    say(`${name}: "${said[0]?.replaceAll(folder, "")}"`);
  }
}

export async function walkSmall(say: Say, settings: Settings): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-small-"));
  try {
    const program = join(folder, "my programs");
    await mkdir(program);
    const args = ["-xzf", settings.release, "-C", program, "--strip-components=1"];
    assert.equal((await runProcess({ command: "tar", args })).code, 0);
    await runProcess({ command: "chmod", args: ["-R", "a+rX", folder] });
    assert.ok((await readdir(program)).includes("trivet.js"));
    await refuse(folder, program, { ...settings, say });
    await liveSmall(folder, program, { ...settings, say });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
