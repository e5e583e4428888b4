/** agent.sh under the shells of this machine: what it measures on made machines, and what it sends when all goes wrong. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { parseReport } from "../../../src/monitor/ingest/report.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { START } from "../../support/fixed-clock.ts";
import { actor, fields } from "../fixtures.ts";

const script = join(projectFolder, "src/monitor/install/agent.sh");

const shells = [
  ["sh", []],
  ["dash", []],
  ["bash", []],
  ["busybox", ["sh"]],
] as const;
const found = shells.flatMap(([name, args]) => {
  const command = findProgram(name);
  return command === undefined ? [] : [{ name, command, args }];
});
const client = findProgram("curl") ?? findProgram("wget");

/** Files below a root that stands for a machine. */
const machine = {
  "proc/stat": "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 100 0 100 700 100 0 0 0 0 0\n",
  "proc/net/dev":
    "Inter-|\n face |\n    lo: 9 0 0 0 0 0 0 0 9 0\n  eth0:5000000000 1 0 0 0 0 0 0 7000 1\n docker0: 8 0 0 0 0 0 0 0 8 0\n",
  "proc/diskstats": "8 0 sda 1 0 10 0 1 0 20 0 0 0 0\n8 1 sda1 1 0 10 0 1 0 20 0 0 0 0\n",
  "proc/meminfo":
    "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\nSwapTotal: 50 kB\nSwapFree: 20 kB\n",
  "proc/loadavg": "0.50 0.25 0.10 1/100 200\n",
  "proc/uptime": "4242.42 1\n",
  "proc/cpuinfo": 'processor: 0\nmodel name : A "chip"\nprocessor: 1\n',
  "proc/mounts": [
    "/dev/sda1 / ext4 rw 0 0",
    "/dev/sda1 /srv/bind ext4 rw 0 0",
    "tank /tank zfs rw 0 0",
    "tank/data /tank/data zfs rw 0 0",
    "nas:/export /mnt/nas nfs rw 0 0",
    "/dev/sdb1 /mnt/with\\040space ext4 rw 0 0",
    "tmpfs /run tmpfs rw 0 0",
  ].join("\n"),
  "sys/class/hwmon/hwmon0/name": "coretemp\n",
  "sys/class/hwmon/hwmon0/temp1_input": "42500\n",
  "sys/class/hwmon/hwmon1/name": "drivetemp\n",
  "sys/class/hwmon/hwmon1/temp1_input": "0\n",
  "sys/class/hwmon/hwmon2/name": "drivetemp\n",
  "sys/class/hwmon/hwmon2/temp1_input": "31000\n",
  "sys/class/hwmon/hwmon2/device/block/sda/size": "1\n",
  "etc/os-release": 'PRETTY_NAME="OpenWrt 24.10"\n',
};
/** What df says of each mount: in KiB, below the root. */
const df = `#!/bin/sh
case $2 in
  */mnt/nas) sleep 1000 ;;
  */tank/data) line="tank/data 1000 900 100 90%" ;;
  */tank) line="tank 100 0 100 0%" ;;
  */mnt/*) line="/dev/sdb1 50 10 40 20%" ;;
  *) line="/dev/sda1 2100 500 1500 25%" ;;
esac
echo "Filesystem 1024-blocks Used Available Capacity Mounted on"
echo "$line $2"
`;

let folder: string;

/** A folder of programs that come before those of the machine. */
async function placePrograms(name: string, programs: Readonly<Record<string, string>>): Promise<string> {
  const bin = join(folder, name);
  await mkdir(bin, { recursive: true });
  for (const [program, text] of Object.entries(programs)) {
    await writeFile(join(bin, program), text);
    await chmod(join(bin, program), 0o755);
  }
  return bin;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-agent-sh-"));
  for (const [path, text] of Object.entries(machine)) {
    await mkdir(dirname(join(folder, "root", path)), { recursive: true });
    await writeFile(join(folder, "root", path), text);
  }
});
after(() => rm(folder, { recursive: true, force: true }));

