/** Forms of what is sold: rows of variants, the tree of categories, keys. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listBelow, moveAmongSiblings } from "../../../src/web/shop/categories/category-tree.ts";
import {
  type OptionForm,
  type VariantForm,
  countCombinations,
  findOptions,
  followOptions,
} from "../../../src/web/shop/products/variant-rows.ts";
import type { CategoryView } from "../../../src/shop/categories/answer-schema.ts";
import { toTree } from "../../../src/web/shop/ui/category-list.ts";
import { readMoney, typeMoney } from "../../../src/web/shop/ui/money.ts";
import { listCountries } from "../../../src/web/shop/ui/choices.ts";
import { listCountries as listAtCheckout } from "../../../src/shop/pages/pieces/countries.ts";
import { toTranslations } from "../../../src/web/ui/forms/translations.ts";

const blank: VariantForm = {
  options: {},
  sku: "",
  price: "5",
  compareAtPrice: "",
  weightGrams: "",
  imageHash: "",
  tierPrices: [],
  onHand: "",
};
const size = (...values: string[]): OptionForm => ({ name: "Size", values });
const colour = (...values: string[]): OptionForm => ({ name: "Colour", values });

/** Changes options one after the other, as typed. */
function follow(steps: readonly (readonly OptionForm[])[], rows: readonly VariantForm[] = []) {
  let before: readonly OptionForm[] = findOptions(rows);
  let present = rows;
  for (const after of steps) {
    present = followOptions(present, { before, after, blank });
    before = after;
  }
  return present;
}

const names = (rows: readonly VariantForm[]): string[] =>
  rows.map(({ options }) => Object.values(options).join(" "));

describe("followOptions", () => {
  it("creates each combination, the last option changing fastest", () => {
    const rows = follow([
      [size("S")],
      [size("S", "M")],
      [size("S", "M"), colour()],
      [size("S", "M"), colour("red", "blue")],
    ]);
    assert.deepEqual(names(rows), ["S red", "S blue", "M red", "M blue"]);
    assert.equal(countCombinations([size("S", "M"), colour("red", "blue")]), 4);
    assert.equal(countCombinations([colour()]), 0);
  });

  it("keeps what was filled in when a value comes, when an option comes, and when one is called otherwise", () => {
    const stored = [
      { ...blank, id: "var_s", options: { Size: "S" }, sku: "S-1", price: "7" },
      { ...blank, id: "var_m", options: { Size: "M" }, sku: "M-1" },
    ];
    const more = follow([[size("S", "M", "L")]], stored);
    assert.deepEqual(
      more.map(({ id, sku, price }) => [id, sku, price]),
      [
        ["var_s", "S-1", "7"],
        ["var_m", "M-1", "5"],
        [undefined, "", "5"],
      ],
    );
    const coloured = follow(
      [
        [size("S", "M"), { name: "", values: [] }],
        [size("S", "M"), colour()],
        [size("S", "M"), colour("red")],
      ],
      stored,
    );
    assert.deepEqual(
      coloured.map(({ id, options }) => [id, options["Colour"]]),
      [
        ["var_s", "red"],
        ["var_m", "red"],
      ],
    );
    const renamed = follow([[{ name: "Fit", values: ["S", "M"] }]], stored);
    assert.deepEqual(
      renamed.map(({ id, options }) => [id, options]),
      [
        ["var_s", { Fit: "S" }],
        ["var_m", { Fit: "M" }],
      ],
    );
  });

  it("drops rows whose value goes, and does not put back those that were taken out", () => {
    const all = follow([[size("S", "M"), colour("red", "blue")]]);
    const some = all.filter(({ options }) => !(options["Size"] === "S" && options["Colour"] === "blue"));
    const before = [size("S", "M"), colour("red", "blue")];
    const after = [size("S", "M", "L"), colour("red", "blue")];
    const more = followOptions(some, { before, after, blank });
    assert.deepEqual(names(more), ["S red", "M red", "M blue", "L red", "L blue"]);
    assert.deepEqual(
      names(followOptions(more, { before: after, after: [size("L"), colour("red", "blue")], blank })),
      ["L red", "L blue"],
    );
    assert.deepEqual(followOptions(more, { before: after, after: [], blank }), []);
  });
});

function category(id: string, parentId?: string): CategoryView {
  const at = "2026-01-01T00:00:00.000+00:00";
  const words = { id, title: id, description: "", status: "published", translations: {}, parentId } as const;
  return { ...words, sortOrder: 0, version: 1, createdAt: at, updatedAt: at };
}

describe("the tree of categories", () => {
  const all = [
    category("a"),
    category("a1", "a"),
    category("b"),
    category("a2", "a"),
    category("lost", "gone"),
  ];

  it("puts each below its parent, and orphans at the top", () => {
    assert.deepEqual(
      toTree(all).map(({ path, depth }) => [path, depth]),
      [
        ["a", 0],
        ["a / a1", 1],
        ["a / a2", 1],
        ["b", 0],
        ["lost", 0],
      ],
    );
    const circle = [category("x", "y"), category("y", "x")];
    assert.equal(toTree(circle).length, 2);
  });

  it("moves one among its siblings alone, and knows what is below it", () => {
    const [, a1, b] = all;
    assert.ok(a1 && b);
    assert.deepEqual(moveAmongSiblings(all, { of: a1, step: 1 }), ["a2", "a1"]);
    assert.deepEqual(moveAmongSiblings(all, { of: b, step: -1 }), ["b", "a", "lost"]);
    assert.deepEqual([...listBelow(all, "a")], ["a", "a1", "a2"]);
  });
});

describe("typed values", () => {
  it("are amounts by the digits of ISO 4217, whatever Intl shows", () => {
    assert.deepEqual(
      [readMoney("12,5", "EUR"), readMoney("500", "JPY"), readMoney("1.5", "JPY")],
      [1_250, 500, undefined],
    );
    assert.deepEqual(
      [typeMoney(1_250, "RSD"), typeMoney(1_250, "KWD"), typeMoney(undefined, "EUR")],
      ["12.50", "1.250", ""],
    );
  });

  it("are translations without what is empty", () => {
    assert.deepEqual(toTranslations({ de: { title: "Tasse", summary: " " }, fr: { title: "" } }), {
      de: { title: "Tasse" },
    });
  });
});

describe("countries to send to", () => {
  it("are those that buyers choose from", () => {
    const codes = (all: readonly { readonly value: string }[]): string[] =>
      all.map(({ value }) => value).sort();
    assert.deepEqual(codes(listCountries()), codes(listAtCheckout("en")));
    assert.ok(codes(listCountries()).includes("XK"));
  });
});
