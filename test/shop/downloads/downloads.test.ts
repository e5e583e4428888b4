import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orders } from "../../../src/shop/orders/records.ts";
import { code, read } from "../app-fixture.ts";
import { sendNotice, toNotice } from "../goods.ts";
import { addVersion, download, makeBytes, seeFiles, seeLink } from "../files/files-fixture.ts";
import { DAY_MS, HOUR_MS, countOf, sell } from "./downloads-fixture.ts";

describe("GET /api/downloads/{token}", () => {
  it("counts once for a link, and notes the first in the order's history", async () => {
    const sold = await sell({ maxDownloads: 2 });
    const { app } = sold;
    const url = await seeLink(app, sold);
    await Promise.all(Array.from({ length: 8 }, () => download(app, url, { range: "bytes=0-9" })));
    assert.equal(await countOf(app), 1);
    // The same file within a day is the same download.
    const again = await seeLink(app, sold);
    await download(app, again);
    assert.equal(await countOf(app), 1);
    const { items } = await app.store.read((tx) => tx.list(orders, "id", { limit: 1 }));
    const events = items[0]?.history.filter(({ event }) => event === "first_download");
    assert.equal(events?.length, 1);
    assert.equal(events?.[0]?.by, "buyer");
  });

  it("lets exactly three of 50 first downloads through at once, where three may", async () => {
    const sold = await sell({ maxDownloads: 3 }, { size: 1_000 });
    const { app } = sold;
    const urls = await Promise.all(Array.from({ length: 50 }, () => seeLink(app, sold)));
    assert.equal(new Set(urls).size, 50);
    const answers = await Promise.all(urls.map((url) => app.fetch(url)));
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.length, 3);
    for (const answer of answers.filter(({ status }) => status !== 200))
      assert.deepEqual(await code(answer), [403, "download_ended"]);
    for (const answer of good) assert.equal((await answer.arrayBuffer()).byteLength, 1_000);
    assert.equal(await countOf(app), 3);
    assert.equal(app.shop.downloads.openStreams(), 0);
    // Those three may go on for a day, and then it is over.
    assert.equal((await seeFiles(app, sold))[0]?.state, "usable");
    app.clock.advance(DAY_MS + 1);
    assert.equal((await seeFiles(app, sold))[0]?.state, "used_up");
  });

  it("refuses signatures that are wrong, cut, foreign or of something else", async () => {
    const sold = await sell();
    const { app } = sold;
    const url = await seeLink(app, sold);
    const [, token = ""] = /downloads\/(.+)$/u.exec(url) ?? [];
    const at = token.lastIndexOf(".");
    const [text, mac] = [token.slice(0, at), token.slice(at + 1)];
    const flipped = `${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`;
    const parts = text.split(".");
    const later = [...parts.slice(0, -1), String(Number(parts.at(-1)) + 1)].join(".");
    const wrong = [
      `${text}.${flipped}`,
      `${later}.${mac}`,
      text,
      mac,
      `.${mac}`,
      "..",
      "%2e%2e%2fetc",
      `${text}.${mac}x`,
      `${token}.${mac}`,
      "x".repeat(600),
      "\u00e9",
    ];
    for (const other of wrong) {
      const response = await app.fetch(`/api/downloads/${encodeURIComponent(decodeURIComponent(other))}`);
      assert.deepEqual(await code(response), [404, "not_found"], other);
    }
    assert.equal((await app.fetch(`/api/downloads/${"x".repeat(601)}`)).status, 422);
    const foreign = await sell();
    const theirs = await seeLink(foreign.app, foreign);
    // Another shop's order, though both have the secret of the tests.
    assert.deepEqual(await code(await app.fetch(theirs)), [404, "not_found"]);
    assert.equal(await countOf(app), 0);
  });

  it("goes on after its hour in the network alone where it began", async () => {
    const sold = await sell();
    const { app } = sold;
    const url = await seeLink(app, sold);
    const ask = (from: string): Promise<Response> =>
      app.fetch(url, { headers: { range: "bytes=0-9" }, from });
    assert.equal((await ask("192.0.2.7")).status, 206);
    assert.equal((await ask("203.0.113.9")).status, 206, "within the hour it is the link that counts");
    app.clock.advance(HOUR_MS + 1);
    assert.equal((await ask("192.0.2.8")).status, 206);
    assert.equal((await code(await ask("203.0.113.9")))[1], "link_expired");
    assert.equal(await countOf(app), 1);
  });

  it("takes eight streams of an order at once, whatever lines they are of", async () => {
    const sold = await sell();
    const { app } = sold;
    const url = await seeLink(app, sold);
    const open: Response[] = [];
    for (let turn = 0; turn < 8; turn += 1) open.push(await app.raw(url));
    assert.deepEqual(new Set(open.map(({ status }) => status)), new Set([200]));
    const refused = await app.raw(url);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "5"]);
    await open[0]?.body?.cancel();
    const next = await app.raw(url);
    assert.equal(next.status, 200);
    for (const response of [...open.slice(1), next]) await response.body?.cancel();
    assert.equal(app.shop.downloads.openStreams(), 0);
  });

  it("ends with its hour, but for a download that began within it", async () => {
    const sold = await sell();
    const { app } = sold;
    const [unused, used] = [await seeLink(app, sold), await seeLink(app, sold)];
    await download(app, used, { range: "bytes=0-9" });
    app.clock.advance(HOUR_MS);
    assert.deepEqual(await code(await app.fetch(unused)), [410, "link_expired"]);
    assert.equal((await download(app, used, { range: "bytes=10-19" })).length, 10);
    app.clock.advance(DAY_MS);
    assert.deepEqual(await code(await app.fetch(used)), [410, "link_expired"]);
    assert.equal(await countOf(app), 1);
  });

  it("ends with the time of the purchase", async () => {
    const sold = await sell({ expiryDays: 1 });
    const { app } = sold;
    app.clock.advance(DAY_MS - 1_000);
    const url = await seeLink(app, sold);
    app.clock.advance(1_000);
    assert.deepEqual(await code(await app.fetch(url)), [403, "download_ended"]);
    const [file] = await seeFiles(app, sold);
    assert.deepEqual([file?.state, file?.url], ["expired", undefined]);
  });

  it("ends when all money went back, unless the terms say otherwise", async () => {
    for (const endOnRefund of [true, false]) {
      const sold = await sell({ endOnRefund });
      const { app } = sold;
      const { id, total } = sold.order;
      const url = await seeLink(app, sold);
      await download(app, url);
      const path = `/api/admin/orders/${id}/refund`;
      await read(await app.admin("POST", path, { amount: total - 1, note: "a part" }));
      assert.equal((await app.fetch(url)).status, 200);
      await read(await app.admin("POST", path, { amount: 1, note: "the rest" }));
      const response = await app.fetch(url);
      if (endOnRefund) assert.deepEqual(await code(response), [403, "download_ended"]);
      else assert.equal(response.status, 200);
      assert.equal((await seeFiles(app, sold))[0]?.state, endOnRefund ? "ended" : "usable");
    }
  });

  it("ends when a provider takes the money back", async () => {
    const sold = await sell();
    const { app } = sold;
    const url = await seeLink(app, sold);
    const data = { id: "cb-1", status: "chargeback" };
    const notice = await sendNotice(app, { ...toNotice(sold.order, data), type: "payment.chargeback" });
    assert.equal(notice.status, 200, await notice.text());
    assert.deepEqual(await code(await app.fetch(url)), [403, "download_ended"]);
  });

  it("sends the newest version, also to those who bought an older one", async () => {
    const sold = await sell({ maxDownloads: 1 });
    const { app, productId, fileId } = sold;
    const old = await seeLink(app, sold);
    const bytes = makeBytes(500, 9);
    await addVersion(app, { productId, fileId }, { bytes, label: "2.0", fileName: "guide-2.pdf" });
    const [file] = await seeFiles(app, sold);
    assert.deepEqual([file?.number, file?.label, file?.fileName], [2, "2.0", "guide-2.pdf"]);
    assert.deepEqual(await download(app, file?.url ?? ""), bytes);
    // A link is for the version that it was made for, and the only download is used.
    assert.deepEqual(await code(await app.fetch(old)), [403, "download_ended"]);
  });
});
