import assert from "node:assert/strict";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type ChecksSource, createChecks } from "../../../src/agent/checks/checks.ts";
import { createPendingResults } from "../../../src/agent/checks/results.ts";
import type { ProbeContext, ProbeResult } from "../../../src/kit/probes/probe.ts";
import type { Target } from "../../../src/kit/probes/targets.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { type ManualTime, createManualTime, settle } from "../support/manual-time.ts";
import { eventually } from "../../support/eventually.ts";

const http = { kind: "http", url: "https://www.example.org/" };

describe("the checks of a machine", () => {
  let folder: string;
  let path: string;
  let time: ManualTime;
  let checks: ChecksSource;
  let asked: { target: Target; context: ProbeContext }[];
  let answer: ProbeResult;
  let lines: string[];
  let stop: AbortController;
  let ended: Promise<void>;
  let written = 0;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-agent-checks-"));
    path = join(folder, "checks.json");
    time = createManualTime();
    asked = [];
    answer = { detail: "200 OK", latencyMs: 12 };
    lines = [];
    stop = new AbortController();
    checks = createChecks({
      path,
      pending: createPendingResults(),
      clock: time.clock,
      timers: time.timers,
      log: createLog({ level: "info", pretty: false, write: (line) => void lines.push(line) }),
      random: () => 0.5,
      variables: { TRIVET_CHECK_KEY: "abc" },
      probe: async (target, context) => {
        asked.push({ target, context });
        return answer;
      },
    });
    ended = Promise.resolve();
  });
  afterEach(async () => {
    stop.abort();
    await time.advance(10_000);
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  async function write(content: unknown): Promise<void> {
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    // Two changes within one tick of the file system's clock are two all the same.
    written += 1;
    await utimes(path, written, written);
  }

  /** Starts it, and waits until `isDone` while its time passes. */
  async function run(isDone: () => boolean): Promise<void> {
    if (!stop.signal.aborted && lines.length === 0 && asked.length === 0) ended = checks.run(stop.signal);
    await eventually(async () => {
      await time.advance(1_000);
      await settle();
      assert.equal(isDone(), true);
    });
  }

  it("are those of the file, with the values of the machine", async () => {
    const headers = [{ name: "x-key", env: "TRIVET_CHECK_KEY" }];
    const check = { id: "chk_a", timeoutSeconds: 7, target: { ...http, headers } };
    await write({ v: 1, checks: [check] });
    await run(() => asked.length === 1);
    const [first] = asked;
    assert.ok(first?.target.kind === "http");
    assert.deepEqual(first.target.headers, [{ name: "x-key", value: "abc" }]);
    assert.deepEqual([first.context.timeoutMs, first.context.rules.allowPrivate], [7_000, false]);
    const report = checks.next(10_000);
    assert.match(report?.hash ?? "", /^[0-9a-f]{16}$/u);
    assert.deepEqual([report?.allow, report?.problem], [undefined, undefined]);
    const [result] = report?.results ?? [];
    assert.deepEqual(
      [result?.id, result?.detail, result?.fault, result?.latencyMs],
      ["chk_a", "200 OK", undefined, 12],
    );
    assert.equal(checks.next(10_000)?.results, undefined);
  });

  it("are none without a file, and end when it goes", async () => {
    ended = checks.run(stop.signal);
    await time.advance(20_000);
    assert.equal(checks.next(10_000), undefined);
    await write({ v: 1, checks: [{ id: "chk_a", target: http }] });
    await run(() => asked.length === 1);
    await rm(path);
    await run(() => lines.some((line) => line.includes("was deleted")));
    checks.next(10_000);
    await time.advance(200_000);
    assert.equal(asked.length, 1);
    assert.equal(checks.next(10_000), undefined);
  });

  it("go on as they were while the file is wrong, and say so in the log and the report", async () => {
    await write({ v: 1, checks: [{ id: "chk_a", target: http }] });
    await run(() => asked.length === 1);
    const before = checks.next(10_000)?.hash;
    await write('{"v": 1,\n"checks": [}');
    await run(() => checks.next(10_000)?.problem !== undefined);
    const report = checks.next(0);
    assert.equal(report?.hash, before);
    assert.match(report?.problem ?? "", /unexpected character/u);
    assert.equal(lines.filter((line) => line.includes("is not used, the previous checks")).length, 1);
    const count = asked.length;
    await run(() => asked.length > count);
    await write({ v: 1, checks: [{ id: "chk_b", target: http }] });
    await run(() => checks.next(0)?.problem === undefined);
    assert.notEqual(checks.next(0)?.hash, before);
  });

  it("that only newer agents know are not judged, and say so; the others run", async () => {
    const newer = { id: "chk_n", level: 99, target: { kind: "quantum", host: "x" } };
    await write({ v: 1, checks: [newer, { id: "chk_a", target: http }] });
    await checks.once();
    const report = checks.next(10_000);
    assert.equal(report?.problem, undefined);
    assert.deepEqual(
      report?.results?.map(({ id, fault, detail }) => [id, fault, detail]),
      [
        ["chk_n", "unsupported", "This agent is too old for the check. Update the agent"],
        ["chk_a", undefined, "200 OK"],
      ],
    );
    assert.equal(asked.length, 1);
  });

  it("ask private addresses and start ping only where the file says so", async () => {
    const icmp = { id: "chk_p", target: { kind: "ping", host: "example.org", way: "icmp" } };
    await write({ v: 1, checks: [icmp] });
    await checks.once();
    assert.equal(asked.length, 0);
    const [refused] = checks.next(10_000)?.results ?? [];
    assert.deepEqual([refused?.fault, refused?.detail.includes('"allow": ["ping"]')], ["unsupported", true]);
    await write({ v: 1, allow: ["ping", "private"], checks: [icmp] });
    await checks.once();
    assert.equal(asked[0]?.context.rules.allowPrivate, true);
    assert.deepEqual(checks.next(10_000)?.allow, ["ping", "private"]);
  });

  it("say which value is missing instead of asking without it", async () => {
    const headers = [{ name: "x-key", env: "TRIVET_CHECK_OTHER" }];
    await write({ v: 1, checks: [{ id: "chk_a", target: { ...http, headers } }] });
    await checks.once();
    const [result] = checks.next(10_000)?.results ?? [];
    assert.equal(result?.detail, "TRIVET_CHECK_OTHER is not set in the environment of the agent");
    assert.equal(asked.length, 0);
  });

  it("do not read a file that is too large, or none", async () => {
    await write(" ".repeat(256 * 1024 + 1));
    await checks.once();
    assert.equal(checks.next(0)?.problem, "the file is larger than 256 KiB");
    const other = createChecks({
      path: folder,
      pending: createPendingResults(),
      clock: time.clock,
      timers: time.timers,
      random: Math.random,
      log: createLog({ level: "info", pretty: false, write: () => undefined }),
    });
    await other.once();
    assert.equal(other.next(0)?.problem, "the path is not a file");
  });
});
