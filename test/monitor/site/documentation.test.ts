/** /docs of a running install: off unless the settings say so, behind the private site's gate, and nothing but its files. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { createDocumentation } from "../../../src/kit/http/web-assets.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-docs-"));
  await mkdir(join(folder, "site", "reference"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "not for visitors");
  await writeFile(join(folder, "site", "index.html"), "<!doctype html><title>Home</title>");
  await writeFile(join(folder, "site", "reference", "errors.html"), "<!doctype html><title>Errors</title>");
  await writeFile(join(folder, "site", "search.js"), "// search".padEnd(2_000, "."));
});
after(() => rm(folder, { recursive: true, force: true }));

function start(name = "site"): Promise<TestApp> {
  const documentation = createDocumentation(pathToFileURL(`${join(folder, name)}/`));
  return createTestApp({ documentation });
}

async function set(app: TestApp, settings: object): Promise<void> {
  assert.equal((await app.admin("PATCH", "/api/admin/settings", settings)).status, 200);
}

describe("the documentation of an install", () => {
  it("is off until the settings switch it on", async () => {
    const app = await start();
    assert.equal((await app.fetch("/docs/index.html")).status, 404);
    await set(app, { documentation: true });
    const home = await app.fetch("/docs/index.html");
    assert.equal(home.status, 200);
    assert.match(await home.text(), /<title>Home/u);
    await set(app, { documentation: false });
    assert.equal((await app.fetch("/docs/index.html")).status, 404);
  });

  it("answers with its files alone, under the policy of pages, and not again when they are known", async () => {
    const app = await start();
    await set(app, { documentation: true });
    const moved = await app.fetch("/docs");
    assert.deepEqual([moved.status, moved.headers.get("location")], [302, "/docs/index.html"]);
    const page = await app.fetch("/docs/reference/errors.html");
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'self';/u);
    const etag = page.headers.get("etag") ?? "";
    const again = await app.fetch("/docs/reference/errors.html", { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    const script = await app.fetch("/docs/search.js", { headers: { "accept-encoding": "gzip" } });
    assert.equal(script.headers.get("content-encoding"), "gzip");
    for (const path of [
      "../secret.txt",
      "%2e%2e/secret.txt",
      "..%2fsecret.txt",
      "reference",
      "none.html",
      "%00",
    ])
      assert.equal((await app.fetch(`/docs/${path}`)).status, 404, path);
  });

  it("is hidden from visitors of a private site", async () => {
    const app = await start();
    await set(app, { documentation: true, access: { isPrivate: true } });
    for (const path of ["/docs", "/docs/index.html", "/docs/search.js"])
      assert.equal((await app.fetch(path)).status, 401, path);
  });

  it("says how it is built where it is not", async () => {
    const app = await start("nothing");
    await set(app, { documentation: true });
    const answer = await app.fetch("/docs/index.html");
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /npm run docs/u);
  });
});
