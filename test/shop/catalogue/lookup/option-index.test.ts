import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Bits } from "../../../../src/shop/catalogue/lookup/bits.ts";
import { OptionIndex } from "../../../../src/shop/catalogue/lookup/option-index.ts";
import type { ProductRecord } from "../../../../src/shop/products/schema.ts";
import { toProduct } from "../products.ts";

type Options = Readonly<Record<string, string>>;

function toShirt(variants: readonly Options[]): ProductRecord {
  const made = variants.map((options, at) => ({ id: `var_${at}`, sku: "", options, price: 1 }));
  return { ...toProduct("prd_a", { variants: made }), version: 1 };
}

function toBits(places: readonly number[]): Bits {
  const bits = new Bits();
  for (const place of places) bits.add(place);
  return bits;
}

/** "Color: Navy 2, Sand 1" for each option. */
function toText(groups: ReturnType<OptionIndex["scan"]>["groups"]): string[] {
  return groups.map(
    ({ name, values }) => `${name}: ${values.map(({ label, count }) => `${label} ${count}`).join(", ")}`,
  );
}

const values = { Color: ["Navy", "Sand"], Size: ["S", "M", "L"], Cut: ["Slim"] };
const variant = fc
  .record(
    {
      Color: fc.constantFrom(...values.Color),
      Size: fc.constantFrom(...values.Size),
      Cut: fc.constantFrom(...values.Cut),
    },
    { requiredKeys: [] },
  )
  .map((options): Options => options);
const key = fc.constantFrom(
  ...Object.entries(values).flatMap(([name, all]) => all.map((value) => `${name}:${value}`.toLowerCase())),
);

/** The plain way: each variant is looked at with each value in the place of what is chosen of its option. */
function fits(variants: readonly Options[], chosen: readonly string[]): boolean {
  const names = new Set(chosen.map((each) => each.split(":")[0]));
  return variants.some((options) => {
    const own = Object.entries(options).map(([name, value]) => `${name}:${value}`.toLowerCase());
    return [...names].every((name) =>
      own.some((each) => each.startsWith(`${name}:`) && chosen.includes(each)),
    );
  });
}

describe("options as filters", () => {
  it("find products with one variant that has all that is chosen, and count what else could be", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(variant, { maxLength: 4 }), { maxLength: 8 }),
        fc.uniqueArray(key, { maxLength: 4 }),
        (all, asked) => {
          const index = new OptionIndex();
          const products = all.map(toShirt);
          const places = toBits(all.map((_, place) => place));
          const known = asked.filter((each) => all.some((variants) => fits(variants, [each])));
          const { matching, groups } = index.scan(places, {
            chosen: asked,
            productAt: (place) => products[place],
          });
          const expected = all.flatMap((variants, place) =>
            known.length === 0 || fits(variants, known) ? [place] : [],
          );
          assert.deepEqual(matching.toArray(), expected);
          for (const { values: offered } of groups)
            for (const { key: each, count, isChosen } of offered) {
              assert.equal(isChosen, asked.includes(each));
              const [name = ""] = each.split(":");
              const others = [...known.filter((one) => !one.startsWith(`${name}:`)), each];
              assert.equal(count, all.filter((variants) => fits(variants, others)).length, each);
            }
        },
      ),
    );
  });

  it("count only variants that can be had, and read a changed product again", () => {
    const index = new OptionIndex();
    let shirt = toShirt([{ Color: "Navy" }, { Color: "Sand" }]);
    const scan = (has?: (place: number, at: number) => boolean) => {
      const counted = has && { areAll: () => false, has };
      return toText(index.scan(toBits([0]), { chosen: [], productAt: () => shirt, counted }).groups);
    };
    assert.deepEqual(scan(), ["Color: Navy 1, Sand 1"]);
    // With one value there is nothing to choose.
    assert.deepEqual(
      scan((_, at) => at === 1),
      [],
    );
    shirt = toShirt([{ Color: "Navy" }, { Color: "Red" }]);
    index.forget(0);
    assert.deepEqual(scan(), ["Color: Navy 1, Red 1"]);
  });

  it("are one however they are capitalized, and in an order that people expect", () => {
    const index = new OptionIndex();
    const products = [
      toShirt(["XL", "S", "M"].map((size) => ({ size, Length: size === "S" ? "9 cm" : "41 cm" }))),
      toShirt([{ SIZE: "s", Color: "Sand" }, { Color: "Navy" }]),
      toShirt([{ Color: "Navy" }]),
    ];
    const { groups } = index.scan(toBits([0, 1, 2]), { chosen: [], productAt: (place) => products[place] });
    assert.deepEqual(toText(groups), [
      "size: S 2, M 1, XL 1",
      "Color: Navy 2, Sand 1",
      "Length: 9 cm 1, 41 cm 1",
    ]);
  });
});