/** A clock that goes on by a second at each look, from the tests' time on. */
async function placeClock(at: number): Promise<string> {
  await writeFile(join(folder, "now"), `${at}\n`);
  return `#!/bin/sh\nread -r n <${folder}/now\necho $((n + 1)) >${folder}/now
case $* in
  *%Y*) awk -v s="$n" 'BEGIN { s %= 86400; printf "${new Date(at * 1_000).toISOString().slice(0, 11)}%02d:%02d:%02dZ\\n", s / 3600, s / 60 % 60, s % 60 }' ;;
  *) echo "$n" ;;
esac
`;
}

describe("agent.sh measures", () => {
  for (const shell of found)
    it(`a machine under ${shell.name}`, async () => {
      // Between the two looks 75 ticks pass, 25 of them idle; 10 sectors are read.
      const sleep = `#!/bin/sh
cd ${folder}/root/proc || exit
echo "cpu  150 0 100 725 100 0 0 0 0 0" >stat
echo "8 0 sda 1 0 20 0 1 0 20 0 0 0 0" >diskstats
echo "4243.42 1" >uptime
`;
      await writeFile(join(folder, "root/proc/stat"), machine["proc/stat"]);
      await writeFile(join(folder, "root/proc/diskstats"), machine["proc/diskstats"]);
      await writeFile(join(folder, "root/proc/uptime"), machine["proc/uptime"]);
      const bin = await placePrograms("bin", { df, sleep, date: await placeClock(START / 1_000) });
      const { code, output } = await runProcess({
        command: shell.command,
        args: [...shell.args, script, "--once", "--root", join(folder, "root")],
        env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
        timeoutMs: 30_000,
      });
      assert.equal(code, 0, output);
      const parsed = parseReport(output.trim(), { collectedAt: START, now: START });
      assert.ok(parsed.ok, output);
      const { host, disk, ...rest } = parsed.report ?? {};
      assert.deepEqual(rest, {
        v: 1,
        intervalMs: 30_000,
        load: { one: 0.5, five: 0.25, fifteen: 0.1 },
        uptimeSeconds: 4243,
        cpu: { usagePercent: 66.7, iowaitPercent: 0, stealPercent: 0 },
        memory: { totalBytes: 1_024_000, usedBytes: 614_400 },
        swap: { totalBytes: 51_200, usedBytes: 30_720 },
        network: {
          rxTotalBytes: 5_000_000_000,
          txTotalBytes: 7_000,
          rxBytesPerSecond: 0,
          txBytesPerSecond: 0,
        },
        temperatures: [
          { name: "coretemp", celsius: 42.5 },
          { name: "drivetemp sda", celsius: 31 },
        ],
      });
      assert.equal(disk?.readBytesPerSecond, 5_120);
      const mounts = [...(disk.mounts ?? [])].sort((one, other) =>
        (one.path ?? "").localeCompare(other.path ?? ""),
      );
      assert.deepEqual(mounts, [
        { path: "/", totalBytes: 2_048_000, usedBytes: 512_000 },
        { path: "/mnt/with space", totalBytes: 51_200, usedBytes: 10_240 },
        // 900 of 1,000: what the data sets use, and what the pool has free.
        { path: "/tank", totalBytes: 1_024_000, usedBytes: 921_600 },
      ]);
      assert.deepEqual([host?.platform, host?.cpuModel, host?.cpuCores], ["OpenWrt 24.10", "A chip", 2]);
    });

  it("the disks that were mounted before one at which df hangs", async () => {
    const hanging = `#!/bin/sh
case $2 in *space) sleep 1000 ;; *) echo "/dev/sda1 2100 500 1500 25% $2" ;; esac
`;
    const bin = await placePrograms("bin-hanging", { df: hanging });
    const { output, code } = await runProcess({
      command: "sh",
      args: [script, "--once", "--root", join(folder, "root")],
      env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
      timeoutMs: 30_000,
    });
    assert.equal(code, 0);
    const parsed = parseReport(output.trim(), { collectedAt: START, now: START });
    assert.ok(parsed.ok, output);
    assert.deepEqual(
      parsed.report?.disk?.mounts?.map(({ path }) => path),
      ["/"],
    );
  });

  it("in a container, reads the network and the mounts of the machine, and no disk of the container", async () => {
    const root = join(folder, "container");
    for (const [path, text] of Object.entries({
      ...machine,
      "proc/net/dev": "  tap0: 1 0 0 0 0 0 0 0 1 0\n",
      "proc/1/net/dev": "  eth0: 5000 0 0 0 0 0 0 0 70 0\n",
      "proc/mounts": "overlay / overlay rw 0 0\n",
      "proc/1/mounts": "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /srv ext4 rw 0 0\n",
    })) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    // Only /srv is mounted into the container.
    const partial = `#!/bin/sh
case $2 in */srv) echo "/dev/sdb1 50 10 40 20% $2" ;; *) echo "overlay 900 900 0 100% /" ;; esac
`;
    const bin = await placePrograms("bin-container", { df: partial, sleep: "#!/bin/sh\n" });
    const { output } = await runProcess({
      command: "sh",
      args: [script, "--once", "--root", root],
      env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
      timeoutMs: 30_000,
    });
    const parsed = parseReport(output.trim(), { collectedAt: START, now: START });
    assert.ok(parsed.ok, output);
    assert.deepEqual(parsed.report?.disk?.mounts, [{ path: "/srv", totalBytes: 51_200, usedBytes: 10_240 }]);
    assert.equal(parsed.report.network?.rxTotalBytes, 5_000);
  });

  it("refuses options that it does not have, and plain HTTP", async () => {
    const run = async (...args: string[]) => {
      const data = join(folder, "refusals");
      const { code, output } = await runProcess({
        command: "sh",
        args: [script, "--data", data, ...args],
        timeoutMs: 30_000,
      });
      return `${code} ${output.trim()}`;
    };
    assert.equal(await run("--speed", "1"), '2 Unknown option "--speed". See --help');
    assert.equal(await run("--interval", "1m"), "2 --interval takes a whole number of seconds");
    assert.equal(await run("--key"), "2 --key requires a value");
    assert.equal(await run(), "2 --url is missing. See --help");
    const skip = client === undefined;
    if (!skip)
      assert.match(await run("--url", "http://192.0.2.1"), /^1 "http:\/\/192\.0\.2\.1" is not encrypted/u);
  });
});

