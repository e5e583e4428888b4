/** agent.sh on machines where something is missing or wrong, and over a day of counters. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import type { Report } from "../../../src/monitor/base/report-schema.ts";
import { parseReport } from "../../../src/monitor/ingest/report.ts";
import { START } from "../../support/fixed-clock.ts";
import { findProgram } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

const script = join(projectFolder, "src/monitor/install/agent.sh");
/** Each of them reads files that are missing in its own way. */
const awks = ["gawk", "mawk", "busybox", "awk"].filter((name) => findProgram(name) !== undefined).slice(0, 3);

const machine = {
  "proc/stat": "cpu  100 0 100 700 100 0 0 0 0 0\n",
  "proc/net/dev": "  eth0: 5000 1 0 0 0 0 0 0 7000 1\n",
  "proc/diskstats": "8 0 sda 1 0 10 0 1 0 20 0 0 0 0\n",
  "proc/meminfo": "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\n",
  "proc/loadavg": "0.50 0.25 0.10 1/100 200\n",
  "proc/uptime": "4242.42 1\n",
  "proc/mounts": "/dev/sda1 / ext4 rw 0 0\n",
};
const df = '#!/bin/sh\necho "/dev/sda1 2000 500 1500 25% $2"\n';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-agent-sh-faults-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function place(root: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

async function placePrograms(name: string, programs: Readonly<Record<string, string>>): Promise<string> {
  const bin = await place(join(folder, name), programs);
  for (const program of Object.keys(programs)) await chmod(join(bin, program), 0o755);
  return bin;
}

function parse(text: string, at = START): Report {
  const parsed = parseReport(text.trim(), { collectedAt: at, now: at });
  assert.ok(parsed.ok && parsed.report !== undefined, text);
  return parsed.report;
}

async function runOnce(root: string, bin: string): Promise<Report> {
  const { code, output } = await runProcess({
    command: "sh",
    args: [script, "--once", "--root", root],
    env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
    timeoutMs: 30_000,
  });
  assert.equal(code, 0, output);
  return parse(output);
}

describe("agent.sh where half of /proc is missing", () => {
  for (const awk of awks)
    it(`reports what there is, with ${awk}`, async () => {
      const bin = await placePrograms(`bin-${awk}`, { df, sleep: "#!/bin/sh\n" });
      await symlink(findProgram(awk) ?? "", join(bin, "awk"));
      for (const missing of Object.keys(machine)) {
        const files = Object.fromEntries(Object.entries(machine).filter(([path]) => path !== missing));
        const root = await place(join(folder, `${awk}-${missing.replaceAll("/", "-")}`), files);
        const { memory, network, load, uptimeSeconds } = await runOnce(root, bin);
        assert.equal(memory !== undefined, missing !== "proc/meminfo", missing);
        assert.equal(network?.rxTotalBytes, missing === "proc/net/dev" ? undefined : 5_000, missing);
        assert.equal(load?.one, missing === "proc/loadavg" ? undefined : 0.5, missing);
        assert.equal(uptimeSeconds, missing === "proc/uptime" ? undefined : 4242, missing);
      }
    });

  it("takes a kernel without MemAvailable, files that are empty, and names of 10 kB", async () => {
    const bin = await placePrograms("bin-odd", { df, sleep: "#!/bin/sh\n" });
    const sensors = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        [`sys/class/hwmon/hwmon${n}/name`, `${"x".repeat(10_000)}"\\\u0007\n`],
        [`sys/class/hwmon/hwmon${n}/temp1_input`, "42500\n"],
      ]).flatMap((pairs) => pairs),
    ) as Record<string, string>;
    const root = await place(join(folder, "odd"), {
      ...machine,
      ...sensors,
      "proc/loadavg": "",
      "proc/meminfo": "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 250 kB\n",
    });
    const report = await runOnce(root, bin);
    assert.deepEqual(report.memory, { totalBytes: 1_024_000, usedBytes: 614_400 });
    assert.equal(report.load, undefined);
    assert.equal(report.temperatures?.length, 64);
    assert.ok(report.temperatures.every(({ name = "" }) => name.length <= 128));
  });
});

const batch = z.object({ reports: z.array(z.object({ collectedAt: z.string(), payload: z.unknown() })) });

/** The monitor in the place of curl: does not answer the first requests, then keeps each body. */
const curl = (work: string, firstAnswered = 0) => `#!/bin/sh
cat >/dev/null
n=$(wc -l <${work}/calls)
echo >>${work}/calls
if [ "$n" -lt ${firstAnswered} ]; then printf '\\n503'; exit 0; fi
for word; do case $word in @*) cp "\${word#@}" ${work}/bodies/$((n + 1000)) ;; esac; done
printf '{"results":[{"accepted":true,"message":""}]}\\n200'
`;

async function readReports(work: string): Promise<{ at: number; report: Report }[]> {
  const found: { at: number; report: Report }[] = [];
  for (const name of (await readdir(join(work, "bodies"))).toSorted()) {
    const { reports } = batch.parse(JSON.parse(await readFile(join(work, "bodies", name), "utf8")));
    for (const { collectedAt, payload } of reports) {
      const at = Date.parse(collectedAt);
      found.push({ at, report: parse(JSON.stringify(payload), at) });
    }
  }
  return found;
}

/** Runs it in a folder of its own until its "sleep" ends it; resolves with its exit status and output. */
async function run(work: string, bin: string, root: string): Promise<string> {
  await mkdir(join(work, "bodies"), { recursive: true });
  await writeFile(join(work, "calls"), "");
  const { code, output } = await runProcess({
    command: "sh",
    args: [
      script,
      "--url",
      "http://127.0.0.1:9",
      "--id",
      "a",
      "--key",
      "agk_test",
      "--data",
      join(work, "data"),
    ],
    env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, TRIVET_ROOT: root },
    timeoutMs: 58_000,
  });
  return `${code} ${output}`;
}

