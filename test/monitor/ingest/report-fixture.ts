/** Reports for tests: the documented example, and spoilt copies of it. */
import fc from "fast-check";

/** A fresh copy of the documented example, loosely typed so that tests can spoil it. */
export function example(): Record<string, unknown> {
  return {
    v: 1,
    intervalMs: 3000,
    uptimeSeconds: 86400,
    host: {
      os: "linux",
      platform: "debian",
      kernel: "6.1.0",
      cpuModel: "AMD EPYC 7B13",
      cpuCores: 4,
      bootTimeUnixMs: 1754000000000,
    },
    cpu: { usagePercent: 12.3, perCorePercent: [9, 14], iowaitPercent: 0.4, stealPercent: 0 },
    load: { one: 0.12, five: 0.1, fifteen: 0.09 },
    memory: { totalBytes: 8345231360, usedBytes: 3345231360, cacheBytes: 1200000000 },
    swap: { totalBytes: 2147483648, usedBytes: 0 },
    disk: {
      totalBytes: 84345231360,
      usedBytes: 34345231360,
      readBytesPerSecond: 0,
      writeBytesPerSecond: 4096,
      mounts: [{ path: "/", totalBytes: 1, usedBytes: 1 }],
    },
    network: {
      rxBytesPerSecond: 12345,
      txBytesPerSecond: 2345,
      rxTotalBytes: 1234567890,
      txTotalBytes: 987654321,
      interfaces: [{ name: "eth0", rxTotalBytes: 1, txTotalBytes: 1 }],
    },
    connections: { tcp: 123, udp: 12 },
    processes: 145,
    gpus: [{ name: "T4", usagePercent: 3, memoryTotalBytes: 1, memoryUsedBytes: 1, celsius: 41 }],
    temperatures: [{ name: "cpu", celsius: 45 }, { name: "gpu", celsius: 61.5 }, { name: "unknown" }],
    pressure: { cpuPercent: 3.2, memoryPercent: 0, ioPercent: 12.5 },
    containers: { running: 2, exited: 1, unhealthy: 1 },
    systemd: { failedUnits: 2 },
    raid: { degradedArrays: 0 },
    battery: { percent: 87 },
    extra: { warnings: 0, criticals: 1 },
    details: {
      containers: [
        { name: "web", image: "nginx:1.27", state: "running", health: "healthy", cpuPercent: 112.4 },
        { name: "queue", state: "running", health: "unhealthy", restarts: 14 },
        { name: "backup", state: "exited", exitCode: 0 },
      ],
      failedUnits: [
        { name: "certbot.service", description: "Renews certificates" },
        { name: "backup.timer" },
      ],
      raidArrays: [{ name: "md0", level: "raid1", state: "active", disks: 2, activeDisks: 2 }],
      batteries: [{ name: "BAT0", percent: 87, state: "discharging" }],
      extras: [
        {
          title: "SMART",
          writtenAtUnixMs: 1754000000000,
          values: [
            { name: "sda", value: 38, unit: "°C", state: "ok" },
            { name: "sdb", text: "failing", state: "critical" },
          ],
        },
      ],
    },
  };
}

/** The example with some values replaced by others, at any depth. */
export function spoiltExample(): fc.Arbitrary<Record<string, unknown>> {
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -0,
      1,
      -1,
      0.5,
      99.9,
      100,
      101,
      65_535,
      65_536,
      1e6,
      1e10,
      2 ** 53 - 1,
      2 ** 53,
      -274,
    ),
    fc.constantFrom<unknown>(
      "",
      "x".repeat(128),
      "x".repeat(129),
      "😀".repeat(64),
      "😀".repeat(65),
      [],
      [1],
      [[]],
      {},
      { celsius: 1 },
      Array(17).fill({}),
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const edit = fc.record({
    path: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    value: values,
    kind: fc.constantFrom("set", "add", "remove"),
  });
  return fc.array(edit, { maxLength: 3 }).map((edits) => {
    const payload = example();
    for (const { path, value, kind } of edits) {
      let target: unknown = payload;
      for (const [depth, step] of path.entries()) {
        if (typeof target !== "object" || target === null) break;
        const keys = Object.keys(target);
        const key = kind === "add" ? "added" : keys[step % Math.max(keys.length, 1)];
        if (key === undefined) break;
        const child: unknown = Reflect.get(target, key);
        if (depth === path.length - 1 || typeof child !== "object" || child === null) {
          if (kind === "remove") Reflect.deleteProperty(target, key);
          // A copy: later edits go into it, and the next run must find the value as it was.
          else Reflect.set(target, key, structuredClone(value));
          break;
        }
        target = child;
      }
    }
    return payload;
  });
}
