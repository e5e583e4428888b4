/**
 * What the shop cannot be faster than, each in a process of its own: Hono that answers a prepared page, the
 * catalogue's search without HTTP, node:http that does nothing but a transaction with the records of an order
 * or of a paid one. The process sends what it measured or where it listens, as `startServer` wants it.
 */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { systemClock as clock } from "../../../src/kit/time/clock.ts";
import { newId } from "../../../src/kit/secrets/id.ts";
import { silentLog as log } from "../../../src/kit/observe/log.ts";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import { createCatalogue } from "../../../src/shop/catalogue/catalogue.ts";
import { search } from "../../../src/shop/catalogue/search.ts";
import { idempotency } from "../../../src/shop/checkout/records.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import type { Store, Tx } from "../../../src/store/store.ts";
import { toSearch } from "./catalogue-queries.ts";
import { createRandom, seedCatalogue, toProduct } from "./catalogue-seed.ts";
import { type LoadOptions, assertAll, runLoad } from "./load.ts";
import { startServer } from "./measure.ts";
import type { ShopPlanData } from "./shop-plan.ts";
import { toSearchQueries } from "./shop-program.ts";
import { toNotice, toPendingOrder } from "./shop-seed.ts";
import type { ShopLoad, ShopSide } from "./shop-sides.ts";

const script = new URL(import.meta.url);
const plan = new URL("shop-plan.ts", script);
/** As long as the sealed text and the sealed HTML part of a mail about an order. */
const MAIL_TEXT = "x".repeat(900);
const MAIL_HTML = "x".repeat(2_600);
const DAY_MS = 86_400_000;
/** Orders of the bare side that wait for payment. */
const WAITING = 80_000;

type Order = ReturnType<typeof toPendingOrder>;
type Product = ReturnType<typeof toProduct>;

/** What a bare server does. */
export type BareWork = "page" | "checkout" | "webhook";

interface BareInfo {
  readonly url: string;
}

function toBareRequests(work: BareWork, url: string, load: ShopLoad): Omit<LoadOptions, keyof ShopLoad> {
  if (work === "page") return { url: `${url}/api/products` };
  // Any order will do: nothing is looked up.
  const order = { id: "ord_00000000000000000000000000", total: 1_000 };
  const planData: ShopPlanData =
    work === "checkout"
      ? { work, products: 10_000 }
      : { work, connections: load.connections, orders: Array.from({ length: WAITING }, () => order) };
  return { url, plan, planData };
}

/** Starts a bare server; "page" answers `body`. */
export async function startBareSide(work: BareWork, body = ""): Promise<ShopSide> {
  const server = await startServer<BareInfo>(script, [work, body]);
  const { url } = server.info;
  return {
    name: work === "page" ? "bare Hono, a prepared page" : "bare node:http and the transaction",
    run: async (_work, load) =>
      assertAll(
        await runLoad({ ...toBareRequests(work, url, load), ...load }),
        work === "checkout" ? 201 : 200,
      ),
    usage: () => server.usage(),
    stop: () => server.stop(),
  };
}

/** Searches a second of the catalogue alone, on one core, in a process of its own. */
export async function measureBareSearch(products: number, seconds: number): Promise<number> {
  const server = await startServer<{ perSecond: number }>(script, [
    "search",
    String(products),
    String(seconds),
  ]);
  await server.stop();
  return server.info.perSecond;
}

async function runSearch(products: number, seconds: number): Promise<{ perSecond: number }> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-shop-"));
  await seedCatalogue(folder, products);
  const store = await openJournalStore({ folder, name: "shop", collections: shopCollections, clock, log });
  const catalogue = createCatalogue({ store, clock, log, isShared: false });
  await catalogue.load();
  const queries = toSearchQueries().map(toSearch);
  let done = 0;
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs) {
    const query = queries[done % queries.length];
    if (query !== undefined) search(catalogue, query);
    done += 1;
  }
  await store.close();
  await rm(folder, { recursive: true, force: true });
  return { perSecond: done / seconds };
}

