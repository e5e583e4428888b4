import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { createCalls } from "./soak/calls.ts";
import { endChild, hearChild } from "./soak/children.ts";
import { type SoakErrors, type SoakRow, judgeSoak } from "./soak/judge.ts";
import { parseSoakSettings } from "./soak/options.ts";
import { readMetric } from "./read-metric.ts";

const MIB = 1024 * 1024;
const clean: SoakErrors = { lostReports: 0, rejectedReports: 0, failedRequests: 0, feedGaps: 0 };

/** Half an hour, a look each ten seconds. */
function toRows(
  at: (minute: number) => { mib: number; files?: number; lateMs?: number; records?: number },
  minutes = 30,
): SoakRow[] {
  return Array.from({ length: minutes * 6 }, (_, n) => {
    const { mib, files = 100, lateMs = 20, records = 0 } = at(n / 6);
    const one = { name: "all", rssBytes: mib * MIB, cpuPercent: 40, openFiles: files, loopDelayMs: lateMs };
    return { elapsedSeconds: n * 10, processes: [one], records };
  });
}

describe("judgeSoak", () => {
  it("passes a process that fills its rings and then stays", () => {
    const rows = toRows((minute) => ({
      mib: Math.min(400, 200 + minute * 15) + (Math.floor(minute) % 3) * 5,
    }));
    assert.deepEqual(judgeSoak(rows, clean).failures, []);
  });

  it("notices memory that leaks slowly", () => {
    const { failures } = judgeSoak(
      toRows((minute) => ({ mib: 300 + minute * 5 })),
      clean,
    );
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? "", /^all: memory grew by 4\d MiB/u);
  });

  it("allows what the records explain, and no more", () => {
    const records = (minute: number): number => Math.round(minute * 300);
    const asMuch = toRows((minute) => ({ mib: 300 + minute * 3, records: records(minute) }));
    assert.deepEqual(judgeSoak(asMuch, clean).failures, []);
    const more = toRows((minute) => ({ mib: 300 + minute * 12, records: records(minute) }));
    assert.equal(judgeSoak(more, clean).failures.length, 1);
  });

  it("notices files that stay open, and an event loop that gets later", () => {
    const files = judgeSoak(
      toRows((minute) => ({ mib: 300, files: 100 + minute * 10 })),
      clean,
    ).failures;
    assert.match(files.join(), /^all: open files grew/u);
    const late = judgeSoak(
      toRows((minute) => ({ mib: 300, lateMs: minute < 24 ? 20 : 400 })),
      clean,
    ).failures;
    assert.match(late.join(), /^all: the event loop's delay grew/u);
  });

  it("fails for each kind of error, however short the run", () => {
    const rows = toRows(() => ({ mib: 300 }), 2);
    for (const name of Object.keys(clean))
      assert.equal(judgeSoak(rows, { ...clean, [name]: 1 }).failures.length, 1, name);
  });

  it("says that a short run tells nothing of growth", () => {
    const { failures, remarks } = judgeSoak(
      toRows((minute) => ({ mib: 100 + minute * 20 }), 10),
      clean,
    );
    assert.deepEqual(failures, []);
    assert.match(remarks.join(), /was not judged/u);
  });
});

describe("parseSoakSettings", () => {
  it("has bounds, and says what is wrong with every value", () => {
    const parsed = parseSoakSettings(["--minutes", "0", "--agents", "9999", "--people", "none"]);
    assert.ok(!parsed.ok);
    assert.deepEqual(
      parsed.problems.map((problem) => problem.split(" ")[0]),
      ["--minutes", "--agents", "--people"],
    );
    assert.ok(!parseSoakSettings(["--hours", "3"]).ok);
  });

  it("takes half an hour by default", () => {
    const parsed = parseSoakSettings([]);
    assert.ok(parsed.ok);
    assert.equal(parsed.settings.minutes, 30);
  });
});

describe("createCalls", () => {
  const server = createServer((request, response) => response.end(request.url === "/json" ? "{}" : "{"));
  let url = "";
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // It listens on a port.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("counts an answer of another form as failed, and one that is no JSON", async () => {
    const calls = createCalls();
    const schema = z.object({ result: z.literal("applied") });
    await assert.rejects(async () => calls.read("notice", schema, await calls.send("notice", `${url}/json`)));
    await assert.rejects(calls.send("look", `${url}/text`));
    assert.deepEqual(
      calls.take().map(({ kind, failed }) => [kind, failed]),
      [
        ["notice", 1],
        ["look", 1],
      ],
    );
    assert.equal(calls.examples.length, 2);
    assert.deepEqual(calls.read("notice", schema, { result: "applied" }), { result: "applied" });
  });
});

describe("readMetric", () => {
  it("refuses a metric that is not there", () => {
    assert.equal(readMetric("# HELP a\na 3\n", "a"), 3);
    assert.throws(() => readMetric("ab 3\n", "a"), /has no a$/u);
  });
});

describe("children of a soak", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-soak-"));
    const text =
      'process.once("message", ({ count }) => { for (let n = 1; n <= count; n += 1) process.send(n); if (count < 9) setImmediate(() => process.disconnect()); });\n';
    await writeFile(join(folder, "teller.mjs"), `import process from "node:process";\n${text}`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const start = (): ChildProcess => fork(join(folder, "teller.mjs"), { execArgv: [] });

  it("are heard in order, to their end", async () => {
    const heard: unknown[] = [];
    const child = start();
    const onNews = async (news: unknown): Promise<void> => void heard.push(news);
    assert.equal(await hearChild(child, { order: { count: 3 }, onNews }), undefined);
    assert.deepEqual(heard, [1, 2, 3]);
  });

  it("are stopped when their messages cannot be received, with the reason", async () => {
    const child = start();
    const onNews = async (news: unknown): Promise<void> => {
      if (news === 2) throw new Error("the service is gone");
    };
    assert.equal(await hearChild(child, { order: { count: 9 }, onNews }), "the service is gone");
    assert.equal(child.signalCode, "SIGKILL");
  });

  it("are reported when they fail, without waiting for one that was killed by a signal", async () => {
    const child = start();
    const hearing = hearChild(child, { order: { count: 9 }, onNews: async () => void child.kill("SIGKILL") });
    assert.equal(await hearing, "the load ended with SIGKILL");
    assert.equal(await endChild(child), "SIGKILL");
  });
});
