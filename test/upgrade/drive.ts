/** What a fixture's program is made to write: a server that reports, an account, a sale, settings with secrets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { toRunArguments } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";
import { signUp } from "../support/sign-up.ts";
import { driveLicenses } from "./drive-licenses.ts";
import { driveMore } from "./drive-more.ts";
import { driveSales } from "./drive-sales.ts";
import { type People, type Urls, ADMIN_TOKEN } from "./notes.ts";

const admin = { "x-admin-token": ADMIN_TOKEN };
const REPORTS = 3;
/** A busy machine takes its time to start an agent. */
const AGENT_MS = 60_000;

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ method, url, body, headers = admin }: Sent): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** How many reports of the server its history shows. */
async function countReports(monitor: string): Promise<number> {
  const url = `${monitor}/api/servers/web-1/history?metric=cpu.usagePercent`;
  const answer = await send({ method: "GET", url });
  const list = z.array(z.object({ points: z.array(z.unknown()) }));
  // The list was called series once.
  const { items, series } = z.object({ items: list.optional(), series: list.optional() }).parse(answer);
  return (items ?? series)?.[0]?.points.length ?? 0;
}

/** What a first drive needs beside where the services are. */
export interface DriveOptions {
  /** The folder of the old program. */
  readonly tree: string;
  /** How long the agent reports at least: over 5 minutes a segment of the sample log ends, and history is written. */
  readonly reportMs: number;
}

async function reportFrom({ tree, reportMs }: DriveOptions, urls: Urls, key: string): Promise<void> {
  const { monitor = "", grpc = "" } = urls;
  const folder = await mkdtemp(join(tmpdir(), "trivet-agent-"));
  const options = ["--server", grpc, "--id", "web-1", "--key", key, "--interval", "1", "--data", folder];
  const child = spawn(process.execPath, ["--import", "tsx", "src/agent/main.ts", ...options], {
    cwd: tree,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const overdue = performance.now() + AGENT_MS;
  await new Promise((resolve) => setTimeout(resolve, reportMs));
  while ((await countReports(monitor)) < REPORTS && performance.now() < overdue)
    await new Promise((resolve) => setTimeout(resolve, 200));
  child.kill("SIGTERM");
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function buy(shop: string, token: string): Promise<void> {
  // Older programs lack the route, and have the demo payment on by themselves.
  const demo = `${shop}/api/admin/site/providers/demo`;
  await sendIfKnown({ method: "PATCH", url: demo, body: { enabled: true } });
  const products = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(await send({ method: "GET", url: `${shop}/api/products` }));
  const body = {
    items: [{ productId: products.items[0]?.id, quantity: 1 }],
    contact: { email: "ann@example.org" },
    paymentMethod: "demo",
  };
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": "fixture-order" };
  // Older programs know no consents, and later ones sell no files without them.
  const place = (more: object): Promise<unknown> =>
    send({ method: "POST", url: `${shop}/api/checkout`, body: { ...body, ...more }, headers });
  const bought = z
    .object({ payment: z.object({ url: z.string() }) })
    .parse(await place({}).catch(() => place({ consents: { digitalContent: true } })));
  const page = new URL(bought.payment.url, shop);
  const form = new URLSearchParams({ token: page.searchParams.get("token") ?? "", action: "pay" });
  const paid = await fetch(`${shop}${page.pathname}`, { method: "POST", body: form, redirect: "manual" });
  if (paid.status !== 303) throw new Error(`The demo page answered ${paid.status}`);
}

/** Tries a route that older programs lack. */
async function sendIfKnown(sent: Sent): Promise<void> {
  await send(sent).catch((error: unknown) => {
    if (!/: 404 /u.test(String(error))) throw error;
  });
}

/** Before the stop in good order: what ends up in snapshots, the checkpoint and the rollups. */
export async function driveFirst(urls: Urls, options: DriveOptions): Promise<People> {
  const server = { id: "web-1", name: "Web 1", group: "Frankfurt", tags: ["web", "a"], region: "DE" };
  const made = await send({ method: "POST", url: `${urls.monitor}/api/admin/servers`, body: server });
  const { agentKey } = z.object({ agentKey: z.string() }).parse(made);
  await send({
    method: "PUT",
    url: `${urls.monitor}/api/admin/settings`,
    body: { siteTitle: "Machines of ours" },
  });
  const ntfy = {
    type: "ntfy",
    name: "Phone",
    serverUrl: "https://ntfy.example.org",
    topic: "alerts",
    token: "tk_secret",
  };
  await sendIfKnown({ method: "POST", url: `${urls.monitor}/api/admin/channels`, body: ntfy });
  await reportFrom(options, urls, agentKey);
  if (urls.auth === undefined) {
    await driveMore(urls, undefined);
    return { agentKey };
  }
  const ann = { username: "ann", password: "correct horse battery staple" };
  const buyerToken = await signUp({ authUrl: urls.auth, adminToken: ADMIN_TOKEN, ...ann });
  if (urls.shop !== undefined) {
    const { code, output } = await runProcess({
      command: process.execPath,
      args: toRunArguments("scripts/first-sale.ts"),
      cwd: projectFolder,
      env: { SHOP_URL: urls.shop, AUTH_URL: urls.auth, ADMIN_TOKEN },
    });
    if (code !== 0) throw new Error(`The first sale failed: ${output}`);
    await buy(urls.shop, buyerToken);
    await driveLicenses(urls);
    await driveSales(urls);
  }
  await driveMore(urls, buyerToken);
  return { agentKey, buyerToken };
}

/** After it, before the kill: data that is only in journals. */
export async function driveAgain(urls: Urls, people: People): Promise<void> {
  const server = { id: "db-1", name: "Db 1", publicNote: "after the restart" };
  await send({ method: "POST", url: `${urls.monitor}/api/admin/servers`, body: server });
  if (urls.auth === undefined || people.buyerToken === undefined) return;
  const headers = { authorization: `Bearer ${people.buyerToken}` };
  await send({ method: "POST", url: `${urls.auth}/api/auth/checkin`, body: { timeZone: "UTC" }, headers });
  if (urls.shop === undefined) return;
  const coupon = { code: "AUTUMN", kind: "percent", value: 1_000 };
  await sendIfKnown({ method: "POST", url: `${urls.shop}/api/admin/coupons`, body: coupon });
}
