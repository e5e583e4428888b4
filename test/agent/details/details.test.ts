import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFactReader } from "../../../src/agent/facts.ts";
import { readBatteries } from "../../../src/agent/details/batteries.ts";
import { type DetailReading, createDetails } from "../../../src/agent/details/details.ts";
import { parseMdstat, readRaid } from "../../../src/agent/details/raid.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { createManualTime } from "../support/manual-time.ts";
import { createFixtureFiles } from "../support/system-files.ts";

const mdstat = `Personalities : [raid1] [raid6] [raid5] [raid4] [raid0]
md0 : active raid1 sdb1[1] sda1[0]
      976630464 blocks super 1.2 [2/2] [UU]
      bitmap: 0/8 pages [0KB], 65536KB chunk

md127 : active (auto-read-only) raid5 sdd1[3](F) sdc1[1] sde1[2]
      1953260544 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [_UU]
      [=>...................]  recovery =  8.5% (83000000/976630272) finish=80.1min speed=185000K/sec

md5 : active raid0 sdf1[1] sdg1[0]
      1953260544 blocks super 1.2 512k chunks

md9 : inactive sdh1[0](S)
      976630464 blocks super 1.2

unused devices: <none>
`;

describe("RAID arrays", () => {
  it("are read with their disks and what goes on", () => {
    assert.deepEqual(JSON.parse(JSON.stringify(parseMdstat(mdstat))), [
      { name: "md0", level: "raid1", state: "active", disks: 2, activeDisks: 2 },
      {
        name: "md127",
        level: "raid5",
        state: "active",
        disks: 3,
        activeDisks: 2,
        action: "recovery",
        actionPercent: 8.5,
      },
      { name: "md5", level: "raid0", state: "active" },
      { name: "md9", state: "inactive" },
    ]);
    assert.deepEqual(readRaid(createFixtureFiles({ "/proc/mdstat": mdstat })).raid, { degradedArrays: 2 });
    assert.deepEqual(
      readRaid(createFixtureFiles({ "/proc/mdstat": "Personalities :\nunused devices: <none>\n" })),
      {},
    );
  });
});

describe("batteries", () => {
  it("are those of the machine, not of what is connected to it", () => {
    const folder = "/sys/class/power_supply";
    const files = createFixtureFiles({
      [`${folder}/AC/type`]: "Mains\n",
      [`${folder}/BAT0/type`]: "Battery\n",
      [`${folder}/BAT0/capacity`]: "87\n",
      [`${folder}/BAT0/status`]: "Discharging\n",
      [`${folder}/BAT1/type`]: "Battery\n",
      [`${folder}/BAT1/capacity`]: "12\n",
      [`${folder}/BAT1/model_name`]: "45N1767\n",
      [`${folder}/hidpp_0/type`]: "Battery\n",
      [`${folder}/hidpp_0/scope`]: "Device\n",
      [`${folder}/hidpp_0/capacity`]: "3\n",
    });
    const reading = readBatteries(files);
    assert.deepEqual(reading.battery, { percent: 12 });
    assert.deepEqual(reading.details?.batteries, [
      { name: "BAT0", percent: 87, state: "discharging" },
      { name: "45N1767", percent: 12, state: undefined },
    ]);
    assert.deepEqual(readBatteries(createFixtureFiles({})), {});
  });
});

describe("details", () => {
  it("come with the report after each reading, their counts with every one, and what is gone is said", async () => {
    let failedUnits: DetailReading = {
      systemd: { failedUnits: 1 },
      details: { failedUnits: [{ name: "a" }] },
    };
    const { timers } = createManualTime();
    const log = createLog({ level: "info", pretty: false, write: () => undefined });
    const facts = createFactReader(log);
    const details = createDetails({ readers: [{ name: "Units", read: () => failedUnits }], timers, facts });
    assert.deepEqual(details.next(), {});
    await details.refresh();
    assert.deepEqual(details.next(), failedUnits);
    assert.deepEqual(details.next(), { systemd: { failedUnits: 1 } });
    failedUnits = {};
    await details.refresh();
    assert.deepEqual(details.next(), { details: {} });
    await details.refresh();
    assert.deepEqual(details.next(), {});
  });

  it("go on without a part that cannot be read, which is logged once until it can", async () => {
    const lines: string[] = [];
    let isBroken = true;
    const { timers } = createManualTime();
    const details = createDetails({
      readers: [
        {
          name: "Containers",
          read: async () => {
            if (isBroken) throw new Error("connect EACCES");
            return { containers: { running: 1, exited: 0, unhealthy: 0 } };
          },
        },
        { name: "Units", read: () => ({ systemd: { failedUnits: 0 } }) },
      ],
      timers,
      facts: createFactReader(
        createLog({ level: "info", pretty: false, write: (line) => void lines.push(line) }),
      ),
    });
    await details.refresh();
    await details.refresh();
    assert.deepEqual(details.next(), { systemd: { failedUnits: 0 } });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /Containers cannot be read.*connect EACCES/u);
    isBroken = false;
    await details.refresh();
    assert.equal(details.next().containers?.running, 1);
  });
});