/** The mail that goes with an order. */
async function insertMail(tx: Tx): Promise<void> {
  const nowMs = clock.now();
  await tx.insert(outboxCollection, {
    id: newId("mail", nowMs),
    kind: "order_placed",
    to: "buyer@example.org",
    subject: "Your order",
    sealedText: MAIL_TEXT,
    sealedHtml: MAIL_HTML,
    state: "waiting",
    attempts: 0,
    createdAt: nowMs,
    nextAttemptAt: nowMs,
    expiresAt: nowMs + DAY_MS,
  });
}

/** The records of an order, without a look at anything. */
async function insertOrder(store: Store, order: Order): Promise<void> {
  await store.transact(async (tx) => {
    for (const { stockId } of order.lines) await tx.adjust(stock, stockId, { field: "reserved", by: 1 });
    await tx.insert(orders, order);
    const id = newId("idk");
    await tx.insert(idempotency, { id, requestHash: id, orderId: order.id, expiresAt: clock.now() + DAY_MS });
    await insertMail(tx);
  });
}

/** The records of a paid order, without a look at anything but the order. */
async function payOrder(store: Store, id: string): Promise<void> {
  await store.transact(async (tx) => {
    const order = await tx.get(orders, id);
    if (order === undefined) throw new Error("There are not enough orders for this load; take fewer seconds");
    for (const { stockId } of order.lines) {
      await tx.adjust(stock, stockId, { field: "reserved", by: -1 });
      await tx.adjust(stock, stockId, { field: "onHand", by: -1 });
      await tx.adjust(stock, stockId, { field: "sold", by: 1 });
    }
    await tx.put(orders, { ...order, status: "paid", amountPaid: order.total, paidAt: clock.now() });
    await tx.insert(notices, toNotice(order));
    await insertMail(tx);
  });
}

/** Inserts a product with its stock, and as many orders as a load can pay. */
async function openShopStore(waiting: number): Promise<{ store: Store; ids: string[]; product: Product }> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-shop-"));
  process.once("disconnect", () => rmSync(folder, { recursive: true, force: true }));
  const store = await openJournalStore({ folder, name: "shop", collections: shopCollections, clock, log });
  const product = toProduct(0, createRandom());
  await store.transact(async (tx) => {
    for (const { id } of product.variants)
      await tx.insert(stock, { id, productId: product.id, onHand: 1_000_000, reserved: 500_000, sold: 0 });
  });
  const ids: string[] = [];
  for (let start = 0; start < waiting; start += 500) {
    await store.transact(async (tx) => {
      for (let n = start; n < start + 500; n += 1)
        ids.push((await tx.insert(orders, toPendingOrder(n, product))).id);
    });
  }
  return { store, ids, product };
}

async function createTransactionListener(work: "checkout" | "webhook"): Promise<RequestListener> {
  const { store, ids, product } = await openShopStore(work === "webhook" ? WAITING : 0);
  let n = 0;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
    JSON.parse(text);
    n += 1;
    const order = work === "checkout" ? toPendingOrder(n, product) : undefined;
    if (order === undefined) await payOrder(store, ids[n - 1] ?? "");
    else await insertOrder(store, order);
    const body = JSON.stringify(order === undefined ? { result: "applied" } : { order });
    response.writeHead(order === undefined ? 200 : 201, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  }
  return (request, response) =>
    void answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
}

async function serve(work: BareWork, body: string): Promise<BareInfo> {
  const page = new Hono().get("/api/products", (c) =>
    c.body(body, 200, { "content-type": "application/json" }),
  );
  const server =
    work === "page"
      ? createAdaptorServer({ fetch: page.fetch })
      : createServer(await createTransactionListener(work));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.once("disconnect", () => process.exit(0));
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return { url: `http://127.0.0.1:${port}` };
}

if (process.argv[1] === fileURLToPath(script) && process.send !== undefined) {
  const [work, first = "", second = ""] = process.argv.slice(2);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() });
  });
  if (work === "search") process.send(await runSearch(Number(first), Number(second)));
  else process.send(await serve(work === "checkout" || work === "webhook" ? work : "page", first));
}
