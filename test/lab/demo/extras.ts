/** What an administrator of the demonstration has set beyond the servers: the site, a channel, rules. */
import { createServer } from "node:http";
import { once } from "node:events";
import { type AlertRuleFields, alertRuleFieldsSchema } from "../../../src/monitor/alerts/schema.ts";
import type { MonitorProgram } from "../program.ts";

/** Rules that the machines of the demonstration break here and there. */
export const demoRules: readonly AlertRuleFields[] = [
  { kind: "offline", name: "Server offline", graceSeconds: 120, severity: "critical" },
  { kind: "metric", name: "Disk almost full", metric: "disk.usedPercent", op: ">", threshold: 90 },
  { kind: "metric", name: "Memory almost full", metric: "memory.usedPercent", op: ">", threshold: 95 },
  { kind: "expiry", name: "Paid time ends within a week", daysAhead: 7, severity: "info" },
  { kind: "traffic", name: "Traffic over 80 %", percentOfLimit: 80 },
].map((rule) => alertRuleFieldsSchema.parse(rule));

/** Where the demonstration's notices go: it takes all of them and does nothing. */
async function startReceiver(): Promise<{ readonly url: string; close(): void }> {
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

/** Sets the site's title, and makes a channel to a receiver that lives as long as the demonstration. */
export async function addDemoExtras(monitor: MonitorProgram): Promise<{ stop(): Promise<void> }> {
  await monitor.admin("PUT", "/api/admin/settings", { siteTitle: "Northwind servers" });
  const receiver = await startReceiver();
  const url = receiver.url;
  await monitor.admin("POST", "/api/admin/channels", { type: "http", name: "Operations chat", url });
  return {
    stop: async () => receiver.close(),
  };
}
