/**
 * The OpenAPI documents of all services, without a port or a file: `npm run openapi [-- FOLDER]` writes
 * them to a folder (default `dist/openapi`); the lint of `npm run check` reads them from here.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { createLocalBus } from "../src/bus/local.ts";
import { createAuth } from "../src/auth/app/auth.ts";
import { createAuthApp } from "../src/auth/app/app.ts";
import { authCollections } from "../src/auth/app/records.ts";
import { systemClock as clock } from "../src/kit/time/clock.ts";
import { createHealth } from "../src/kit/observe/health.ts";
import { silentLog as log } from "../src/kit/observe/log.ts";
import { createMetrics } from "../src/kit/observe/metrics.ts";
import { createDocumentation, loadPageAssets, loadWebAssets } from "../src/kit/http/web-assets.ts";
import { createOutbound } from "../src/kit/outbound/outbound.ts";
import { createOutbox } from "../src/records/outbox.ts";
import { createPasswordHasher } from "../src/auth/base/hashing/password-hash.ts";
import { createSecretBox } from "../src/kit/secrets/secret-box.ts";
import { createFeed } from "../src/monitor/fleet/feed.ts";
import { createMonitorApp } from "../src/monitor/app/app.ts";
import { createMonitor } from "../src/monitor/app/monitor.ts";
import { monitorCollections } from "../src/monitor/app/records.ts";
import { createMemoryBlobs } from "../src/shop/base/blobs.ts";
import { createShopApp } from "../src/shop/app/app.ts";
import { shopCollections } from "../src/shop/app/records.ts";
import { createShop } from "../src/shop/app/shop.ts";
import { createMemoryStore } from "../src/store/journal/memory-store.ts";
import { createMemoryRollups } from "../src/store/series/rollups/memory-rollups.ts";
import type { SampleLog } from "../src/store/series/samples/samples.ts";
import { VERSION } from "../src/version.ts";
import { buildPages } from "./process.ts";

const noSamples: SampleLog = {
  replay: () => Promise.resolve({ rows: 0, segments: 0, checkpointEntries: 0 }),
  append: () => Promise.resolve(1),
  maintain: () => Promise.resolve(),
  roll: () => Promise.resolve(),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

async function monitorDocument(): Promise<unknown> {
  const store = createMemoryStore({ collections: monitorCollections });
  const monitor = await createMonitor({
    store,
    bus: createLocalBus("document"),
    samples: noSamples,
    rollups: createMemoryRollups({ tiers: [], clock }),
    clock,
    log,
    notify: {
      box: createSecretBox("the document alone needs no secret"),
      outbound: createOutbound({ allowPrivate: false, privateRemedy: "", userAgent: "" }),
      publicOutbound: createOutbound({ allowPrivate: false, privateRemedy: "", userAgent: "" }),
      mail: undefined,
    },
    tokenHashes: [],
    instance: "document",
  });
  const upgradeWebSocket = (): never => {
    throw new Error("No sockets here");
  };
  const app = createMonitorApp(monitor, {
    version: VERSION,
    assets: await loadWebAssets(),
    pageAssets: await loadPageAssets(),
    documentation: createDocumentation(),
    install: { listDownloads: async () => ({ items: [] }), script: "" },
    feed: createFeed({
      publicSnapshot: monitor.publicSnapshot,
      countAlerts: () => ({}),
      checksRevision: () => 1,
      clock,
      upgradeWebSocket,
    }),
    log,
    clock,
    metrics: createMetrics(),
    health: createHealth({ version: VERSION, clock, checks: {} }),
    allowedOrigins: [],
    trustedProxies: [],
    metricsPublic: false,
    grpcPort: () => 50_051,
    onSettings: () => undefined,
  });
  return (await app.request("/openapi.json")).json();
}

async function authDocument(): Promise<unknown> {
  const store = createMemoryStore({ collections: authCollections });
  const box = createSecretBox("a secret that seals nothing of anybody");
  const auth = createAuth({
    store,
    clock,
    log,
    box,
    outbox: createOutbox({ store, clock, log, box, sender: () => undefined }),
    hasher: createPasswordHasher(),
    isCommonPassword: () => false,
  });
  const app = createAuthApp(auth, {
    version: VERSION,
    log,
    clock,
    metrics: createMetrics(),
    health: createHealth({ version: VERSION, clock, checks: {} }),
    assets: {
      style: "",
      storeStyles: {
        plain: { style: "", fonts: [] },
        editorial: { style: "", fonts: [] },
        market: { style: "", fonts: [] },
      },
      statusStyle: "",
      statusScript: "",
      passkeys: "",
      buying: "",
      store: "",
      browsing: "",
      icon: "",
      find: () => undefined,
    },
    consoleAssets: { page: "", find: () => undefined },
    consoles: [],
    tokenHashes: [],
    allowedOrigins: [],
    trustedProxies: [],
    metricsPublic: false,
  });
  return (await app.request("/openapi.json")).json();
}

async function shopDocument(): Promise<unknown> {
  const store = createMemoryStore({ collections: shopCollections });
  const box = createSecretBox("a secret that seals nothing of anybody");
  const outbox = createOutbox({ store, clock, log, box, sender: () => undefined });
  const app = createShopApp(
    createShop({ store, clock, log, box, outbox, blobs: createMemoryBlobs(), publicUrl: "" }),
    {
      version: `${VERSION}-trivet`,
      log,
      clock,
      metrics: createMetrics(),
      health: createHealth({ version: VERSION, clock, checks: {} }),
      tokenHashes: [],
      allowedOrigins: [],
      trustedProxies: [],
      metricsPublic: false,
      assets: {
        style: "",
        storeStyles: {
          plain: { style: "", fonts: [] },
          editorial: { style: "", fonts: [] },
          market: { style: "", fonts: [] },
        },
        statusStyle: "",
        statusScript: "",
        passkeys: "",
        buying: "",
        store: "",
        browsing: "",
        icon: "",
        find: () => undefined,
      },
      consoleAssets: { page: "", find: () => undefined },
      consoles: [],
      userCheck: {
        validateRequest: () => Promise.resolve({ status: "refused" }),
        readAddresses: () => Promise.resolve({ status: "refused" }),
      },
    },
  );
  return (await app.request("/openapi.json")).json();
}

/** Service name → OpenAPI 3.1 document. */
export async function openApiDocuments(): Promise<Record<string, unknown>> {
  await buildPages();
  return { monitor: await monitorDocument(), auth: await authDocument(), shop: await shopDocument() };
}

async function main(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, document] of Object.entries(await openApiDocuments())) {
    const path = join(folder, `${name}.json`);
    await writeFile(path, `${JSON.stringify(document, null, 2)}\n`);
    console.log(path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await main(process.argv[2] ?? "dist/openapi");
