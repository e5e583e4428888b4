/**
 * The dashboard in a real browser with 1,000 and 2,000 servers, each reporting every 3 s: the first view, what
 * comes over the wire, frames while it is live, and the heap. Beside it a bare page that shows the same list
 * without any of it. `npm run bench -- dashboard`
 */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { startAgents } from "../fleet/agents.ts";
import { createLedger } from "../fleet/ledger.ts";
import { prepareServers } from "../fleet/servers.ts";
import { startMonitorProgram, type MonitorProgram } from "../program.ts";
import { type FirstView, openMeasured } from "./dashboard-page.ts";
import { type Bench, type BenchRow, type Effort, median } from "./measure.ts";

const COUNTS = [1_000, 2_000];
const INTERVAL_MS = 3_000;
const CONNECTIONS = 8;
/** The page is watched for this times `--seconds`: a minute by default. */
const WATCH_FACTOR = 15;
const MIB = 1024 * 1024;

/** The least that shows the same list: one request, one line for each server, no feed. */
const barePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><main><ul></ul></main>
<script src="/bare.js"></script></html>`;
const bareScript = `fetch("/servers.json").then((answer) => answer.json()).then(({ items }) => {
  const list = document.querySelector("ul");
  for (const server of items) {
    const item = list.appendChild(document.createElement("li"));
    const link = item.appendChild(document.createElement("a"));
    link.href = "/servers/" + server.id;
    link.textContent = server.name;
    item.append(" " + server.state + " " + (server.latest?.sample.cpu.usagePercent ?? "–") + " %");
  }
});`;

async function startBare(servers: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const [type, text] =
      request.url === "/servers.json"
        ? ["application/json", servers]
        : request.url === "/bare.js"
          ? ["text/javascript", bareScript]
          : ["text/html; charset=utf-8", barePage];
    response.writeHead(200, { "content-type": type }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, server };
}

async function measureFirst(browser: Browser, url: string): Promise<FirstView> {
  const opened = await openMeasured(browser, url);
  await opened.close();
  return opened.first;
}

async function measureCount(
  { browser, monitor }: { readonly browser: Browser; readonly monitor: MonitorProgram },
  { count, seconds, rounds }: Effort & { readonly count: number },
): Promise<BenchRow[]> {
  const bare = await startBare(await (await fetch(`${monitor.url}/api/servers`)).text());
  const ours: FirstView[] = [];
  const other: FirstView[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measureFirst(browser, `${monitor.url}/`));
    other.push(await measureFirst(browser, bare.url));
  }
  bare.server.close();
  const opened = await openMeasured(browser, `${monitor.url}/`);
  const live = await opened.watch(seconds * WATCH_FACTOR * 1_000);
  await opened.close();

  const of = (views: readonly FirstView[], read: (view: FirstView) => number | undefined): number =>
    median(views.map((view) => read(view) ?? Number.NaN));
  const paintedMs = of(ours, (view) => view.paintedMs);
  const scriptKib = of(ours, (view) => view.scriptBytes) / 1_024;
  const frameKib = of(ours, (view) => view.firstFrameBytes) / 1_024;
  const name = `dashboard, ${count} servers`;
  return [
    {
      name: `${name}: until the list is painted`,
      unit: "ms",
      ours: paintedMs,
      other: { name: "bare page", value: of(other, (view) => view.paintedMs) },
      ...(count === 1_000 ? { target: "≤ 1,000 ms", isReached: paintedMs <= 1_000 } : {}),
    },
    {
      name: `${name}: scripts of the first view on the wire`,
      unit: "KiB",
      ours: scriptKib,
      target: "≤ 150 KiB",
      isReached: scriptKib <= 150,
      note: `${Math.round(of(ours, (view) => view.allBytes) / 1_024)} KiB with everything but the feed`,
    },
    {
      name: `${name}: first snapshot on the wire`,
      unit: "KiB",
      ours: frameKib,
      ...(count === 2_000 ? { target: "≤ 293 KiB", isReached: frameKib <= 293 } : {}),
    },
    {
      name: `${name}: longest frame while live`,
      unit: "ms",
      ours: live.longestFrameMs,
      note: `${live.longFrames} over 50 ms in ${seconds * WATCH_FACTOR} s, main thread busy ${(live.busyShare * 100).toFixed(1)} %`,
    },
    { name: `${name}: heap after that`, unit: "MiB", ours: live.heapBytes / MIB },
  ];
}

/** Measures the dashboard; the monitor, its agents and the browser share this machine. */
export const benchDashboard: Bench = async (effort) => {
  const browser = await launchBrowser();
  const rows: BenchRow[] = [];
  try {
    for (const count of COUNTS) {
      const monitor = await startMonitorProgram();
      const { url, adminToken, grpc: address } = monitor;
      const keys = await prepareServers({ count, url, adminToken, keysFile: undefined });
      const agents = startAgents({
        keys,
        address,
        connections: CONNECTIONS,
        intervalMs: INTERVAL_MS,
        ledger: createLedger(),
      });
      try {
        // All have reported twice.
        await new Promise((resolve) => setTimeout(resolve, agents.rampMs + 2 * INTERVAL_MS));
        rows.push(...(await measureCount({ browser, monitor }, { ...effort, count })));
      } finally {
        await agents.stop();
        await monitor.stop();
      }
    }
  } finally {
    await browser.close();
  }
  return rows;
};
