/** Each reader of a machine fails in turn: the report goes on without it and says so. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { measureOnce } from "../../src/agent/agent.ts";
import { createDetails } from "../../src/agent/details/details.ts";
import { createFactReader } from "../../src/agent/facts.ts";
import { createLinuxSource } from "../../src/agent/metrics/linux.ts";
import { noFilters } from "../../src/agent/name-filter.ts";
import type { OwnSystem } from "../../src/agent/metrics/source.ts";
import type { SpaceOptions, SystemFiles } from "../../src/agent/metrics/system-files.ts";
import type { Payload } from "../../src/agent/payload.ts";
import { createLog } from "../../src/kit/observe/log.ts";
import { parseReport } from "../../src/monitor/ingest/report.ts";
import { createManualTime } from "./support/manual-time.ts";
import { createFixtureFiles } from "./support/system-files.ts";

const BUSY = "cpu 150 0 0 250 0 0 0 0\nbtime 1700000000\n";
const texts = {
  "/proc/stat": BUSY,
  "/proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 400 kB\nSwapTotal: 10 kB\nSwapFree: 5 kB\n",
  "/proc/uptime": "5000.10 1.0\n",
  "/proc/loadavg": "0.10 0.20 0.30 1/100 99\n",
  "/proc/net/dev": "h\nh\n  eth0: 1000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n",
  "/proc/net/sockstat": "TCP: inuse 5 orphan 0\nUDP: inuse 3 mem 1\n",
  "/proc/diskstats": "8 0 sda 1 0 100 0 1 0 200 0 0 0 0\n",
  "/proc/self/mountinfo": "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 254:16 / /srv rw - xfs /dev/vdb rw\n",
  "/proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=100\n",
  "/proc/1/cgroup": "0::/lxc.payload.web\n",
  "/proc/42/stat": "42\n",
  "/sys/class/hwmon/hwmon0/name": "coretemp\n",
  "/sys/class/hwmon/hwmon0/temp1_input": "45000\n",
  "/sys/class/drm/card0/device/vendor": "0x1002\n",
  "/sys/class/drm/card0/device/gpu_busy_percent": "7\n",
};
const space = { totalBytes: 100, usedBytes: 40 };

const working: OwnSystem = {
  cpus: () => [{ model: "Fast", speed: 1, times: { user: 1, nice: 0, sys: 0, idle: 1, irq: 0 } }],
  machine: () => "x86_64",
  release: () => "6.1",
  networkInterfaces: () => ({
    eth0: [
      {
        address: "192.0.2.7",
        family: "IPv4",
        internal: false,
        mac: "",
        netmask: "255.255.255.0",
        cidr: "192.0.2.7/24",
      },
    ],
  }),
};

/** One report of a machine on which everything works but what the test breaks. */
async function report(broken: {
  readonly files?: (files: SystemFiles) => Partial<SystemFiles>;
  readonly system?: Partial<OwnSystem>;
  readonly detail?: () => never;
}): Promise<{ payload: Payload; warnings: readonly string[] }> {
  const time = createManualTime();
  const warnings: string[] = [];
  const facts = createFactReader(
    createLog({ level: "warn", pretty: true, write: (line) => void warnings.push(line) }),
  );
  const good = createFixtureFiles(texts, { "/": space, "/srv": space });
  const source = createLinuxSource({
    files: { ...good, ...broken.files?.(good) },
    clock: time.clock,
    facts,
    filters: noFilters,
    system: { ...working, ...broken.system },
    agentVersion: "1",
  });
  const details = createDetails({
    timers: time.timers,
    facts,
    readers: [
      { name: "Batteries", read: () => ({ battery: { percent: 50 } }) },
      { name: "Failed units", read: broken.detail ?? (() => ({ systemd: { failedUnits: 0 } })) },
    ],
  });
  const checks = { run: async () => undefined, once: async () => undefined, next: () => undefined };
  const timers = {
    ...time.timers,
    sleep: async () => {
      time.skew(1_000);
      good.texts["/proc/stat"] = "cpu 200 0 0 300 0 0 0 0\nbtime 1700000000\n";
    },
  };
  const payload = await measureOnce({ source, details, facts, checks, timers, intervalMs: 3_000 });
  return { payload, warnings };
}

function fail(): never {
  throw new Error("Unknown system error 97");
}

