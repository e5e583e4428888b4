/** What users of other shops report about importers (docs/notes/import-field-cases.md). */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportFaultView } from "../../../src/shop/imports/answer-schema.ts";
import { read } from "../app-fixture.ts";
import { PATH, createPictureServer, createRoom, type ImportRoom } from "./import-room.ts";

interface Listed {
  items: { id: string; slug: string; title: string; price: number }[];
}

async function list({ shop }: ImportRoom): Promise<Listed["items"]> {
  return (await read<Listed>(await shop.admin("GET", "/api/admin/products?limit=200&sort=title"))).items;
}

describe("reports about importers", () => {
  it("titles of any script and with apostrophes come whole, with slugs of their own", async () => {
    const room = await createRoom();
    const titles = ["Son Lì Gucci - Màu Đỏ Gạch", "Your Cat's Hydration", "Φλιτζάνι", "茶杯"];
    const done = await room.take(`Title;Price\n${titles.map((title) => `${title};950000`).join("\n")}\n`);
    assert.deepEqual([done.counts.created, done.counts.failed], [4, 0]);
    const items = await list(room);
    assert.deepEqual(items.map(({ title }) => title).toSorted(), titles.toSorted());
    assert.ok(items.every(({ price }) => price === 95_000_000));
    assert.ok(items.some(({ slug }) => slug === "son-li-gucci-mau-do-gach"));
    assert.ok(items.every(({ slug }) => /^[a-z0-9-]+$/u.test(slug) && !slug.startsWith("prd-")));
  });

  it("prices are what is written, with points or commas, and are never multiplied", async () => {
    const room = await createRoom();
    const done = await room.take('Title;Price\nA;33,61\nB;1.234,56 €\nC;"1 234,50"\nD;12,-\nE;٣٣٫٥٠\n');
    assert.equal(done.counts.failed, 0);
    const prices = (await list(room))
      .toSorted((a, b) => (a.title < b.title ? -1 : 1))
      .map(({ price }) => price);
    assert.deepEqual(prices, [3_361, 123_456, 123_450, 1_200, 3_350]);
  });

  it("addresses of pictures with spaces and letters beyond ASCII are requested as they are", async () => {
    const server = createPictureServer();
    const room = await createRoom({ pictureOutbound: server.outbound });
    const done = await room.take(
      'Title,Price,Images\nMug,5,"https://cdn.example.com/große tasse.png, https://cdn.example.com/a,b.png"\n',
    );
    assert.equal(done.counts.picturesDone, 2);
    assert.deepEqual(server.sent, [
      "https://cdn.example.com/große tasse.png",
      "https://cdn.example.com/a,b.png",
    ]);
  });

  it("what lacks is named by row and column", async () => {
    const room = await createRoom();
    const { id, trial } = await room.check("name,slug,price\nMug,mug,\n,cup,5\n");
    assert.deepEqual([trial.created, trial.failed], [0, 2]);
    const { items } = await read<{ items: ImportFaultView[] }>(
      await room.shop.admin("GET", `${PATH}/${id}/faults`),
    );
    assert.deepEqual(
      items.map(({ line, column, message }) => [line, column, message]),
      [
        [2, "price", "is required without variants"],
        [3, "name", "is required"],
      ],
    );
  });
});
