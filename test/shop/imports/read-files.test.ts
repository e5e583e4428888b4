/** Files of other shops as products: WooCommerce, Gumroad, headers in other languages, and files that are none. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { zipSync } from "fflate";
import type { ImportFaultView, ImportPictureView } from "../../../src/shop/imports/answer-schema.ts";
import { unpackPictures } from "../../../src/shop/imports/archive.ts";
import { toMarkdown } from "../../../src/shop/imports/html-markdown.ts";
import { png } from "../../auth/pictures.ts";
import { read } from "../app-fixture.ts";
import { PATH, createRoom, readSample, type ImportRoom } from "./import-room.ts";

interface Product {
  slug: string;
  title: string;
  status: string;
  price: number;
  compareAtPrice?: number;
  description: string;
  categoryId?: string;
  deliveryType: string;
  weightGrams?: number;
  tags: string[];
  images: unknown[];
  variants: { sku: string; options: Record<string, string>; price: number; imageHash?: string }[];
}

async function product({ shop }: ImportRoom, slug: string): Promise<Product> {
  const { items } = await read<{ items: { id: string; slug: string }[] }>(
    await shop.admin("GET", "/api/admin/products?limit=200"),
  );
  return read(
    await shop.admin("GET", `/api/admin/products/${items.find((item) => item.slug === slug)?.id ?? slug}`),
  );
}

async function faults({ shop }: ImportRoom, id: string): Promise<ImportFaultView[]> {
  const { items } = await read<{ items: ImportFaultView[] }>(
    await shop.admin("GET", `${PATH}/${id}/faults?limit=200`),
  );
  return items;
}

describe("WooCommerce's products", () => {
  it("come with variations that name their parent by SKU or ID, wherever they are in the file", async () => {
    const room = await createRoom();
    const done = await room.take(await readSample("woocommerce-products.csv"));
    assert.deepEqual([done.source, done.counts.created, done.counts.failed], ["woocommerce", 4, 2]);
    const tee = await product(room, "v-neck-tee");
    assert.deepEqual(
      tee.variants.map(({ sku, options, price }) => [sku, options["Color"], price]),
      [
        ["tee-red", "Red", 2_000],
        ["tee-blue", "Blue", 1_500],
      ],
    );
    assert.equal(tee.images.length, 2);
    assert.ok(tee.variants.every(({ imageHash }) => imageHash !== undefined));
    assert.equal(tee.description, "Made of *organic* cotton.\n\nWash cold.");
    assert.deepEqual([tee.categoryId, tee.tags], ["tees", ["cotton", "Sale"]]);
    const beanie = await product(room, "beanie");
    assert.deepEqual([beanie.price, beanie.compareAtPrice], [1_800, 2_000]);
    const hoodie = await product(room, "hoodie-with-logo");
    assert.deepEqual([hoodie.weightGrams, hoodie.categoryId], [500, "hoodies"]);
    const album = await product(room, "album");
    assert.deepEqual([album.deliveryType, album.status], ["files", "draft"]);
    const old = await room.shop.raw("/product/hoodie-with-logo/?utm=1", { headers: { accept: "text/html" } });
    assert.deepEqual([old.status, old.headers.get("location")], [301, "/p/hoodie-with-logo?utm=1"]);
    const found = await faults(room, done.id);
    assert.match(
      found.map(({ message }) => message).join(" "),
      /grouped.*"nobody", which is not in the file/su,
    );
    const again = await room.take(await readSample("woocommerce-products.csv"));
    assert.deepEqual([again.counts.created, again.counts.changed], [0, 4]);
  });
});

describe("columns of one's own", () => {
  it("are recognized by German headers, and others are chosen by hand", async () => {
    const room = await createRoom();
    const csv =
      "Artikelnr;Bezeichnung;VK (EUR);Bestand;Gewicht (kg);Warengruppe;Farbe\r\nA1;Becher;1.234,50 €;4;0,35;Küche > Tassen;rot\r\n";
    const { id, trial, columns } = await room.check(csv);
    assert.deepEqual([trial.created, trial.failed], [1, 0]);
    assert.deepEqual(
      columns.map(({ field }) => field),
      ["sku", "title", "price", "stock", "weight", "category", undefined],
    );
    await read(
      await room.shop.admin("POST", `${PATH}/${id}/check`, { mapping: { Farbe: "tags", Artikelnr: "" } }),
      202,
    );
    await room.run();
    await room.move(id, "start");
    await room.run();
    const cup = await product(room, "becher");
    assert.deepEqual(
      [cup.price, cup.weightGrams, cup.tags, cup.categoryId],
      [123_450, 350, ["rot"], "tassen"],
    );
    // The next file with these columns is read as this one was.
    const next = await room.check(csv);
    assert.deepEqual(next.options.mapping, { Farbe: "tags", Artikelnr: "" });
    assert.equal(next.columns.at(-1)?.field, "tags");
  });

  it("without a title ask for it, and read nothing", async () => {
    const room = await createRoom();
    const { id, state } = await room.check("A,B\nx,1\n");
    assert.equal(state, "checked");
    assert.equal((await faults(room, id))[0]?.code, "no_title");
  });
});

describe("sales of Gumroad", () => {
  it("become one product each, in dollars only", async () => {
    const csv =
      "Purchase ID,Item Name,Buyer Name,Purchase Email,Item Price ($),Product ID,License Key\n" +
      "p1,Icon set,Ann,ann@example.org,12.0,icons,K1\np2,Icon set,Bo,bo@example.org,12.0,icons,K2\nTotals,,,,24.0,,\n";
    const room = await createRoom();
    const euro = await room.check(csv);
    assert.deepEqual([euro.source, euro.trial.created], ["gumroad", 0]);
    assert.match((await faults(room, euro.id))[0]?.message ?? "", /another currency than the shop's, EUR/u);
    const dollars = await createRoom();
    await dollars.shop.setSite({ currency: "USD" });
    const done = await dollars.take(csv);
    assert.deepEqual([done.counts.created, done.counts.failed], [1, 0]);
    const icons = await product(dollars, "icons");
    assert.deepEqual(
      [icons.title, icons.price, icons.deliveryType, icons.status],
      ["Icon set", 1_200, "files", "draft"],
    );
  });
});

describe("files that are no products", () => {
  for (const [name, bytes, words] of [
    ["a workbook", new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0]), /workbook or an archive.*CSV UTF-8/u],
    ["a quote that never ends", `Title,Price\n"Mug,5\n${"x".repeat(50)}`, /quote|quotation/u],
    [
      "endless quotes of megabytes",
      `Title,Price\nMug,5\n"Cup,5\n${"x,y\n".repeat(600_000)}`,
      /more than 1048576 characters/u,
    ],
    [
      "too many columns",
      `${Array.from({ length: 2_001 }, (_, at) => `c${at}`).join(",")}\n`,
      /2001 columns/u,
    ],
  ] as const)
    it(`say what is wrong: ${name}`, async () => {
      const room = await createRoom();
      const { state, failure } = await room.check(bytes);
      assert.equal(state, "failed");
      assert.match(failure ?? "", words);
    });

  it("with 1,000 columns are read", async () => {
    const room = await createRoom();
    const more = Array.from({ length: 998 }, (_, at) => `Meta: ${at}`).join(",");
    const { trial } = await room.check(`Title,Price,${more}\nMug,5\n`);
    assert.deepEqual([trial.created, trial.failed], [1, 0]);
  });
});

describe("an archive of pictures", () => {
  const csv = "Title,Price,Image\nMug,5,mug.png\nCup,6,CUP.PNG\nJar,7,jar.png\n";

  it("gives each product its picture, and names those that are missing", async () => {
    const archive = zipSync({
      "photos/mug.png": png(9, 9),
      "__MACOSX/._mug.png": png(1, 1),
      "cup.png": png(7, 7),
      "readme.txt": new Uint8Array(5),
    });
    const room = await createRoom();
    const done = await room.take(csv, {}, archive);
    assert.deepEqual([done.state, done.counts.picturesDone, done.counts.picturesFailed], ["done", 2, 1]);
    const { items } = await read<{ items: ImportPictureView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/pictures`),
    );
    assert.match(items[0]?.reason ?? "", /no picture "jar\.png"/u);
  });

  it("is refused when it is a bomb, and its large files are passed over", async () => {
    const big = zipSync({ "a.png": [new Uint8Array(30_000_000), { level: 9 }], "b.png": png(4, 4) });
    assert.ok(big.length < 100_000);
    async function* once(): AsyncGenerator<Uint8Array> {
      yield big;
    }
    const names: string[] = [];
    for await (const { name } of unpackPictures(once())) names.push(name);
    assert.deepEqual(names, ["b.png"]);
    // Far more than that ends at once, not when all of it is unpacked.
    await assert.rejects(async () => {
      for await (const each of unpackPictures(once(), { suspectBytes: 10_000_000 })) assert.ok(each);
    }, /more than 100 times its size/u);
    const many = Object.fromEntries(
      Array.from({ length: 50_001 }, (_, at) => [`${at}.txt`, new Uint8Array()]),
    );
    const crowd = zipSync(many, { level: 0 });
    await assert.rejects(async () => {
      async function* source(): AsyncGenerator<Uint8Array> {
        yield crowd;
      }
      for await (const each of unpackPictures(source())) assert.ok(each);
    }, /more than 50000 files/u);
  });
});

describe("toMarkdown", () => {
  it("keeps the structure, drops scripts and styles, and escapes what Markdown would read", () => {
    const html =
      '<h1>Care</h1><p>Wash <b>cold</b><script>alert("<p>")</script>, see <a href="https://x.example/a?b=1&amp;c=2">here</a>.</p><ol><li>one<li>two</ol><p>2 * 3_4 &lt;b&gt;</p>';
    assert.equal(
      toMarkdown(html),
      "### Care\n\nWash **cold**, see [here](https://x.example/a?b=1&c=2).\n\n1. one\n2. two\n\n2 \\* 3\\_4 \\<b>",
    );
    assert.equal(toMarkdown('<a href="javascript:alert(1)">x</a>'), "x");
  });
});