const without = (paths: RegExp) => (files: SystemFiles) => ({
  need: (path: string) => (paths.test(path) ? fail() : files.need(path)),
  text: (path: string) => (paths.test(path) ? fail() : files.text(path)),
  names: (path: string) => (paths.test(path) ? fail() : files.names(path)),
  space: (path: string, options: SpaceOptions) =>
    paths.test(path) ? Promise.reject(new Error("EIO")) : files.space(path, options),
});

type Name = keyof Payload | `host.${keyof NonNullable<Payload["host"]>}`;

/** What is known, as dotted names. */
function namesOf(payload: Payload): Set<string> {
  const known = (value: object, prefix: string): string[] =>
    Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [`${prefix}${key}`]));
  return new Set([...known(payload, ""), ...known(payload.host ?? {}, "host.")]);
}

const cases: readonly (readonly [string, Parameters<typeof report>[0], readonly Name[], RegExp])[] = [
  ["interfaces", { system: { networkInterfaces: fail } }, ["host.addresses"], /The network interfaces/u],
  ["CPUs", { system: { cpus: fail } }, ["host.cpuCores", "host.cpuModel"], /The list of CPUs/u],
  ["the kernel", { system: { release: fail } }, ["host.kernel"], /The version of the kernel/u],
  ["the machine", { system: { machine: fail } }, ["host.arch"], /The architecture/u],
  ["CPU usage", { files: without(/^\/proc\/stat$/u) }, ["cpu", "host.bootTimeUnixMs"], /CPU usage/u],
  ["memory", { files: without(/meminfo/u) }, ["memory", "swap"], /Memory/u],
  ["uptime", { files: without(/uptime/u) }, ["uptimeSeconds"], /Uptime/u],
  ["load", { files: without(/loadavg/u) }, ["load"], /Load/u],
  ["traffic", { files: without(/net\/dev/u) }, ["network"], /Network traffic/u],
  ["connections", { files: without(/sockstat/u) }, ["connections"], /Connections/u],
  ["pressure", { files: without(/pressure/u) }, ["pressure"], /Pressure/u],
  ["processes", { files: without(/^\/proc$/u) }, ["processes"], /The number of processes/u],
  ["temperatures", { files: without(/class\/hwmon/u) }, ["temperatures"], /Temperatures/u],
  ["GPUs", { files: without(/drm/u) }, ["gpus"], /GPUs/u],
  [
    "virtualization",
    { files: without(/^\/proc\/1\/cgroup/u) },
    ["host.virtualization"],
    /The virtualization/u,
  ],
  ["limits", { files: without(/^\/sys\/fs\/cgroup/u) }, [], /Limits of the container/u],
  ["details", { detail: fail }, ["systemd"], /Failed units/u],
  ["the table of mounts", { files: without(/mountinfo/u) }, [], /Disk space/u],
  ["one disk", { files: without(/^\/srv$/u) }, [], /The space of \/srv/u],
  ["disk traffic", { files: without(/diskstats/u) }, [], /Disk traffic/u],
];

describe("a report", () => {
  it("of a machine on which everything works tells no fault", async () => {
    const { payload, warnings } = await report({});
    assert.deepEqual([payload.faults, warnings], [undefined, []]);
    assert.deepEqual(payload.host?.addresses, ["192.0.2.7"]);
  });

  for (const [name, broken, missing, told] of cases) {
    it(`goes without ${name} where that cannot be read, is taken by the service, and tells it once`, async () => {
      const whole = namesOf((await report({})).payload);
      const { payload, warnings } = await report(broken);
      const left = namesOf(payload);
      assert.deepEqual(
        [...whole].filter((each) => !left.has(each)),
        [...whole].filter((each) => missing.some((one) => one === each)),
      );
      assert.equal(payload.faults?.length, 1);
      assert.match(payload.faults?.[0]?.name ?? "", told);
      assert.equal(warnings.length, 1, warnings.join("\n"));
      assert.match(warnings[0] ?? "", /cannot be read; reports omit this value until it can/u);
      const parsed = parseReport(JSON.stringify(payload), {
        collectedAt: 1_800_000_000_000,
        now: 1_800_000_000_000,
      });
      assert.equal(parsed.ok, true);
    });
  }

  it("of a machine that tells nothing at all is taken too, with its faults", async () => {
    const { payload } = await report({
      files: without(/./u),
      system: { cpus: fail, machine: fail, release: fail, networkInterfaces: fail },
      detail: fail,
    });
    assert.ok((payload.faults?.length ?? 0) >= 15);
    const parsed = parseReport(JSON.stringify(payload), {
      collectedAt: 1_800_000_000_000,
      now: 1_800_000_000_000,
    });
    assert.equal(parsed.ok, true);
  });
});
