/** What an administrator of the demonstration has set beyond the servers: the site, rules, a channel. */
import { createServer } from "node:http";
import { once } from "node:events";
import type { MonitorProgram } from "../program.ts";

/** Sets the site's title, and makes a channel to a receiver that lives as long as the demonstration. */
export async function addDemoExtras(monitor: MonitorProgram): Promise<{ stop(): Promise<void> }> {
  const settings = await monitor.admin("GET", "/api/admin/settings");
  if (typeof settings === "object" && settings !== null && "siteTitle" in settings) {
    const { history: _history, ...fields } = { history: undefined, ...settings };
    await monitor.admin("PUT", "/api/admin/settings", { ...fields, siteTitle: "Northwind servers" });
  }
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  return {
    async stop() {
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}
