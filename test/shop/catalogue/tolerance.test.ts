/** Searches as people type them, beside what they expect. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createShelf } from "./shelf.ts";

/** What is typed; the products that come first, in any order; and what must not be found at all. */
type Row = readonly [typed: string, first: readonly string[], never?: readonly string[]];

const typos: readonly Row[] = [
  ["teepot", ["Teapot Kyoto"]],
  ["tepaot", ["Teapot Kyoto"]],
  ["kettel", ["Electric kettle 1.7 l"]],
  ["elctric ketle", ["Electric kettle 1.7 l"]],
  ["headfones", ["Wireless headphones"]],
  ["wirless headphone", ["Wireless headphones"]],
  ["keybord", ["Keyboard with backlight"]],
  ["stainles stell thermos", ["Stainless steel thermos bottle"]],
  ["chrismas cookie", ["Christmas cookie box"]],
  ["umbrela", ["Umbrella, windproof"]],
  ["strawbery jam", ["Strawberry jam"]],
  ["watercolor", ["Beginner's guide to watercolour"]],
  ["jewellery", ["Jewelry box walnut"]],
  ["mgu", ["Red mug", "Blue mug"]],
  ["bleu mug", ["Blue mug"]],
  ["cermaic vase", ["Ceramic vase"]],
  ["Teekane", ["Teekanne Porzellan"]],
  ["Kaffetasse", ["Kaffeetasse weiß"]],
  ["Farradschloss", ["Fahrradschloss"]],
  ["Weinachtskugeln", ["Weihnachtskugeln"]],
  ["Schlüselanhenger", ["Schlüsselanhänger"]],
  ["Blumentpof", ["Blumentopf Terrakotta"]],
];

const joined: readonly Row[] = [
  ["tea pot", ["Teapot Kyoto", "Tea pot warmer"]],
  ["tea pots", ["Teapot Kyoto"]],
  ["key board", ["Keyboard with backlight"]],
  ["head phones", ["Wireless headphones"]],
  ["note book", ["Notebook A5, dotted"]],
  ["tshirt", ["T-shirt organic cotton"]],
  ["t shirt", ["T-shirt organic cotton"]],
  ["wifi", ["Wi-Fi router AX3000"]],
  ["usbc cable", ["USB-C charging cable"]],
  ["mens shoes", ["Men's running shoes"]],
  ["500ml", ["Stainless steel thermos bottle"]],
  ["750 ml", ["Water bottle 750ml"]],
  ["redmug", ["Red mug"]],
  ["Tee Kanne", ["Teekanne Porzellan"]],
  ["Hand Tuch", ["Handtuch Set"]],
  ["Handtuchset", ["Handtuch Set"]],
  ["Bücher Regal", ["Bücherregal Eiche"]],
];

const umlauts: readonly Row[] = [
  ["Tür", ["Türmatte Kokos"]],
  ["Tuermatte", ["Türmatte Kokos"]],
  ["Turmatte", ["Türmatte Kokos"]],
  ["Küche", ["Fussmatte für die Kueche"]],
  ["Fußmatte", ["Fussmatte für die Kueche"]],
  ["Muesli", ["Müslischale"]],
  ["kaffeetasse weiss", ["Kaffeetasse weiß"]],
  ["KÜHLTASCHE", ["Kühltasche"]],
  ["kuehltaschen", ["Kühltasche"]],
  ["Kaese", ["Reibe für Käse"]],
  ["creme brulee", ["Crème brûlée bowls"]],
];

const plurals: readonly Row[] = [
  ["mugs", ["Set of 4 mugs", "Red mug", "Blue mug"]],
  ["knife", ["Chef's knife", "Bread knives, set of two"]],
  ["knives", ["Bread knives, set of two", "Chef's knife"]],
  ["strawberries", ["Strawberry jam"]],
  ["boxes", ["Christmas cookie box", "Jewelry box walnut"]],
  ["bookshelves", ["Bookshelf oak"]],
  ["Glas", ["Gläser für Rotwein, 6 Stück"]],
  ["Stühle", ["Stuhl Buche"]],
  ["Kaffeetassen", ["Kaffeetasse weiß"]],
  ["Blumentöpfe", ["Blumentopf Terrakotta"]],
];

