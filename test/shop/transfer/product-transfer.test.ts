import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { reserve } from "../../../src/shop/stock/stock.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/products";
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop();
});

interface Report {
  dryRun: boolean;
  created: number;
  updated: number;
  errors: { line: number; code: string; message: string }[];
  read?: { encoding: string; separator: string; sample?: string };
}
interface Listed {
  items: { id: string; slug: string; title: string; version: number; updatedAt: string }[];
}

function send(
  to: TestShop,
  query: string,
  body: string | Uint8Array<ArrayBuffer>,
  type = "text/csv",
): Promise<Response> {
  const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": type };
  return to.fetch(`${PATH}/import${query}`, { method: "POST", headers, body });
}

async function exported(from: TestShop, format: string): Promise<string> {
  const response = await from.admin("GET", `${PATH}/export?format=${format}`);
  assert.equal(response.status, 200);
  // text() takes the byte order mark away.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
}

async function all(from: TestShop): Promise<Listed> {
  return read<Listed>(await from.admin("GET", `${PATH}?limit=200`));
}

/** Products with everything that is hard to write into a table. */
async function fill(into: TestShop): Promise<void> {
  const products = [
    {
      title: "=cmd|' /C calc'!A0",
      price: 5,
      onHand: 3,
      tags: ["a|b", String.raw`c\d`, "e, f"],
      sortOrder: -5,
    },
    {
      title: "Shirt",
      summary: "'=quoted already",
      description: 'two\nlines, "quotes"; and a tab\t',
      status: "published",
      compareAtPrice: 9_000,
      minQuantity: 2,
      maxQuantity: 5,
      maxPerCustomer: 4,
      lowStockThreshold: 0,
      variants: [
        { sku: "-L", price: 1_500, compareAtPrice: 1_800, onHand: 4, options: { size: "L|XL", "a=b": "" } },
        { sku: "M", price: 1_200 },
      ],
      inputs: [{ key: "name", label: "Name", kind: "select", options: ["x", "y"] }],
      translations: { de: { title: "Hemd" } },
    },
    { title: "Key", price: 5, deliveryType: "auto_secret", instructions: "+1 234" },
    { title: "Endless", price: 0, stockMode: "unlimited" },
  ];
  for (const product of products) await read(await into.admin("POST", PATH, product), 201);
}

function withoutVersions({ items }: Listed): unknown[] {
  return items.map(({ version: _version, updatedAt: _updatedAt, ...rest }) => rest);
}

