/** Coupons of other shops: what they become here, and what cannot be carried over. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportItemView } from "../../../src/shop/imports/answer-schema.ts";
import type { CouponView } from "../../../src/shop/coupons/schema.ts";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { read } from "../app-fixture.ts";
import { PATH, type ImportRoom, createRoom, listFaults, readSample } from "./import-room.ts";

const kind = "coupons";

async function find({ shop }: ImportRoom, name: string): Promise<CouponView> {
  return read<CouponView>(await shop.admin("GET", `/api/admin/coupons/${name}`));
}

async function setZone({ shop }: ImportRoom, timeZone: string): Promise<void> {
  await read(await shop.admin("PATCH", "/api/admin/site", { timeZone }));
}

async function tell(room: ImportRoom, id: string, phase: "trial" | "run" = "trial"): Promise<unknown[]> {
  const faults = await listFaults(room, id, phase);
  return faults
    .toSorted((a, b) => a.line - b.line)
    .map(({ title, level, text }) => [title, level, text?.key.replace("import.coupon.", "")]);
}

describe("an import of coupons", () => {
  it("of Shopify keeps limits, dates with their zone, and one use per customer", async () => {
    const room = await createRoom();
    const done = await room.take(await readSample("shopify-discounts.csv"), { kind });
    assert.deepEqual(
      [done.source, done.counts.created, done.counts.failed, done.counts.noted],
      ["shopify", 5, 0, 3],
    );
    const welcome = await find(room, "welcome10");
    assert.deepEqual(
      [
        welcome.kind,
        welcome.value,
        welcome.maxUsesPerUser,
        welcome.maxUses,
        welcome.enabled,
        welcome.startsAt,
      ],
      ["percent", 1_000, 1, undefined, true, "2026-01-01T05:00:00.000+00:00"],
    );
    const summer = await find(room, "SUMMER5");
    assert.deepEqual(
      [summer.kind, summer.value, summer.minimum, summer.maxUses, summer.endsAt, summer.used],
      ["fixed", 500, 5_000, 60, "2026-08-31T21:59:59.000+00:00", 0],
    );
    const free = await find(room, "FREESHIP");
    assert.deepEqual([free.kind, free.value, free.enabled], ["shipping", 0, true]);
    assert.deepEqual(
      [(await find(room, "SHIRTS20")).enabled, (await find(room, "VIPS")).enabled],
      [false, false],
    );
    assert.deepEqual(await tell(room, done.id, "run"), [
      ["SUMMER5", "note", "rest"],
      ["SHIRTS20", "note", "off.scope"],
      ["VIPS", "note", "off.customers"],
    ]);
  });

  it("of WooCommerce finds products by their ID there, and disables what would give more", async () => {
    const room = await createRoom();
    await setZone(room, "Europe/Berlin");
    await room.take("ID,Type,SKU,Name,Regular price\n44,simple,T1,Tasse,12\n45,simple,K1,Kanne,30\n");
    const done = await room.take(await readSample("woocommerce-coupons.csv"), { kind });
    assert.deepEqual([done.source, done.counts.created, done.counts.failed], ["woocommerce", 6, 1]);
    const herbst = await find(room, "HERBST");
    assert.deepEqual(
      [
        herbst.kind,
        herbst.value,
        herbst.minimum,
        herbst.maxUses,
        herbst.maxUsesPerUser,
        herbst.note,
        herbst.enabled,
      ],
      ["percent", 1_250, 2_000, 70, 1, "Autumn sale", true],
    );
    // WooCommerce's coupons expire as their day begins, in the shop's time zone.
    assert.equal(herbst.endsAt, "2026-10-31T23:00:00.000+00:00");
    const tassen = await find(room, "tassen");
    assert.deepEqual(
      [tassen.kind, tassen.value, tassen.productIds.length, tassen.enabled],
      ["fixed", 500, 1, true],
    );
    for (const name of ["unknown", "frei", "gone", "limit"])
      assert.equal((await find(room, name)).enabled, false, name);
    assert.deepEqual(await tell(room, done.id, "run"), [
      ["herbst", "note", "rest"],
      ["unknown", "note", "off.products"],
      ["frei", "note", "off.shipping"],
      ["gone", "note", "off.used"],
      ["each", "error", "kind"],
      ["limit", "note", "off.excluded"],
      ["limit", "note", "off.customers"],
      ["limit", "note", "off.sale"],
      ["limit", "note", "off.items"],
      ["limit", "note", "off.maximum"],
    ]);
  });

  it("of other files reads percent and amounts, and asks where either is possible", async () => {
    const room = await createRoom();
    await setZone(room, "Europe/Berlin");
    const csv =
      "Gutscheincode;Rabatt;Gültig bis;Mindestbestellwert\n" +
      "A;12,5 %;31.12.2026;10,00 €\n" +
      "B;5,00 €;2026-12-31 18:00;\n" +
      "C;5;;\n" +
      "D;10 %;01/02/2027;\n" +
      "E;10 %;soon;\n" +
      "F;120 %;;\n" +
      "a;10 %;;\n";
    const trial = await room.check(csv, { kind });
    assert.deepEqual([trial.trial.created, trial.trial.failed], [2, 5]);
    assert.deepEqual(
      trial.preview.map(({ detail }) => detail),
      ["12,5 % → 12.5 %", "5,00 € → 5.00 EUR"],
    );
    assert.deepEqual(await tell(room, trial.id), [
      ["C", "error", "value"],
      ["D", "error", "dateTwo"],
      ["E", "error", "date"],
      ["F", "error", "percent"],
      ["a", "error", "twin"],
    ]);
    await read(await room.shop.admin("POST", `${PATH}/${trial.id}/check`, { dateOrder: "dmy" }), 202);
    await room.run();
    await room.move(trial.id, "start");
    await room.run();
    // A day that is named as the last one counts to its end.
    assert.equal((await find(room, "A")).endsAt, "2026-12-31T23:00:00.000+00:00");
    assert.equal((await find(room, "B")).endsAt, "2026-12-31T17:00:00.000+00:00");
    assert.equal((await find(room, "D")).endsAt, "2027-02-01T23:00:00.000+00:00");
  });

  it("is undone: removed, restored, disabled where orders use it, kept where someone changed it", async () => {
    const room = await createRoom();
    await read(
      await room.shop.admin("POST", "/api/admin/coupons", { code: "OLD", kind: "percent", value: 500 }),
      201,
    );
    const done = await room.take("Code,Discount\nOLD,20%\nNEW,10%\nUSED,10%\nEDITED,10%\n", { kind });
    assert.deepEqual([done.counts.created, done.counts.changed], [3, 1]);
    assert.equal((await find(room, "OLD")).value, 2_000);
    const used = await find(room, "USED");
    await room.shop.store.transact((tx) => tx.adjust(coupons, used.id, { field: "used", by: 2 }));
    const edited = await find(room, "EDITED");
    await read(await room.shop.admin("PATCH", `/api/admin/coupons/${edited.id}`, { value: 3_000 }));
    await room.move(done.id, "undo");
    await room.run();
    const undone = await room.get(done.id);
    assert.deepEqual([undone.state, undone.undone, undone.kept], ["undone", 2, 2]);
    assert.deepEqual([(await find(room, "OLD")).value, (await find(room, "EDITED")).value], [500, 3_000]);
    assert.deepEqual([(await find(room, "USED")).enabled, (await find(room, "USED")).used], [false, 2]);
    assert.equal((await room.shop.admin("GET", "/api/admin/coupons/NEW")).status, 404);
    const { items } = await read<{ items: ImportItemView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/items`),
    );
    assert.deepEqual(
      items.map(({ title, undo }) => [title, undo]),
      [
        ["OLD", "restored"],
        ["NEW", "removed"],
        ["USED", "archived"],
        ["EDITED", "kept"],
      ],
    );
  });
});
