/** What is said of receivers and targets while this process has no time for its work. */
import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { createOutbound } from "../../../src/kit/outbound/outbound.ts";
import { createContext, look, serveTcp, type TargetServer } from "../probes/targets.ts";

const rules = { allowPrivate: true, privateRemedy: "", userAgent: "Trivet/test" };

/** Counts requests and answers in a thread of its own: that of the test is the busy one. */
const SERVER = `
const { createServer } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
const counts = new Int32Array(workerData);
const server = createServer((request, response) => {
  Atomics.add(counts, 0, 1);
  Atomics.notify(counts, 0);
  request.resume();
  request.on("end", () => response.end("ok", () => { Atomics.add(counts, 1, 1); Atomics.notify(counts, 1); }));
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

let worker: Worker | undefined;
let silent: TargetServer | undefined;
afterEach(async () => {
  await worker?.terminate();
  await silent?.close();
  worker = undefined;
  silent = undefined;
});

/** Holds the thread for so long. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("a busy process", () => {
  it("reads the answer that came before it calls a message lost, so that it is not sent twice", async () => {
    const shared = new SharedArrayBuffer(8);
    const counts = new Int32Array(shared);
    worker = new Worker(SERVER, { eval: true, workerData: shared });
    const port = await new Promise((resolve) => worker?.once("message", resolve));
    const timeoutMs = 400;
    const outbound = createOutbound({ ...rules, timeoutMs });
    const begun = performance.now();
    const sent = outbound.send({ method: "POST", url: `http://127.0.0.1:${String(port)}/`, body: "alert" });
    while (Atomics.load(counts, 0) === 0) await nextTurn();
    Atomics.wait(counts, 1, 0, 60_000);
    block(Math.max(0, begun + timeoutMs + 50 - performance.now()));
    assert.equal((await sent).kind, "answered");
    assert.equal(Atomics.load(counts, 0), 1);
  });

  it("calls no target down that it had no time for, and one that is silent timed out", async () => {
    silent = await serveTcp();
    const target = { kind: "tls", host: "127.0.0.1", port: silent.port };
    let ms = 0;
    // By this clock no timer is ever late, however busy the machine of the test is.
    const steady = { now: () => Date.now(), monotonic: () => (ms += 1) };
    assert.equal(
      (await look(target, { ...createContext(), timeoutMs: 300, clock: steady })).fault,
      "timeout",
    );
    const asked = look(target, { ...createContext(), timeoutMs: 300 });
    while (silent.connections() < 2) await nextTurn();
    block(400);
    const { fault, detail } = await asked;
    assert.deepEqual([fault, detail], ["unsupported", "This location was too busy to run the check in time"]);
  });
});
