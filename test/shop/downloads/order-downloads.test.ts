import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { code, read } from "../app-fixture.ts";
import { download, seeFiles, seeLink } from "../files/files-fixture.ts";
import { DAY_MS, countOf, sell } from "./downloads-fixture.ts";

describe("the administration of downloads", () => {
  it("shows them, and lets a buyer download again, longer, or no more", async () => {
    const sold = await sell({ maxDownloads: 1, expiryDays: 1 });
    const { app } = sold;
    await download(app, await seeLink(app, sold));
    const path = `/api/admin/orders/${sold.order.id}/downloads`;
    interface Line {
      lineId: string;
      version: number;
      state: string;
      files: { downloads: number; downloadsLeft?: number; lastAt?: string }[];
    }
    const { items } = await read<{ items: Line[] }>(await app.admin("GET", path));
    const [line] = items;
    assert.deepEqual([line?.files[0]?.downloads, line?.files[0]?.downloadsLeft], [1, 0]);
    const item = `${path}/${line?.lineId}`;
    const stale = await app.admin("PATCH", item, { resetCount: true, version: 1 });
    assert.deepEqual(await code(stale), [409, "version_conflict"]);
    const late = await app.admin("PATCH", item, { resetCount: true }, { "if-match": '"1"' });
    assert.deepEqual(await code(late), [412, "version_conflict"]);
    const reset = await read<Line>(
      await app.admin("PATCH", item, { resetCount: true, version: line?.version }),
    );
    assert.deepEqual([reset.files[0]?.downloads, reset.files[0]?.downloadsLeft], [0, 1]);
    await download(app, await seeLink(app, sold));
    app.clock.advance(2 * DAY_MS);
    assert.equal((await seeFiles(app, sold))[0]?.state, "expired");
    const expiresAt = new Date(app.clock.now() + DAY_MS).toISOString();
    await read(await app.admin("PATCH", item, { expiresAt, maxDownloads: 9 }));
    assert.equal((await seeFiles(app, sold))[0]?.downloadsLeft, 8);
    await read(await app.admin("PATCH", item, { ended: true }));
    assert.equal((await seeFiles(app, sold))[0]?.state, "ended");
    const open = await read<Line>(
      await app.admin("PATCH", item, { ended: false, expiresAt: null, maxDownloads: null }),
    );
    assert.deepEqual([open.state, open.files[0]?.downloadsLeft], ["usable", undefined]);
    assert.equal((await app.admin("PATCH", `${path}/lin_none`, { ended: true })).status, 404);
    assert.equal((await app.admin("GET", "/api/admin/orders/ord_none/downloads")).status, 404);
    assert.equal((await app.send("GET", path)).status, 401);
    assert.equal((await app.admin("PATCH", item, { unknown: 1 })).status, 422);
  });

  it("downloads any version without counting", async () => {
    const sold = await sell();
    const path = `/api/admin/products/${sold.productId}/files/${sold.fileId}/versions`;
    const response = await sold.app.admin("GET", `${path}/1/content`);
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), sold.bytes);
    assert.equal((await sold.app.admin("GET", `${path}/2/content`)).status, 404);
    assert.equal((await sold.app.send("GET", `${path}/1/content`)).status, 401);
    assert.equal(await countOf(sold.app), 0);
  });
});
