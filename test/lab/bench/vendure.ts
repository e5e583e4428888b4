/** Vendure as a side of the shop's benchmarks: its shop API over SQLite. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createRandom, pickWord, toProduct } from "./catalogue-seed.ts";
import { type LoadOptions, assertAll, runLoad } from "./load.ts";
import { toNodeFlags } from "./measure.ts";
import { installPeers, readPort, readUsage } from "./peer-process.ts";
import type { ShopLoad, ShopSide, ShopWork } from "./shop-sides.ts";

const peers = fileURLToPath(new URL("peers/", import.meta.url));
/** Thrown away with the installation, so that another version makes its own. */
const cache = join(peers, "node_modules", ".cache");
const plan = new URL("vendure-plan.ts", import.meta.url);
/** Item in the order, then everything else in one document. */
const REQUESTS_AN_ORDER = 2;
const SEARCHES = 20_000;

/** What a list of products needs: as much as ours shows. */
const LIST = `{ products(options: { take: 20, sort: { createdAt: DESC } }) { totalItems items {
  id slug name description createdAt updatedAt variants { id sku name currencyCode price priceWithTax stockLevel } } } }`;

const SEARCH = `query ($term: String!) { search(input: { term: $term, take: 20, groupByProduct: true }) { totalItems
  items { productId productName slug description sku currencyCode inStock priceWithTax { ... on PriceRange { min max } } } } }`;

/** The products of the other sides, as Vendure imports them. */
function toCsv(count: number): string {
  const random = createRandom();
  const lines = [
    "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets",
  ];
  for (let n = 0; n < count; n += 1) {
    const { title, slug, summary, variants } = toProduct(n, random);
    for (const [index, { sku, price, options }] of variants.entries()) {
      const head = index === 0 ? `${title},${slug},${summary},,,size` : ",,,,,";
      lines.push(
        `${head},${options["size"] ?? ""},${sku},${(price / 100).toFixed(2)},standard,1000000,true,,`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

/** A database with so many products; made at the first call, which takes a minute for 1,000. */
async function getDatabase(products: number): Promise<string> {
  const kept = join(cache, `vendure-${products}.db`);
  if (existsSync(kept)) return kept;
  console.error(`Seeding Vendure with ${products} products, once`);
  const folder = await mkdtemp(join(tmpdir(), "trivet-peer-"));
  await writeFile(join(folder, "products.csv"), toCsv(products));
  const child = spawn(process.execPath, [join(peers, "vendure.mjs"), `--folder=${folder}`, "--seed"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`Vendure could not be seeded: ${String(child.exitCode)}`);
  await mkdir(cache, { recursive: true });
  await copyFile(join(folder, "vendure.db"), `${kept}.part`);
  await rename(`${kept}.part`, kept);
  await rm(folder, { recursive: true, force: true });
  return kept;
}

function toRequests(work: ShopWork, url: string, products: number): Omit<LoadOptions, keyof ShopLoad> {
  const api = `${url}/shop-api`;
  const post = { url: api, method: "POST", headers: { "content-type": "application/json" } };
  if (work === "checkout") return { url, plan, planData: { variants: products * 3 } };
  if (work === "page") return { ...post, body: JSON.stringify({ query: LIST }) };
  const random = createRandom(99);
  const values = Array.from({ length: SEARCHES }, () => `${pickWord(random)} ${pickWord(random)}`);
  return { ...post, body: JSON.stringify({ query: SEARCH, variables: { term: "{value}" } }), values };
}

/** Starts Vendure on a copy of its database; installs and seeds it when that was not done yet. */
export async function startVendureSide(products: number): Promise<ShopSide> {
  await installPeers();
  const database = await getDatabase(products);
  const folder = await mkdtemp(join(tmpdir(), "trivet-peer-"));
  await copyFile(database, join(folder, "vendure.db"));
  const child = spawn(
    process.execPath,
    [...toNodeFlags(), join(peers, "vendure.mjs"), `--folder=${folder}`],
    {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  const exited = once(child, "exit");
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = `http://127.0.0.1:${await readPort(child)}`;
    return {
      name: `Vendure, ${products.toLocaleString("en")} products`,
      run: async (work, load) => {
        const result = assertAll(await runLoad({ ...toRequests(work, url, products), ...load }), 200);
        if (work !== "checkout") return result;
        // Both requests of an order take about as long.
        const each = 1 / REQUESTS_AN_ORDER;
        const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
        return {
          ...result,
          perSecond: result.perSecond * each,
          p50Ms: result.p50Ms / each,
          p99Ms: result.p99Ms / each,
          statuses: { "200": answers * each },
        };
      },
      usage: () => readUsage(pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
