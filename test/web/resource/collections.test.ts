/** The forms of categories and collections: parents, rules that may be missing, translations. */
import "./browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CollectionView } from "../../../src/shop/categories/answer-schema.ts";
import { categoryChangeSchema, collectionChangeSchema } from "../../../src/shop/categories/change-schema.ts";
import { categories, collections } from "../../../src/web/shop/categories/shown-page.tsx";
import english from "../../../src/texts/en/web.json" with { type: "json" };
import shop from "../../../src/texts/en/web-shop.json" with { type: "json" };
import { setTexts } from "../../../src/web/app/texts.ts";
import { toTree } from "../../../src/web/shop/ui/category-list.ts";
import { makeForm, readForm, toBlank } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";
import { toAddress, toEdited } from "../../../src/web/ui/resource/resource.ts";

const at = "2026-01-01T00:00:00.000+00:00";
const common = { description: "", sortOrder: 0, status: "published", translations: {}, version: 2 } as const;
const mugs = { ...common, id: "mugs", title: "Mugs", parentId: "kitchen", createdAt: at, updatedAt: at };
const kitchen = { ...mugs, id: "kitchen", title: "Kitchen", parentId: undefined };
const context = { currency: "EUR", tree: toTree([kitchen, mugs]), languages: ["en", "de"], id: undefined };

const gifts: CollectionView = {
  ...common,
  id: "gifts",
  title: "Gifts",
  createdAt: at,
  updatedAt: at,
  rule: { categoryId: "mugs", maxPrice: 2_000, inStock: true, sort: "sold", limit: 12 },
};

describe("the form of a collection", () => {
  const edited = toEdited(collections, context);
  const form = makeForm(collections);
  const parse = (rule: Form) =>
    readForm(form, { ...toBlank(form), title: "Gifts", rule }, { context, before: { title: "Gifts" } });

  it("sends what is stored where nothing was typed, in the form that the schema takes", () => {
    for (const stored of [gifts, { ...gifts, rule: undefined }]) {
      const before = edited.pick(stored);
      const parsed = edited.parse(edited.toForm(before), before);
      assert.ok(parsed.ok);
      assert.deepEqual(collectionChangeSchema.parse(parsed.fields), {
        title: "Gifts",
        description: "",
        status: "published",
        translations: {},
        rule: stored.rule ?? null,
      });
    }
  });

  it("reads a rule with its amounts, leaves out what is empty, and sends null without one", () => {
    const fields = { categoryId: "", tag: " gift ", minPrice: "12,5", maxPrice: "", inStock: false };
    const automated = parse({ on: true, fields: { ...fields, sort: "price", limit: "6" } });
    assert.ok(automated.ok);
    assert.deepEqual(automated.fields.rule, {
      tag: "gift",
      minPrice: 1_250,
      inStock: false,
      sort: "price",
      limit: 6,
    });
    const manual = parse({ on: false, fields: { ...fields, limit: "none" } });
    assert.ok(manual.ok);
    assert.equal(manual.fields.rule, null);
  });

  it("names what is wrong with a rule at its field, within the bounds of the schema", () => {
    const wrong = parse({ on: true, fields: { minPrice: "much", limit: "501" } });
    assert.ok(!wrong.ok);
    assert.deepEqual([...wrong.faults.keys()], ["/rule/minPrice", "/rule/limit"]);
  });

  it("says a rule in words for the dialog about another's change", () => {
    setTexts("en", { ...english, ...shop });
    const words = { form: {}, context, words: "shop.collections.rule" };
    const { say } = form.fields.get("rule")?.kind ?? {};
    assert.equal(
      say?.({ categoryId: "mugs", maxPrice: 2_000, sort: "sold" }, words),
      "Category: Kitchen / Mugs · Maximum price: €20.00 · Sort by: Best selling",
    );
    assert.equal(say?.(null, words), "Manual");
    setTexts("en", english);
  });

  it("has its pages behind an address of its own", () => {
    assert.equal(toAddress(collections, "gifts"), "/admin/categories/gifts?kind=collections");
    assert.equal(toAddress(categories, "gifts"), "/admin/categories/gifts");
  });
});

describe("the form of a category", () => {
  it("takes a category out of another one with null", () => {
    const edited = toEdited(categories, { ...context, id: "mugs" });
    const before = edited.pick(mugs);
    const parsed = edited.parse({ ...edited.toForm(before), parentId: "" }, before);
    assert.ok(parsed.ok);
    assert.equal(categoryChangeSchema.parse(parsed.fields).parentId, null);
  });
});
