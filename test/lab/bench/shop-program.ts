/**
 * The shop as a side of the benchmarks: the program as `npm start -- shop` runs it, on a folder with many products
 * and orders.
 */
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createQueries, pickQuery } from "./catalogue-queries.ts";
import { createRandom, pickWord } from "./catalogue-seed.ts";
import { type LoadOptions, assertAll, runLoad } from "./load.ts";
import { startOwnProgram } from "./own-program.ts";
import { readUsage } from "./peer-process.ts";
import type { ShopPlanData } from "./shop-plan.ts";
import { type PendingOrder, type ShopSize, seedShop, SHOP_SECRET } from "./shop-seed.ts";
import type { ShopLoad, ShopSide, ShopWork } from "./shop-sides.ts";

const plan = new URL("shop-plan.ts", import.meta.url);
/** As many different addresses as a load takes in turn. */
const QUERIES = 20_000;

interface Template {
  readonly folder: string;
  readonly pending: readonly PendingOrder[];
}

const templates = new Map<string, Promise<Template>>();

async function makeTemplate(size: ShopSize): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-shop-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { folder, pending: await seedShop(folder, size) };
}

/** A folder with a shop of this size; made once. */
function getTemplate(size: ShopSize): Promise<Template> {
  const key = JSON.stringify([size.products, size.orders, size.pending]);
  const template = templates.get(key) ?? makeTemplate(size);
  templates.set(key, template);
  return template;
}

/** Queries for two words, as people search. */
export function toSearchQueries(): string[] {
  const random = createRandom(99);
  return Array.from({ length: QUERIES }, () => `q=${pickWord(random)}+${pickWord(random)}`);
}

/** What visitors of the storefront open: home, one of 50 categories, and searches for one and two words. */
function toStorefrontPaths(): string[] {
  const random = createRandom(98);
  const kinds = [
    () => "",
    () => `c/category-${Math.floor(random() * 50)}`,
    () => `search?q=${pickWord(random)}`,
    () => `search?q=${pickWord(random)}+${pickWord(random)}`,
  ];
  return Array.from({ length: QUERIES }, (_, n) => kinds[n % kinds.length]?.() ?? "");
}

/** The program, with what a case may want to know beside the load. */
export interface ShopProgram extends ShopSide {
  readonly url: string;
  /** Milliseconds from the start of the process until it listened. */
  readonly startMs: number;
}

function toRequests(
  work: ShopWork,
  parts: { url: string; size: ShopSize; pending: readonly PendingOrder[]; load: ShopLoad },
): Omit<LoadOptions, keyof ShopLoad> {
  const { url, size, pending, load } = parts;
  const withPlan = (planData: ShopPlanData): Omit<LoadOptions, keyof ShopLoad> => ({ url, plan, planData });
  switch (work) {
    case "page":
      return { url: `${url}/api/products` };
    case "pages": {
      const random = createRandom(99);
      const queries = createQueries(random, size.products);
      const values = Array.from({ length: QUERIES }, () => pickQuery(queries, random));
      return { url: `${url}/api/products?{value}`, values };
    }
    case "search":
      return { url: `${url}/api/products?{value}`, values: toSearchQueries() };
    case "storefront":
      return { url: `${url}/{value}`, values: toStorefrontPaths(), headers: { accept: "text/html" } };
    case "checkout":
      return withPlan({ work, products: size.products });
    case "webhook":
      return withPlan({ work, connections: load.connections, orders: [...pending] });
  }
}

/**
 * Starts the program on a copy of a folder of this size. Payment notices are for the orders that wait for
 * payment, each once: after a round of them a new program is needed.
 */
export async function startShopProgram(size: ShopSize): Promise<ShopProgram> {
  const template = await getTemplate(size);
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-shop-"));
  await cp(template.folder, folder, { recursive: true });
  const { url, pid, startMs, stop } = await startOwnProgram("shop", {
    DATA_DIR: folder,
    SHOP_SECRET,
    ADMIN_TOKEN: "a-token-of-the-benchmarks",
    // Each buyer of the load comes from an address of its own.
    TRUSTED_PROXIES: "127.0.0.1",
  });
  return {
    name: `Trivet, ${size.products.toLocaleString("en")} products`,
    url,
    startMs,
    run: async (work, load) => {
      const requests = toRequests(work, { url, size, pending: template.pending, load });
      return assertAll(await runLoad({ ...requests, ...load }), work === "checkout" ? 201 : 200);
    },
    usage: () => readUsage(pid),
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
