/** How much a browser fetches before it shows a page of the storefront, pictures aside. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { loadPageAssets } from "../../../src/kit/http/web-assets.ts";
import { looks } from "../../../src/shop/site/storefront-schema.ts";
import { createTestShop, type TestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

const PAGE_BYTES = 60_000;
const SCRIPT_BYTES = 15_000;
const FONT_BYTES = 60_000;

const sections = [
  { id: "hero", type: "hero", title: "Made by hand", text: "Every day", button: "Shop", link: "/products" },
  { id: "why", type: "columns", items: [{ icon: "truck", title: "Free shipping" }] },
  { id: "new", type: "products", show: "newest", limit: 12 },
  { id: "story", type: "story", title: "A workshop", text: "word ".repeat(400) },
  { id: "all", type: "products" },
];

const asPerson = { headers: { accept: "text/html", "accept-language": "en" } };

async function read(app: TestShop, path: string): Promise<string> {
  const answer = await app.raw(path, asPerson);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

/** Bytes on the wire of some files of a page. */
async function weigh(app: TestShop, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) bytes += gzipSync(await read(app, path)).length;
  return bytes;
}

function listOf(page: string, pattern: RegExp): string[] {
  return Array.from(page.matchAll(pattern), ([, path = ""]) => path);
}

describe("the first view of a page", () => {
  for (const look of looks)
    it(`takes 60 kB at most with its styles, 15 kB of scripts, and 60 kB of fonts: ${look}`, async () => {
      const app = await createTestShop({ assets: await loadPageAssets() });
      await app.admin("PATCH", "/api/admin/site", { storefront: { look, sections } });
      const products: { slug: string }[] = [];
      for (let n = 0; n < 24; n += 1) products.push(await addProduct(app));
      for (const path of ["/", "/search?q=a", `/p/${products[0]?.slug ?? ""}`, "/cart"]) {
        const page = await read(app, path);
        const styles = listOf(page, /<link rel="stylesheet" href="([^"]+)"/gu);
        assert.ok(styles.length > 0, `${path} names no style`);
        const bytes = gzipSync(page).length + (await weigh(app, styles));
        assert.ok(bytes <= PAGE_BYTES, `${path}: ${bytes} bytes`);
        const scripts = await weigh(app, listOf(page, /<script[^>]* src="([^"]+)"/gu));
        assert.ok(scripts <= SCRIPT_BYTES, `${path}: ${scripts} bytes of scripts`);
        const fonts = listOf(page, /<link rel="preload" as="font"[^>]* href="([^"]+)"/gu);
        assert.ok(fonts.length > 0, `${path} names no font`);
        let fontBytes = 0;
        for (const font of fonts) {
          const answer = await app.raw(font);
          assert.equal(answer.headers.get("content-type"), "font/woff2");
          fontBytes += (await answer.arrayBuffer()).byteLength;
        }
        assert.ok(fontBytes <= FONT_BYTES, `${path}: ${fontBytes} bytes of fonts`);
      }
    });
});
