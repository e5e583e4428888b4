import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
  bench.up("web-1");
});

/** A report of web-1 with these parts. */
function report(more: object): void {
  const now = bench.clock.now();
  const { details, ...sample } = { v: 1, cpu: { usagePercent: 1 }, details: undefined, ...more };
  bench.live.reported("web-1", {
    collectedAt: now,
    receivedAt: now,
    sample,
    flags: [],
    details: details === undefined ? undefined : JSON.stringify(details),
  });
}

const containers = (...list: readonly [name: string, state: string][]): object => ({
  details: { containers: list.map(([name, state]) => ({ name, state })) },
});
const mounts = (...list: readonly [path: string, usedBytes: number][]): object => ({
  disk: { mounts: list.map(([path, usedBytes]) => ({ path, usedBytes, totalBytes: 100 })) },
});
const running = {
  kind: "part",
  partMetric: "container.upPercent",
  op: "<",
  threshold: 100,
  name: "Database",
};
const full = { kind: "part", partMetric: "mount.usedPercent", op: ">", threshold: 90, name: "Mounts" };

describe("a rule about a part", () => {
  it("fires when the container that it names stops, and resolves when it runs again", async () => {
    await bench.rule({ ...running, names: "db", forSeconds: 0 });
    report(containers(["db", "running"], ["web", "exited"]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), []);
    report(containers(["db", "exited"], ["web", "exited"]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: container not running (db)"]);
    report(containers(["db", "running"]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: containers running again"]);
  });

  it("fires when that container is gone, but not for a pattern that fits nothing", async () => {
    await bench.rule({ ...running, names: "db", forSeconds: 0 });
    await bench.rule({ ...running, name: "Jobs", names: "job-*", forSeconds: 0 });
    report(containers(["web", "running"]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: container not running (db)"]);
  });

  it("says nothing of a machine that does not report such parts", async () => {
    await bench.rule({ ...running, names: "db", forSeconds: 0 });
    report({});
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), []);
  });

  it("names every mount over the threshold, leaves out what the list leaves out, and waits to recover", async () => {
    await bench.rule({ ...full, names: "*,!/mnt/backup", forSeconds: 0, recoverBy: 5 });
    report(mounts(["/", 50], ["/mnt/backup", 99]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), []);
    report(mounts(["/", 95], ["/srv", 91], ["/mnt/backup", 99]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: Mount: space used 95 %, limit 90 % (/, /srv)"]);
    report(mounts(["/", 88], ["/srv", 10]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), []);
    report(mounts(["/", 80], ["/srv", 10]));
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1: Mount: space used 80 %, back below 90 %"]);
  });

  it("fires for a disk that fails by SMART, for a unit that failed and for a mount that hangs", async () => {
    const up = { kind: "part", op: "<", threshold: 100, forSeconds: 0 };
    await bench.rule({ ...up, name: "SMART", partMetric: "disk.upPercent" });
    await bench.rule({ ...up, name: "Units", partMetric: "unit.upPercent", names: "nginx.service" });
    await bench.rule({ ...up, name: "NAS", partMetric: "mount.upPercent" });
    report({
      disk: { mounts: [{ path: "/mnt/nas", state: "unresponsive" }] },
      details: {
        disks: [
          { name: "sda", state: "failing" },
          { name: "sdb", state: "unknown" },
        ],
        units: [{ name: "nginx.service", state: "failed" }],
      },
    });
    await bench.pass(1);
    assert.deepEqual((await bench.takeTitles()).toSorted(), [
      "web-1: disk failing (sda)",
      "web-1: mount not responding (/mnt/nas)",
      "web-1: unit not active (nginx.service)",
    ]);
  });

  it("refuses what is no list of names and no metric of parts", async () => {
    await assert.rejects(async () => bench.rule({ ...running, names: "," }));
    await assert.rejects(async () => bench.rule({ ...running, partMetric: "container.size" }));
  });
});