describe("an export that is imported", () => {
  for (const [format, type] of [
    ["csv", "text/csv; charset=utf-8"],
    ["ndjson", "application/x-ndjson"],
  ] as const) {
    it(`changes nothing (${format})`, async () => {
      await fill(shop);
      const before = await all(shop);
      const text = await exported(shop, format);
      const { read: _read, ...report } = await read<Report>(await send(shop, "", text, type));
      assert.deepEqual(report, { dryRun: false, created: 0, updated: 4, errors: [] });
      assert.deepEqual(withoutVersions(await all(shop)), withoutVersions(before));
      assert.equal(await exported(shop, format), text);
    });

    it(`creates the same in an empty shop (${format})`, async () => {
      await fill(shop);
      const text = await exported(shop, format);
      const other = await createTestShop();
      assert.equal((await read<Report>(await send(other, "", text, type))).created, 4);
      assert.equal(await exported(other, format), text);
    });
  }

  it("is CSV that a spreadsheet reads and does not run", async () => {
    await fill(shop);
    const text = await exported(shop, "csv");
    assert.equal(text.startsWith("\ufeffid,slug,status,title,"), true);
    assert.equal(text.includes(`'=cmd|' /C calc'!A0`), true);
    assert.equal(text.includes(`''=quoted already`), true);
    assert.equal(text.includes("'+1 234"), true);
    assert.equal(text.includes(`,-5,`), true);
    assert.doesNotMatch(text, /(?:^|,)"?[=+@]/mu);
    assert.equal(text.endsWith("\r\n"), true);
  });
});

describe("POST /api/admin/products/import", () => {
  it("reads rows of variants with and without a byte order mark, and finds products by slug", async () => {
    const csv =
      "slug,title,variantSku,variantOptions,variantPrice,onHand\nmug,Mug,L,size=L,1290,3\nmug,,M,size=M,1190,\n";
    const bytes = new TextEncoder().encode(`\ufeff${csv}`);
    assert.equal((await read<Report>(await send(shop, "", bytes))).created, 1);
    const again = await read<Report>(await send(shop, "", csv.replace("Mug", "Cup")));
    assert.deepEqual([again.created, again.updated], [0, 1]);
    const { items } = await all(shop);
    assert.deepEqual(
      items.map(({ slug, title }) => [slug, title]),
      [["mug", "Cup"]],
    );
    assert.equal(await shop.store.read((tx) => tx.count(stock)), 2);
  });

  it("stores nothing when a line is wrong, and names each wrong line", async () => {
    const csv = `title,price,status,description\nGood,5,draft,"two\nlines"\nBad,-1,draft,\nWorse,5,sold,\n,5,,\n`;
    const refused = await read<{ code: string; lines: Report["errors"] }>(await send(shop, "", csv), 422);
    assert.equal(refused.code, "invalid");
    assert.deepEqual(
      refused.lines.map(({ line, message }) => [line, message.split(":")[0]]),
      [
        [4, "price"],
        [5, "status"],
        [6, "title"],
      ],
    );
    assert.equal((await all(shop)).items.length, 0);
  });

  it("stores the good ones with ?partial=true", async () => {
    await read(await shop.admin("POST", PATH, { title: "Taken", price: 1 }), 201);
    const csv = "title,slug,price,currency\nA,,5,\nB,,5,USD\nC,,5,\nD,,x,\nE,taken,7,\n";
    const report = await read<Report>(await send(shop, "?partial=true", csv));
    assert.deepEqual([report.created, report.updated], [2, 1]);
    assert.deepEqual(
      report.errors.map(({ line, message }) => [line, message.split(":")[0]]),
      [
        [3, "currency"],
        [5, "price"],
      ],
    );
    assert.equal((await all(shop)).items.length, 3);
  });

  it("only tells with ?dryRun=true, also what the store has against it", async () => {
    const made = await read<{ id: string }>(
      await shop.admin("POST", PATH, { title: "Mug", price: 1, onHand: 5 }),
      201,
    );
    const { id } = made;
    await shop.store.transact((tx) =>
      reserve(tx, [{ productId: id, stockId: id, stockMode: "tracked", quantity: 4 }]),
    );
    const csv = "slug,title,price,onHand\nmug,,2,3\nnew,New,1,1\n";
    const report = await read<Report>(await send(shop, "?dryRun=true", csv));
    assert.deepEqual([report.dryRun, report.created, report.updated], [true, 1, 0]);
    assert.deepEqual(
      report.errors.map(({ line, code: found }) => [line, found]),
      [[2, "conflict"]],
    );
    assert.equal((await all(shop)).items.length, 1);
    const { items } = await shop.store.read((tx) => tx.list(auditCollection, "id", { limit: 10 }));
    assert.deepEqual(
      items.map(({ action }) => action),
      ["product.create"],
    );
  });

  it("says what is wrong with lines of JSON, and refuses the same product twice", async () => {
    const lines = [
      '{"title":"A","price":1,"slug":"a"}',
      "{",
      "[]",
      '{"title":"B","price":1,"slug":"a"}',
      '{"id":"x","title":"C"}',
    ];
    const report = await read<Report>(
      await send(shop, "?dryRun=true", lines.join("\n"), "application/x-ndjson"),
    );
    assert.deepEqual(
      report.errors.map(({ line, code: found }) => [line, found]),
      [
        [2, "bad_request"],
        [3, "invalid"],
        [4, "invalid"],
        [5, "invalid"],
      ],
    );
  });

  it("refuses columns that are none, rows that do not fit, and what is no CSV", async () => {
    const lineOf = async (csv: string): Promise<number[]> =>
      (await read<Report>(await send(shop, "?dryRun=true", csv))).errors.map(({ line }) => line);
    assert.deepEqual(await lineOf("title,cost\nA,1\n"), [1]);
    assert.deepEqual(await lineOf("title,price\nA,1,2\n"), [2]);
    assert.deepEqual(await lineOf("slug,title,variantPrice\na,A,1\na,Other,2\n"), [3]);
    assert.deepEqual(await code(await send(shop, "", 'title\n"A')), [400, "bad_request"]);
    assert.deepEqual(await code(await send(shop, "", new Uint8Array([0x74, 0x81]))), [400, "bad_request"]);
    assert.equal((await send(shop, "", "{}", "application/json")).status, 415);
    assert.equal((await send(shop, "?dryRun=yes", "title\n")).status, 422);
  });

  it("gives the same when its transaction runs twice", async () => {
    const twice = await createTestShop({
      store: createMemoryStore({ collections: shopCollections, forceReruns: true }),
    });
    const report = await read<Report>(await send(twice, "", "title,price,onHand\nA,1,2\nB,2,3\n"));
    assert.deepEqual([report.created, report.errors], [2, []]);
    assert.equal((await all(twice)).items.length, 2);
  });

  it("creates 200 products with their stock and categories in one call", async () => {
    const rows = Array.from(
      { length: 200 },
      (_, n) => `p-${n},Product ${n},${100 + n},${n % 2 === 0 ? "big-things" : "small"},${n},published`,
    );
    const csv = ["slug,title,price,categoryId,onHand,status", ...rows].join("\n");
    const refused = await send(shop, "", csv);
    assert.equal((await read<{ lines: object[] }>(refused, 422)).lines.length, 200);
    assert.deepEqual(await read<Report>(await send(shop, "?createCategories=true", csv)), {
      dryRun: false,
      created: 200,
      updated: 0,
      errors: [],
      read: { encoding: "utf-8", separator: "," },
    });
    const { items } = await read<{ items: { title: string; products: number }[] }>(
      await shop.send("GET", "/api/site/categories"),
    );
    assert.deepEqual(
      items.map(({ title, products }) => [title, products]),
      [
        ["Big things", 100],
        ["Small", 100],
      ],
    );
    assert.equal(await shop.store.read((tx) => tx.count(stock)), 200);
  });

  it("keeps what columns that are left out say of a variant, and takes away what is empty", async () => {
    const variants = [{ sku: "L", price: 10, compareAtPrice: 20, onHand: 1 }];
    const body = { title: "Cap", slug: "cap", variants };
    await read(await shop.admin("POST", PATH, body), 201);
    const compareAt = async (csv: string): Promise<unknown> => {
      await read(await send(shop, "", csv));
      const { items } = await read<{ items: { variants: { compareAtPrice?: number }[] }[] }>(
        await shop.admin("GET", `${PATH}?q=cap`),
      );
      return items[0]?.variants[0]?.compareAtPrice;
    };
    assert.equal(await compareAt("slug,variantSku,variantPrice\ncap,L,11\n"), 20);
    assert.equal(
      await compareAt("slug,variantSku,variantPrice,variantCompareAtPrice\ncap,L,11,\n"),
      undefined,
    );
  });

  it("is for the administrator alone", async () => {
    const body = "title\n";
    const response = await shop.fetch(`${PATH}/import`, {
      method: "POST",
      headers: { "content-type": "text/csv" },
      body,
    });
    assert.deepEqual(await code(response), [401, "unauthenticated"]);
    assert.deepEqual(await code(await shop.send("GET", `${PATH}/export`)), [401, "unauthenticated"]);
  });

  it("shows products in the order of the file", async () => {
    const titles = Array.from({ length: 30 }, (_, n) => `Mug ${(n * 7) % 30}`);
    const lines = titles.map((title, n) => `m-${n},${title},100,published,unlimited`);
    const csv = ["slug,title,price,status,stockMode", ...lines].join("\n");
    assert.equal((await read<Report>(await send(shop, "", csv))).created, 30);
    const page = await read<Listed>(await shop.send("GET", "/api/products?sort=newest&limit=100"));
    assert.deepEqual(
      page.items.map(({ title }) => title),
      titles,
    );
  });

  it("says what a price with decimals is to be", async () => {
    const csv = "slug,title,price\nmug,Mug,19.99\n";
    const { errors } = await read<Report>(await send(shop, "?dryRun=true", csv));
    assert.match(
      errors[0]?.message ?? "",
      /^price: must be a whole number .*1999 for 19\.99\. .*priceDecimal$/u,
    );
  });
});
