/** The harness of `npm run chaos`: what it makes of what its parts find. The cases themselves run there. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import { type ChaosCase, type Found, type Part, breakOff, NotPossible } from "./chaos/case.ts";
import { chaosCases } from "./chaos/cases.ts";
import { measureGrowth, readRssMib } from "./chaos/memory.ts";
import { createReadiness } from "./chaos/readiness.ts";
import { hasFailed, runChaos } from "./chaos/run.ts";
import { toTable, toVerdict } from "./chaos/table.ts";
import { readProcessUsage } from "./fleet/process-usage.ts";
import { childrenOf } from "../support/processes.ts";

const found = (isKept: boolean): Found => ({ isKept, done: "done", acknowledged: "1", found: "seen" });
const part = (name: string, run: Part["run"], isControl = false): Part => ({ name, run, isControl });

function run(...cases: ChaosCase[]): ReturnType<typeof runChaos> {
  return runChaos({
    cases,
    seed: 1,
    rounds: 10,
    isQuick: true,
    kills: 0,
    cuts: 0,
    slack: 1,
    runner: [process.execPath],
    isDeno: false,
    entry: "src/main.ts",
    onRow: () => undefined,
  });
}

const one = (...parts: Part[]): ChaosCase => ({ name: "one", promise: "It holds", parts });

describe("chaos, the harness", () => {
  it("fails when a promise is broken, and passes when it is kept", async () => {
    const kept = await run(one(part("kept", async () => found(true))));
    assert.deepEqual([kept[0]?.outcome, hasFailed(kept)], ["pass", false]);
    const broken = await run(one(part("broken", async () => found(false))));
    assert.deepEqual([broken[0]?.outcome, hasFailed(broken)], ["fail", true]);
  });

  it("fails when a control goes unnoticed, also when every promise was kept", async () => {
    const rows = await run(
      one(
        part("kept", async () => found(true)),
        part("silent", async () => found(true), true),
      ),
    );
    assert.deepEqual(rows.map(toVerdict), ["pass", "NOT NOTICED"]);
    assert.ok(hasFailed(rows));
    assert.match(toTable(rows), /1 passed, 0 failed; 0 controls noticed, 1 not; 0 skipped$/u);
  });

  it("takes a control that is caught as noticed", async () => {
    const rows = await run(
      one(
        part("kept", async () => found(true)),
        part("caught", async () => found(false), true),
      ),
    );
    assert.deepEqual(rows.map(toVerdict), ["pass", "noticed"]);
    assert.ok(!hasFailed(rows));
  });

  it("does not take a control that could not run for one that was caught", async () => {
    const rows = await run(one(part("broken", () => Promise.reject(new Error("no server")), true)));
    assert.deepEqual([rows[0]?.outcome, rows[0]?.found, hasFailed(rows)], ["fail", "no server", true]);
  });

  it("skips what the machine cannot do and says why, and has failed when that was all", async () => {
    const skipped = part("skipped", () => Promise.reject(new NotPossible("no root")));
    const rows = await run(one(skipped));
    assert.deepEqual([rows[0]?.outcome, rows[0]?.found], ["skipped", "not possible here: no root"]);
    assert.ok(hasFailed(rows));
    assert.ok(
      !hasFailed(
        await run(
          one(
            skipped,
            part("kept", async () => found(true)),
          ),
        ),
      ),
    );
  });

  it("ends a part that hangs, clears up after it, last one first, and goes on", async () => {
    const cleared: string[] = [];
    const hanging: Part = {
      name: "hanging",
      limitSeconds: 0.01,
      run: (around) => {
        around.onEnd(() => cleared.push("first"));
        around.onEnd(() => cleared.push("second"));
        return new Promise(() => undefined);
      },
    };
    const rows = await run(
      one(
        hanging,
        part("kept", async () => found(true)),
      ),
    );
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ["fail", "pass"],
    );
    assert.match(rows[0]?.found ?? "", /took longer than 0\.01 s/u);
    assert.deepEqual(cleared, ["second", "first"]);
  });

  it("clears up after what is under way when a run is broken off", async () => {
    const cleared: string[] = [];
    let isStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      isStarted = resolve;
    });
    const hanging: Part = {
      name: "hanging",
      limitSeconds: 0.1,
      run: (around) => {
        around.onEnd(() => cleared.push("program"));
        isStarted();
        return new Promise(() => undefined);
      },
    };
    const running = run(one(hanging));
    await started;
    await breakOff();
    assert.deepEqual(cleared, ["program"]);
    await running;
    assert.deepEqual(cleared, ["program"]);
  });

  it("leaves long parts out of a quick run", async () => {
    const long: Part = { ...part("long", async () => found(true)), isLong: true };
    const rows = await run(
      one(
        long,
        part("short", async () => found(true)),
      ),
    );
    assert.deepEqual(
      rows.map((row) => row.part),
      ["short"],
    );
  });

  it("runs patient cases beside the others, and lists the rows in the order of the cases", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waits = part("waits", () => released.then(() => found(true)));
    const frees = part("frees", async () => {
      release();
      return found(true);
    });
    const rows = await run(
      { name: "patient", promise: "", isPatient: true, parts: [waits] },
      { name: "busy", promise: "", parts: [frees] },
    );
    assert.deepEqual(
      rows.map((row) => [row.case, row.outcome]),
      [
        ["patient", "pass"],
        ["busy", "pass"],
      ],
    );
  });

  it("gives each part the same random numbers at each run of a seed", async () => {
    const drawn: number[] = [];
    const draw = part("draws", async ({ random }) => {
      drawn.push(random(), random());
      return found(true);
    });
    await run(one(draw));
    await run(one(draw));
    assert.deepEqual(drawn.slice(0, 2), drawn.slice(2));
    assert.notEqual(drawn[0], drawn[1]);
  });
});

describe("chaos, what parts judge by", () => {
  it("starts are in time without what others took, or when --slack makes the limit longer", () => {
    const readiness = createReadiness({ within: (ms) => ms });
    readiness.add({ readyMs: 9_000, starvedMs: 4_500 });
    assert.equal(readiness.isInTime(), true);
    assert.match(readiness.toText(), /^ready again in 9\.0 s at most, 4\.5 s without/u);
    readiness.add({ readyMs: 5_200, starvedMs: 100 });
    assert.equal(readiness.isInTime(), false);
    const patient = createReadiness({ within: (ms) => ms * 2 });
    patient.add({ readyMs: 9_000, starvedMs: 0 });
    assert.equal(patient.isInTime(), true);
  });

  it(
    "memory of a process that has ended is within no limit",
    { skip: process.platform !== "linux" },
    async () => {
      const child = spawn("sleep", ["60"]);
      const grown = await measureGrowth(child.pid ?? 0, async () => {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      });
      assert.ok(Number.isNaN(grown), String(grown));
    },
  );

  it("memory counts what a process has started", { skip: process.platform !== "linux" }, async () => {
    const parent = spawn("sh", ["-c", "sleep 60 & echo ready; wait"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(parent.stdout, "data");
    const pid = parent.pid ?? 0;
    const children = childrenOf(pid);
    try {
      assert.equal(children.length, 1);
      assert.ok(readRssMib(pid) > (readProcessUsage(pid)?.rssBytes ?? Infinity) / 1_048_576);
    } finally {
      for (const each of [pid, ...children]) process.kill(each, "SIGKILL");
    }
  });
});

describe("chaos, the cases", () => {
  it("have names of their own and a control each", () => {
    assert.equal(new Set(chaosCases.map(({ name }) => name)).size, chaosCases.length);
    for (const { name, parts } of chaosCases) {
      assert.ok(
        parts.some(({ isControl }) => isControl === true),
        `${name} has no control`,
      );
      assert.ok(
        parts.some(({ isControl }) => isControl !== true),
        `${name} checks nothing`,
      );
    }
  });

  /** Those parts that need no program of their own. */
  async function runCheap(caseName: string, named: RegExp): Promise<string[]> {
    const chosen = chaosCases.find(({ name }) => name === caseName);
    assert.ok(chosen !== undefined);
    const parts = chosen.parts.filter(({ name }) => named.test(name));
    return (await run({ ...chosen, parts })).map(toVerdict);
  }

  it("notice on a simulated disk what plain lowdb loses in a power cut, and that the store loses nothing", async () => {
    assert.deepEqual(await runCheap("power-cut", /simulated/u), ["pass", "noticed"]);
  });

  it("notice a disk that lies about syncs, and that failing ones lose nothing", async () => {
    assert.deepEqual(await runCheap("file-errors", /simulated|lies/u), ["pass", "noticed"]);
  });

  it("notice bits that turned over in a file without a checksum", async () => {
    assert.deepEqual(await runCheap("corrupt", /without a checksum/u), ["noticed"]);
  });
});
