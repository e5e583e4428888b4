/** What is written for Prometheus and Grafana names only metrics that the monitor has. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";
import { createTestApp } from "../monitor/app-fixture.ts";

const suffixes: Readonly<Record<string, readonly string[]>> = {
  gauge: [""],
  counter: ["_total"],
  histogram: ["_bucket", "_count", "_sum", ""],
};

async function readMetricNames(): Promise<Set<string>> {
  const app = await createTestApp();
  const text = await (await app.admin("GET", "/metrics")).text();
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)];
  return new Set(
    families.flatMap(([, name = "", kind = ""]) => (suffixes[kind] ?? []).map((suffix) => name + suffix)),
  );
}

describe("the guides for Prometheus and Grafana", () => {
  for (const [path, least] of [
    ["docs/grafana/trivet-monitor.json", 12],
    ["docs/prometheus.md", 12],
  ] as const) {
    it(`${path} names only metrics that /metrics has`, async () => {
      const known = await readMetricNames();
      // Metrics of the process are separate: src/kit/observe/process-metrics.ts.
      const process = await readFile(join(projectFolder, "src/kit/observe/process-metrics.ts"), "utf8");
      const text = await readFile(join(projectFolder, path), "utf8");
      const named = new Set(
        text.match(/\b(?:trivet_(?!token)|http_server_|process_|event_loop_)\w+/gu) ?? [],
      );
      assert.ok(named.size >= least, `only ${named.size} names were found`);
      const unknown = [...named].filter(
        (name) => !known.has(name) && !process.includes(`"${name.replace(/_total$/u, "")}"`),
      );
      assert.deepEqual(unknown, []);
    });
  }

  it("has a dashboard whose panels have ids of their own and a query each", async () => {
    const text = await readFile(join(projectFolder, "docs/grafana/trivet-monitor.json"), "utf8");
    const { panels }: { panels: { id: number; type: string; targets?: { expr: string }[] }[] } =
      JSON.parse(text);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { type, targets = [] } of panels)
      assert.ok(type === "row" || targets.every(({ expr }) => expr.length > 0));
  });
});