describe("agent.sh over a day", () => {
  const ROUNDS = 48;
  const STEP_SECONDS = 1_800;
  const WRAP = 2 ** 32;

  it("makes no peak of counters that wrap at 32 bits, or start again, nor of a clock that is set", async () => {
    const work = join(folder, "day");
    const root = await place(join(work, "root"), machine);
    // What the machine does in a round: 6 MB in, 3 MB out, 9,000 ticks, a quarter of them used, 900 sectors written.
    const states: { files: Record<string, string>; at: number; isReset: boolean }[] = [];
    let [rx, tx, ticks, sectors, uptime, skew] = [WRAP - 20e6, 1e6, 0, 0, 100, 0];
    for (let round = 0; round <= ROUNDS; round += 1) {
      // The machine starts again at noon; counters of the network wrap when they are full.
      const isBoot = round === ROUNDS / 2;
      if (isBoot) [rx, tx, ticks, sectors, uptime] = [0, 0, 0, 0, 0];
      const isWrap = rx + 6e6 >= WRAP;
      rx = (rx + 6e6) % WRAP;
      [tx, ticks, sectors, uptime] = [tx + 3e6, ticks + 9_000, sectors + 900, uptime + STEP_SECONDS];
      // Set back by nearly a round, later forward by hours.
      if (round === 20) skew = -STEP_SECONDS + 1;
      if (round === 40) skew = 7_200;
      const used = ticks / 4;
      states.push({
        files: {
          stat: `cpu  ${used} 0 0 ${ticks - used} 0 0 0 0 0 0\n`,
          "net/dev": `  eth0: ${rx} 1 0 0 0 0 0 0 ${tx} 1\n`,
          diskstats: `8 0 sda 1 0 0 0 1 0 ${sectors} 0 0 0 0\n`,
          uptime: `${uptime}.00 1\n`,
        },
        at: START / 1_000 + round * STEP_SECONDS + skew,
        isReset: isBoot || isWrap,
      });
    }
    for (const [round, { files, at }] of states.entries())
      await place(join(work, "states", String(round)), { ...files, now: `${at}\n` });
    const sleep = `#!/bin/sh
read -r n <${work}/round
n=$((n + 1))
[ $n -lt ${ROUNDS} ] || kill "$PPID"
cp -R ${work}/states/$n/. ${root}/proc/
echo $n >${work}/round
`;
    const date = `#!/bin/sh
read -r s <${root}/proc/now
case $* in *%Y*) ${findProgram("date") ?? "date"} -u -d "@$s" +%Y-%m-%dT%H:%M:%SZ ;; *) echo "$s" ;; esac
`;
    await place(work, { round: "0\n", "states/0/x": "" });
    await place(join(root, "proc"), { ...states[0]?.files, now: `${states[0]?.at}\n` });
    const bin = await placePrograms("bin-day", { df, sleep, date, curl: curl(work) });
    await run(work, bin, root);
    const reports = await readReports(work);
    assert.equal(reports.length, ROUNDS);
    for (const [round, { report }] of reports.entries()) {
      const expected = round === 0 || states[round]?.isReset === true;
      const { network, cpu, disk } = report;
      assert.equal(
        network?.rxBytesPerSecond,
        expected ? undefined : Math.round(6e6 / STEP_SECONDS),
        `${round}`,
      );
      assert.equal(
        network?.txBytesPerSecond,
        expected ? undefined : Math.round(3e6 / STEP_SECONDS),
        `${round}`,
      );
      const isBoot = round === 0 || round === ROUNDS / 2;
      assert.equal(cpu?.usagePercent, isBoot ? undefined : 25, `${round}`);
      assert.equal(disk?.writeBytesPerSecond, isBoot ? undefined : 256, `${round}`);
    }
    assert.ok(
      states.some(({ isReset }, round) => isReset && round < ROUNDS / 2),
      "a counter has wrapped",
    );
  });
});

describe("agent.sh that is stopped", () => {
  it("ends in its pause at once, with status 0", async () => {
    const work = join(folder, "stopped");
    const root = await place(join(work, "root"), machine);
    // The pause ends its parent, which would be killed by the signal if it did not end its pause.
    const sleep = `#!/bin/sh\nkill "$PPID"\nexec ${findProgram("sleep")} 1000\n`;
    const bin = await placePrograms("bin-stopped", { df, sleep, curl: curl(work) });
    assert.equal(await run(work, bin, root), "0 ");
  });
});

describe("agent.sh with a disk that is full", () => {
  it("keeps reports in memory, says so once, sends them, and leaves nothing there", async () => {
    const work = join(folder, "full");
    const root = await place(join(work, "root"), machine);
    await mkdir(join(work, "data"), { recursive: true });
    // Not even root can write to a folder of that name.
    await mkdir(join(work, "data/reports"));
    await place(work, { round: "0\n" });
    const sleep = `#!/bin/sh
read -r n <${work}/round
echo $((n + 1)) >${work}/round
[ $((n + 1)) -lt 4 ] || kill "$PPID"
`;
    // The monitor is unavailable at first.
    const bin = await placePrograms("bin-full", { df, sleep, curl: curl(work, 2) });
    const output = await run(work, bin, root);
    assert.equal(output.match(/the disk may be full/gu)?.length, 1, output);
    const reports = await readReports(work);
    assert.equal(reports.length, 4);
    const left = (await readdir("/dev/shm")).filter((name) => name.startsWith("trivet-agent."));
    assert.deepEqual(left, []);
  });
});
