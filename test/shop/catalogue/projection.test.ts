import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toItem, type CatalogueItem } from "../../../src/shop/catalogue/item.ts";
import { type CatalogueSort, catalogueSorts } from "../../../src/shop/catalogue/sort-orders.ts";
import { type CatalogueFilter, Projection } from "../../../src/shop/catalogue/projection.ts";
import { Bits } from "../../../src/shop/catalogue/lookup/bits.ts";
import { toIndexWords, toQueryWords } from "../../../src/shop/catalogue/lookup/words.ts";
import { toProduct } from "./products.ts";

/** What a product is made of in these tests. */
interface Facts {
  readonly id: number;
  readonly title: readonly string[];
  readonly translated: string;
  readonly category: number;
  readonly tag: string;
  readonly price: number;
  readonly onHand: number;
  readonly sold: number;
  readonly views: number;
  readonly publishedAt: number;
  readonly sortOrder: number;
}

const titleWords = ["red", "Mug", "reed", "café", "cafeteria", "茶碗", "無線マウス", "m", "mugs"];
const facts: fc.Arbitrary<Facts> = fc.record({
  id: fc.nat(60),
  title: fc.array(fc.constantFrom(...titleWords), { minLength: 1, maxLength: 3 }),
  translated: fc.constantFrom("Becher", "rot", "茶"),
  category: fc.nat(2),
  tag: fc.constantFrom("New", "sale", "Ünique"),
  price: fc.nat(5),
  onHand: fc.nat(2),
  sold: fc.nat(2),
  views: fc.nat(2),
  publishedAt: fc.nat(3),
  sortOrder: fc.integer({ min: -1, max: 1 }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: facts.map((put) => ({ put })) },
  { weight: 1, arbitrary: fc.nat(60).map((remove) => ({ remove })) },
);
const query = fc.record({
  q: fc.constantFrom("", "m", "re", "mug", "red mug", "CAFE", "rot", "茶", "線マ", "ma", "sku 1", "sku1"),
  category: fc.option(fc.nat(2), { nil: undefined }),
  tag: fc.option(fc.constantFrom("new", "SALE", "unique"), { nil: undefined }),
  minPrice: fc.option(fc.nat(5), { nil: undefined }),
  maxPrice: fc.option(fc.nat(5), { nil: undefined }),
  isInStock: fc.boolean(),
  sort: fc.constantFrom(...catalogueSorts),
  limit: fc.integer({ min: 1, max: 7 }),
});
type Query = (typeof query extends fc.Arbitrary<infer T> ? Omit<T, "q"> : never) & { readonly q: string };

function make(given: Facts, place: number): CatalogueItem {
  const { id, title, translated, category, tag, price, onHand, sold, publishedAt, sortOrder } = given;
  const product = {
    ...toProduct(`p${id}`, {
      title: title.join(" "),
      translations: { de: { title: translated } },
      categoryId: `c${category}`,
      tags: [tag],
      price,
      sku: `SKU-${id}`,
      publishedAt,
      sortOrder,
    }),
    version: 1,
  };
  const stock = { id: `p${id}`, version: 1, productId: `p${id}`, onHand, reserved: 0, sold };
  return toItem({
    place,
    product,
    stockOf: () => stock,
    productOf: () => undefined,
    pricesOf: () => undefined,
    views: given.views,
  });
}

const valuesOf: Record<CatalogueSort, (of: Facts) => number | string> = {
  featured: (of) => of.sortOrder,
  newest: (of) => -of.publishedAt,
  price: (of) => of.price,
  "-price": (of) => -of.price,
  sold: (of) => -of.sold,
  views: (of) => -of.views,
  title: (of) => of.title.join(" ").toLowerCase().replace("é", "e").replace("é", "e").replace("é", "e"),
};

/** The plain way: look at everything, sort everything. */
function filterAndSort(all: readonly Facts[], asked: Query): string[] {
  const value = valuesOf[asked.sort];
  const fits = (of: Facts): boolean => {
    const { title, rest } = toIndexWords({
      titles: [of.title.join(" "), of.translated],
      codes: [`SKU-${of.id}`],
      texts: [of.tag],
    });
    const words = [...title, ...rest];
    return (
      toQueryWords(asked.q).every(({ text: begin }) => words.some((word) => word.startsWith(begin))) &&
      (asked.category === undefined || of.category === asked.category) &&
      (asked.tag === undefined || of.tag.toLowerCase().replace("ü", "u") === asked.tag.toLowerCase()) &&
      of.price >= (asked.minPrice ?? 0) &&
      of.price <= (asked.maxPrice ?? 99) &&
      (!asked.isInStock || of.onHand > 0)
    );
  };
  return all
    .filter(fits)
    .toSorted((a, b) => {
      const [first, second] = [value(a), value(b)];
      if (first !== second) return first < second ? -1 : 1;
      return b.publishedAt - a.publishedAt || (`p${a.id}` < `p${b.id}` ? -1 : 1);
    })
    .map(({ id }) => `p${id}`);
}

/** Nothing is spelled wrong here: what only a tolerant search finds is left out. */
function toPlaces(projection: Projection, q: string): Bits | undefined {
  const words = toQueryWords(q);
  if (words.length === 0) return undefined;
  const { kind, places } = projection.search(words, undefined);
  return kind === "exact" ? places : new Bits();
}

function toFilter({ category, tag, minPrice, maxPrice, isInStock }: Query): CatalogueFilter {
  return {
    isInStock,
    ...(category === undefined ? {} : { categoryIds: [`c${category}`] }),
    ...(tag === undefined ? {} : { tag }),
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
  };
}

/** All pages, one behind the other. */
function readAll(projection: Projection, asked: Query): { ids: string[]; totals: Set<number> } {
  const ids: string[] = [];
  const totals = new Set<number>();
  let after;
  do {
    const filter = { ...toFilter(asked), places: toPlaces(projection, asked.q) };
    const page = projection.list(filter, { sort: asked.sort, limit: asked.limit, after });
    ids.push(...page.items.map(({ product }) => product.id));
    totals.add(page.total);
    after = page.next;
  } while (after !== undefined);
  return { ids, totals };
}

describe("Projection", () => {
  it("gives what filtering and sorting everything gives, whatever came and went before", () => {
    const run = (steps: readonly ({ put: Facts } | { remove: number })[], asked: readonly Query[]): void => {
      const projection = new Projection();
      const model = new Map<number, Facts>();
      const check = (each: Query): void => {
        const expected = filterAndSort([...model.values()], each);
        const { ids, totals } = readAll(projection, each);
        assert.deepEqual(ids, expected);
        assert.deepEqual([...totals], [expected.length]);
      };
      steps.forEach((each, index) => {
        if ("put" in each) {
          model.set(each.put.id, each.put);
          projection.put(make(each.put, projection.placeFor(`p${each.put.id}`)));
        } else {
          model.delete(each.remove);
          projection.remove(`p${each.remove}`);
        }
        // The index of words may be half made at any time.
        if (index % 7 === 3) projection.indexWords(4);
        const now = asked[index % asked.length];
        if (index % 5 === 0 && now !== undefined) check(now);
      });
      assert.equal(projection.size, model.size);
      assert.equal(projection.countInStock(), [...model.values()].filter(({ onHand }) => onHand > 0).length);
      asked.forEach(check);
    };
    const steps = fc.array(step, { minLength: 1, maxLength: 120 });
    fc.assert(fc.property(steps, fc.array(query, { minLength: 1, maxLength: 8 }), run), { numRuns: 150 });
  });

  it("does the same where beginnings are broad and many products match", () => {
    const projection = new Projection();
    const all = Array.from({ length: 2_500 }, (_, id): Facts => {
      const word = titleWords[id % titleWords.length] ?? "";
      const numbers = { price: id % 6, onHand: id % 3, sold: id % 3, views: id % 2, publishedAt: id % 4 };
      return {
        id,
        title: [word, "mug"],
        translated: "rot",
        category: id % 3,
        tag: "New",
        sortOrder: 0,
        ...numbers,
      };
    });
    for (const each of all) projection.put(make(each, projection.placeFor(`p${each.id}`)));
    const plain: Query = {
      q: "",
      category: undefined,
      tag: undefined,
      minPrice: undefined,
      maxPrice: undefined,
      isInStock: false,
      sort: "price",
      limit: 97,
    };
    const asked = ["m", "mug", "r re", "sku 1 m", "茶 m", "sku"].flatMap((q): Query[] => [
      { ...plain, q },
      { ...plain, q, minPrice: 2, maxPrice: 4 },
      { ...plain, q, minPrice: 2, maxPrice: 4, sort: "-price" },
      { ...plain, q, category: 1, minPrice: 2, isInStock: true, sort: "title" },
    ]);
    const check = (): void => {
      for (const each of asked) {
        const { ids, totals } = readAll(projection, each);
        const expected = filterAndSort(all, each);
        assert.deepEqual(ids, expected);
        assert.deepEqual([...totals], [expected.length]);
      }
    };
    check();
    // What was gathered for a beginning must not outlive the words.
    for (const at of [0, 7, 1_300]) {
      const other: Facts = {
        ...(all[at] ?? assert.fail()),
        title: ["zebra"],
        translated: "Becher",
        tag: "sale",
      };
      all[at] = other;
      projection.put(make(other, projection.placeFor(`p${other.id}`)));
    }
    check();
  });

  it("goes on behind a key whose product is gone", () => {
    const projection = new Projection();
    const base: Facts = {
      id: 0,
      title: ["a"],
      translated: "",
      category: 0,
      tag: "x",
      price: 0,
      onHand: 1,
      sold: 0,
      views: 0,
      publishedAt: 0,
      sortOrder: 0,
    };
    for (let id = 0; id < 6; id += 1)
      projection.put(make({ ...base, id, price: id }, projection.placeFor(`p${id}`)));
    const first = projection.list({}, { sort: "price", limit: 2 });
    projection.remove("p1");
    projection.put(make({ ...base, id: 9, price: 1 }, projection.placeFor("p9")));
    const second = projection.list({}, { sort: "price", limit: 2, after: first.next });
    assert.deepEqual(
      second.items.map(({ product }) => product.id),
      ["p9", "p2"],
    );
    assert.equal(second.total, 6);
  });
});
