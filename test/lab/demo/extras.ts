/** What an administrator of the demonstration has set beyond the servers: rules, and where notifications go. */
import { createServer } from "node:http";
import { once } from "node:events";
import { type AlertRuleFields, alertRuleFieldsSchema } from "../../../src/monitor/alerts/schema.ts";

/** Rules that the machines of the demonstration break here and there. */
export const demoRules: readonly AlertRuleFields[] = [
  { kind: "offline", name: "Server offline", graceSeconds: 120, severity: "critical" },
  {
    kind: "metric",
    name: "Disk almost full",
    metric: "disk.fullestPercent",
    op: ">",
    threshold: 90,
    recoverBy: 2,
  },
  {
    kind: "metric",
    name: "Memory almost full",
    metric: "memory.usedPercent",
    op: ">",
    threshold: 95,
    recoverBy: 2,
  },
  { kind: "metric", name: "Container unhealthy", metric: "containers.unhealthy", op: ">", threshold: 0 },
  { kind: "metric", name: "Unit failed", metric: "systemd.failedUnits", op: ">", threshold: 0 },
  {
    kind: "metric",
    name: "RAID degraded",
    metric: "raid.degradedArrays",
    op: ">",
    threshold: 0,
    severity: "critical",
  },
  { kind: "expiry", name: "Paid time ends within a week", daysAhead: 7, severity: "info" },
  { kind: "traffic", name: "Traffic over 80 %", percentOfLimit: 80 },
].map((rule) => alertRuleFieldsSchema.parse(rule));

/** Where the demonstration's notifications go: it takes all of them and does nothing. */
export async function startReceiver(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/notices`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