const unspaced: readonly Row[] = [
  ["茶壶", ["青花瓷茶壶"]],
  ["茶壺", ["青花瓷茶壶"]],
  ["chahu", ["青花瓷茶壶"]],
  ["保温杯子", ["不锈钢保温杯"]],
  ["蓝牙无线耳机", ["无线蓝牙耳机"]],
  ["圍巾", ["棉质围巾"]],
  ["急須 鉄器", ["南部鉄器の急須"]],
  ["こーひーかっぷ", ["コーヒーカップ"]],
  ["コーヒカップ", ["コーヒーカップ"]],
  ["ﾜｲﾔﾚｽﾏｳｽ", ["ワイヤレスマウス"]],
  // Kana for a kanji; the other way round ("手拭い") needs a dictionary of readings.
  ["てぬぐい", ["手ぬぐい 桜"]],
  ["サーバ", ["サーバー ガラス"]],
];

const typing: readonly Row[] = [
  ["tea", ["Tea pot warmer"]],
  ["teap", ["Teapot Kyoto"]],
  ["wireless hea", ["Wireless headphones"]],
  ["keyb", ["Keyboard with backlight"]],
  ["コーヒ", ["コーヒーカップ"]],
  ["mug red", ["Red mug"]],
  ["shirt xl", ["T-shirt organic cotton"]],
];

const codes: readonly Row[] = [
  ["MUG-R", ["Red mug"], ["Blue mug"]],
  ["mugr", ["Red mug"], ["Blue mug"]],
  ["KT 17", ["Electric kettle 1.7 l"]],
  ["9780306406157", ["Beginner's guide to watercolour"]],
  // A digit is no typing error: the other code is another product.
  ["9780306406158", []],
  ["HP-2002", []],
  ["RT-3001", []],
];

const partial: readonly Row[] = [
  ["red kettle", ["Electric kettle 1.7 l"]],
  ["oak bookshelf with doors", ["Bookshelf oak"]],
  ["xylophone", []],
  ["qqqq", []],
];

const tables = { typos, joined, umlauts, plurals, unspaced, typing, codes, partial };

describe("search", () => {
  const find = createShelf();
  const titlesOf = (q: string): string[] => find(q).items.map(({ product }) => product.title);
  for (const [kind, table] of Object.entries(tables))
    for (const [typed, first, never = []] of table)
      it(`finds what a person expects (${kind}): ${typed}`, () => {
        const titles = titlesOf(typed);
        if (first.length === 0) assert.deepEqual(titles, []);
        const places = first.map((title) => titles.indexOf(title));
        const isFirst = places.every((place) => place !== -1 && place < Math.max(3, first.length));
        assert.ok(isFirst, `found ${titles.slice(0, 6).join(" | ") || "nothing"}`);
        for (const title of never) assert.ok(!titles.includes(title), `found "${title}" too`);
      });

  it("has at least sixty searches with faults", () => {
    const count = [typos, joined, umlauts, plurals, unspaced].reduce((sum, table) => sum + table.length, 0);
    assert.ok(count >= 60, `${count}`);
  });

  it("puts the product with this exact code before those with longer codes", () => {
    const [one] = find("MUG-R").items;
    assert.equal(one?.product.title, "Red mug");
  });

  it("says what it corrected, in the spelling of the product", () => {
    assert.equal(find("Schlüselanhenger").corrected, "Schlüsselanhänger");
    assert.equal(find("elctric ketle").corrected, "Electric kettle");
    assert.equal(find("teapot").corrected, undefined);
    assert.equal(find("teepot").match, "similar");
    assert.equal(find("teapot").match, "exact");
    assert.equal(find("red kettle").match, "partial");
  });

  it("keeps its order over pages, each product once", () => {
    for (const q of ["m", "mugs", "teepot", "set", "red kettle"]) {
      const all = find(q, { limit: 100 }).items.map(({ product }) => product.id);
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page = find(q, { limit: 2, cursor });
        paged.push(...page.items.map(({ product }) => product.id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(paged, all, q);
      assert.equal(new Set(paged).size, paged.length, q);
    }
  });

  it("rejects a cursor of another order", () => {
    const { nextCursor } = find("m", { limit: 1 });
    assert.throws(() => find("m", { limit: 1, cursor: nextCursor, sort: "price" }), /another list/u);
    assert.throws(() => find("", { limit: 1, cursor: nextCursor }), /another list/u);
  });
});