const skip =
  client === undefined ? tellSkipped("neither curl nor wget is here: agent.sh cannot send") : false;

describe("agent.sh sends", { skip }, () => {
  let app: TestApp;
  let key: string;
  let server: Server;
  let url: string;
  /** Statuses of the first answers, in place of the monitor's. */
  let faults: number[];
  let requests: number;

  before(async () => {
    app = await createTestApp();
    key = (await app.monitor.servers.create(fields("A"), { id: "a", actor })).agentKey;
    server = createServer((request, response) => {
      requests += 1;
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const fault = faults.shift();
        if (fault !== undefined) {
          response.writeHead(fault).end("{}");
          return;
        }
        const { authorization = "" } = request.headers;
        void app
          .fetch(request.url ?? "/", {
            method: "POST",
            headers: { authorization, "content-type": request.headers["content-type"] ?? "" },
            body: Buffer.concat(parts),
          })
          .then(async (answer) => {
            response.writeHead(answer.status, { "content-type": "application/json" });
            response.end(await answer.text());
          });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  after(() => server.close());

  /** Runs it until it has slept `rounds` times. */
  async function run(
    shell: (typeof found)[number],
    data: string,
    {
      rounds,
      at = START / 1_000,
      agentKey = key,
      root = join(folder, "root"),
    }: { rounds: number; at?: number; agentKey?: string; root?: string },
  ): Promise<string> {
    await writeFile(join(folder, "slept"), "0\n");
    const sleep = `#!/bin/sh
read -r n <${folder}/slept
echo $((n + 1)) >${folder}/slept
[ $((n + 1)) -lt ${rounds} ] || kill "$PPID"
`;
    const bin = await placePrograms("bin", { df, sleep, date: await placeClock(at) });
    const { output } = await runProcess({
      command: shell.command,
      args: [...shell.args, script, "--url", url, "--id", "a", "--key", agentKey, "--data", data],
      env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, TRIVET_ROOT: root, TRIVET_NAME: "box" },
      timeoutMs: 50_000,
    });
    return output;
  }
  const statusOf = async (data: string) => (await readFile(join(data, "status"), "utf8")).split("\n")[0];

  for (const shell of found)
    it(`under ${shell.name}: keeps reports while the monitor is away, and sends each once`, async () => {
      const data = join(folder, `data-${shell.name}`);
      const before = app.samples.rows.length;
      const at = START / 1_000 + before * 1_000;
      faults = [500, 502];
      requests = 0;
      await run(shell, data, { rounds: 4, at });
      assert.equal(await statusOf(data), "state=reporting");
      assert.equal(app.samples.rows.length - before, 4);
      assert.equal(requests, 4);
      assert.equal(await readFile(join(data, "reports"), "utf8"), "");
      // Killed after the monitor stored a report and before it was crossed out: the monitor knows it.
      faults = [503, 503];
      await run(shell, data, { rounds: 2, at: at + 100 });
      assert.equal(app.samples.rows.length - before, 4);
      await run(shell, data, { rounds: 1, at: at + 200 });
      assert.equal(app.samples.rows.length - before, 7);
    });

  for (const shell of found)
    it(`under ${shell.name}: tells the owner of a clone with the same ID, key, and host name`, async () => {
      faults = [];
      app.monitor.registry.clearDuplicate("a");
      const machines = await Promise.all(
        ["one", "two"].map(async (name) => {
          const root = join(folder, `${name}-${shell.name}`);
          await mkdir(join(root, "proc/sys/kernel/random"), { recursive: true });
          await writeFile(join(root, "proc/sys/kernel/random/boot_id"), `${name}-4f6b-9c21\n`);
          return { root, data: join(folder, `data-${name}-${shell.name}`) };
        }),
      );
      const at = START / 1_000 + 100_000;
      const flags: boolean[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const { root = "", data = "" } = machines[turn % 2] ?? {};
        await run(shell, data, { rounds: 1, at: at + turn * 60, root });
        flags.push(app.monitor.live.get("a").duplicateAgent);
      }
      assert.deepEqual(flags.slice(0, 2), [false, false]);
      assert.equal(flags.at(-1), true);
      // Starting the program again is no second machine.
      app.monitor.registry.clearDuplicate("a");
      const { root = "", data = "" } = machines[0] ?? {};
      for (let turn = 0; turn < 4; turn += 1)
        await run(shell, data, { rounds: 1, at: at + 600 + turn * 60, root });
      assert.equal(app.monitor.live.get("a").duplicateAgent, false);
    });

  it("keeps at most 200 reports, the newest", async () => {
    const data = join(folder, "full");
    await mkdir(data);
    const line = (n: number) =>
      `{"collectedAt":"${new Date(START - 500_000 + n).toISOString()}","payload":{"v":1,"cpu":{"usagePercent":${n % 100}}}}\n`;
    await writeFile(join(data, "reports"), Array.from({ length: 300 }, (_, n) => line(n)).join(""));
    const before = app.samples.rows.length;
    faults = [];
    requests = 0;
    await run({ name: "sh", command: "sh", args: [] }, data, { rounds: 1, at: START / 1_000 + 60_000 });
    assert.equal(app.samples.rows.length - before, 200);
    assert.equal(requests, 4);
  });

  it("says why it does not report: a wrong key, no monitor, a clock that is not set", async () => {
    const sh = { name: "sh", command: "sh", args: [] } as const;
    const data = join(folder, "faults");
    faults = [];
    assert.match(await run(sh, data, { rounds: 1, agentKey: "agk_wrong" }), /refuses the key/u);
    assert.equal(await statusOf(data), "state=offline");
    requests = 0;
    assert.match(await run(sh, data, { rounds: 1, at: 1_000 }), /clock of this machine is not set/u);
    assert.equal(requests, 0);
    const present = url;
    url = "http://127.0.0.1:9";
    assert.match(await run(sh, data, { rounds: 1 }), /does not take reports: /u);
    url = present;
  });

  it("sends the rest where one report is broken", async () => {
    const data = join(folder, "broken");
    await mkdir(data);
    await writeFile(join(data, "reports"), '{"collectedAt":1\n');
    faults = [];
    const before = app.samples.rows.length;
    await run({ name: "sh", command: "sh", args: [] }, data, { rounds: 2, at: START / 1_000 + 70_000 });
    assert.equal(app.samples.rows.length - before, 1);
  });
});
