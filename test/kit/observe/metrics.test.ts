import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createMetrics } from "../../../src/kit/observe/metrics.ts";
import { addProcessMetrics } from "../../../src/kit/observe/process-metrics.ts";

describe("createMetrics", () => {
  it("renders OpenMetrics text that ends with # EOF", () => {
    const metrics = createMetrics();
    assert.equal(metrics.render(), "# EOF\n");
    const reports = metrics.counter({ name: "reports", help: "Reports taken", labels: ["kind"] });
    const streams = metrics.gauge({ name: "streams", help: "Open streams" });
    metrics.gauge({ name: "queue_length", help: "Waiting", read: () => 7 });
    metrics.gauge({
      name: "server_up",
      help: "Servers",
      labels: ["id"],
      read: () => [{ labels: { id: "a" }, value: 1 }],
    });
    metrics.counterFrom({ name: "cpu_seconds", help: "CPU", read: () => 1.5 });
    reports.add(1, { kind: "metrics" });
    reports.add(2, { kind: "metrics" });
    reports.add(-5, { kind: "metrics" });
    streams.set(3);
    assert.equal(
      metrics.render(),
      [
        "# TYPE reports counter",
        "# HELP reports Reports taken",
        'reports_total{kind="metrics"} 3',
        "# TYPE streams gauge",
        "# HELP streams Open streams",
        "streams 3",
        "# TYPE queue_length gauge",
        "# HELP queue_length Waiting",
        "queue_length 7",
        "# TYPE server_up gauge",
        "# HELP server_up Servers",
        'server_up{id="a"} 1',
        "# TYPE cpu_seconds counter",
        "# HELP cpu_seconds CPU",
        "cpu_seconds_total 1.5",
        "# EOF",
        "",
      ].join("\n"),
    );
  });

  it("counts each value of a histogram in every bucket that holds it", () => {
    const metrics = createMetrics();
    const durations = metrics.histogram({
      name: "d_seconds",
      help: "D",
      labels: ["route"],
      buckets: [1, 0.1],
    });
    for (const value of [0.1, 0.5, 5]) durations.observe(value, { route: "/a" });
    const lines = metrics
      .render()
      .split("\n")
      .filter((line) => line.startsWith("d_"));
    assert.deepEqual(lines, [
      'd_seconds_bucket{route="/a",le="0.1"} 1',
      'd_seconds_bucket{route="/a",le="1"} 2',
      'd_seconds_bucket{route="/a",le="+Inf"} 3',
      'd_seconds_count{route="/a"} 3',
      'd_seconds_sum{route="/a"} 5.6',
    ]);
  });

  it("escapes label values, so that they cannot write lines of their own", () => {
    const metrics = createMetrics();
    const counter = metrics.counter({ name: "c", help: 'a "help"\nline', labels: ["name"] });
    counter.add(1, { name: 'x"} 1\nfake_total 9\\ \ud800' });
    assert.match(metrics.render(), /^c_total\{name="x\\"\} 1\\nfake_total 9\\\\ \ufffd"\} 1$/mu);
    assert.match(metrics.render(), /^# HELP c a \\"help\\"\\nline$/mu);
  });

  it("bounds the label sets: later ones are counted under other", () => {
    const metrics = createMetrics();
    const counter = metrics.counter({ name: "c", help: "C", labels: ["path"] });
    for (let i = 0; i < 5_000; i += 1) counter.add(1, { path: `/${i}` });
    const lines = metrics
      .render()
      .split("\n")
      .filter((line) => line.startsWith("c_total"));
    assert.equal(lines.length, 2_001);
    assert.equal(lines.at(-1), 'c_total{path="other"} 3000');
  });

  it("throws for a bad name and for the same name twice", () => {
    const metrics = createMetrics();
    metrics.gauge({ name: "a", help: "A" });
    assert.throws(() => metrics.counter({ name: "a", help: "A" }), /twice/u);
    assert.throws(() => metrics.counter({ name: "a-b", help: "A" }), /not a metric name/u);
  });
});

describe("addProcessMetrics", () => {
  it("reads what the system tells, and nothing as a false zero", () => {
    const metrics = createMetrics();
    const stop = addProcessMetrics(metrics, systemClock);
    const text = metrics.render();
    stop();
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_heap_used_bytes",
    ]) {
      const value = new RegExp(`^${name} (.+)$`, "mu").exec(text)?.[1];
      assert.ok(Number(value) > 0, `${name} is ${value}`);
    }
    const start = Number(/^process_start_time_seconds (.+)$/mu.exec(text)?.[1]);
    assert.ok(start > 1.7e9 && start <= Date.now() / 1_000);
    assert.doesNotMatch(text, /^process_open_fds 0$/mu);
    assert.match(text, /^event_loop_delay_max_seconds /mu);
  });
});
