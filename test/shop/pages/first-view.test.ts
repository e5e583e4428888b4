/** How much a browser fetches before it shows a page of the storefront, pictures aside. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { loadPageAssets } from "../../../src/kit/http/web-assets.ts";
import { createTestShop, type TestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

const PAGE_BYTES = 60_000;
const SCRIPT_BYTES = 15_000;

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
  it("takes 60 kB at most with its styles, and 15 kB of scripts", async () => {
    const app = await createTestShop({ assets: await loadPageAssets() });
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
    }
  });
});
