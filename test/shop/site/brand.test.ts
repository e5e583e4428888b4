/** The owner's brand: how it is set, and the files that the pages take it from. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settings } from "../../../src/shop/site/records.ts";
import { createBrandReader } from "../../../src/shop/site/brand-routes.ts";
import { createTestShop, read } from "../app-fixture.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
const logo = `data:image/svg+xml;base64,${btoa(SVG)}`;
const accent = { light: "#5522aa", dark: "#ccaaff" };
const plain = { logo: "", color: "", accent: { light: "", dark: "" }, customCss: "" };

describe("the brand of the shop", () => {
  it("is the product's by default", async () => {
    const app = await createTestShop();
    const { branding } = await read<{ branding: object }>(await app.admin("GET", "/api/admin/site"));
    assert.deepEqual(branding, plain);
    assert.equal((await app.raw("/brand/x/logo")).status, 404);
    assert.equal(await (await app.raw("/brand/x/custom.css")).text(), "");
  });

  it("changes member by member, and comes in files whose addresses change with it", async () => {
    const app = await createTestShop();
    const readBrand = createBrandReader(app.store);
    await read(await app.admin("PATCH", "/api/admin/site", { branding: { accent, logo } }));
    const customCss = ".page { max-width: 60rem }";
    const changed = await app.admin("PATCH", "/api/admin/site", { branding: { customCss } });
    assert.deepEqual((await read<{ branding: object }>(changed)).branding, {
      color: "",
      accent,
      logo,
      customCss,
    });
    const brand = await readBrand();
    const sheet = await app.raw(brand.styles?.path ?? "");
    assert.match(sheet.headers.get("cache-control") ?? "", /immutable/u);
    assert.match(await sheet.text(), /^\[data-theme="light"\]\{--accent:#5522aa[^]*max-width: 60rem \}$/u);
    assert.doesNotMatch(await (await app.raw(brand.accent?.path ?? "")).text(), /60rem/u);
    const picture = await app.raw(brand.logo?.path ?? "");
    assert.equal(picture.headers.get("content-type"), "image/svg+xml; charset=utf-8");
    assert.match(picture.headers.get("content-security-policy") ?? "", /sandbox/u);
    assert.equal(await picture.text(), SVG);
    await app.admin("PATCH", "/api/admin/site", { branding: { customCss: "" } });
    const old = await app.raw(brand.styles?.path ?? "");
    assert.equal(old.headers.get("cache-control"), "no-cache");
    assert.doesNotMatch(await old.text(), /60rem/u);
  });

  it("keeps a logo that an earlier version took until it is changed", async () => {
    const app = await createTestShop();
    await read(await app.admin("PATCH", "/api/admin/site", { branding: { logo } }));
    const former = `data:image/svg+xml;base64,${btoa(SVG.replace("<path", "<animate/><path"))}`;
    await app.store.transact(async (tx) => {
      const record = await tx.get(settings, "site");
      assert.ok(record !== undefined);
      await tx.put(settings, {
        ...record,
        fields: { ...record.fields, branding: { ...plain, logo: former } },
      });
    });
    await read(await app.admin("PATCH", "/api/admin/site", { branding: { accent } }));
    await read(await app.admin("PATCH", "/api/admin/site", { branding: { logo } }));
    const { errors } = await read<{ errors: { pointer: string; message: string }[] }>(
      await app.admin("PATCH", "/api/admin/site", { branding: { logo: former } }),
      422,
    );
    assert.equal(errors[0]?.pointer, "/branding/logo");
    assert.match(errors[0].message, /has the element "animate": export it as a plain SVG/u);
  });

  it("refuses at its field what cannot be read or could run", async () => {
    const app = await createTestShop();
    const active = `data:image/svg+xml;base64,${btoa("<svg onload=alert(1)>")}`;
    for (const [branding, pointer] of [
      [{ accent: { light: "#ffff00" } }, "/branding/accent/light"],
      [{ accent: { dark: "#000080" } }, "/branding/accent/dark"],
      [{ logo: active }, "/branding/logo"],
      [{ customCss: "a".repeat(30_001) }, "/branding/customCss"],
      [{ color: "red" }, "/branding/color"],
      [{ colour: "#ff0000" }, "/branding"],
    ] as const) {
      const refused = await app.admin("PATCH", "/api/admin/site", { branding });
      const { errors } = await read<{ errors: { pointer: string }[] }>(refused, 422);
      assert.deepEqual(
        errors.map((error) => error.pointer),
        [pointer],
      );
    }
  });

  it("is as it was last while the store is away", async () => {
    const app = await createTestShop();
    await app.admin("PATCH", "/api/admin/site", { branding: { accent } });
    let isAway = false;
    const readBrand = createBrandReader({
      read: (work) => (isAway ? Promise.reject(new Error("away")) : app.store.read(work)),
    });
    isAway = true;
    await assert.rejects(readBrand(), /away/u);
    isAway = false;
    const before = await readBrand();
    isAway = true;
    assert.equal(await readBrand(), before);
  });
});
