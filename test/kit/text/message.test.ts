import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatText } from "../../../src/kit/text/message.ts";

const days = "{count, plural, =0 {no day} one {# day} other {# days}}";

describe("a text", () => {
  it("has the values of its places, and keeps a place without one", () => {
    assert.equal(
      formatText("en", "Hello {name}, {name} of {place}", { name: "Ann" }),
      "Hello Ann, Ann of {place}",
    );
    assert.equal(formatText("en", "{count} of 2000", { count: 1_000 }), "1000 of 2000");
  });

  it("keeps braces that are no place, and apostrophes", () => {
    assert.equal(formatText("en", "It's {year}-{number:5} {", { year: 2026 }), "It's 2026-{number:5} {");
    assert.equal(formatText("en", "'{name}'", { name: "x" }), "'x'");
  });

  it("does not read values as texts", () => {
    const value = "{other} $& {count, plural, other {#}}";
    assert.equal(formatText("en", "{name} {other}", { name: value, other: "b" }), `${value} b`);
    assert.equal(
      formatText("en", "{n, plural, one {x} other {# {name}}}", { n: 2, name: value }),
      `2 ${value}`,
    );
    assert.equal(formatText("en", "{n, select, a {A {name}} other {}}", { n: "a", name: "#" }), "A #");
  });
});

describe("a plural", () => {
  it("takes the exact number before the category, and writes the number as the language does", () => {
    const said = [0, 1, 2, 1_234.5].map((count) => formatText("en", days, { count }));
    assert.deepEqual(said, ["no day", "1 day", "2 days", "1,234.5 days"]);
    assert.equal(formatText("de", "{n, plural, one {# Tag} other {# Tage}}", { n: 12_345 }), "12.345 Tage");
    assert.equal(formatText("zh", "{n, plural, other {# 天}}", { n: 1 }), "1 天");
    assert.equal(formatText("en", days, { count: "1" }), "1 day");
  });

  it("chooses as CLDR 44 has it for languages with more forms than English", () => {
    const forms = "zero {zero} one {one} two {two} few {few} many {many} other {other}";
    const vectors: Readonly<Record<string, Readonly<Record<number, string>>>> = {
      ar: {
        0: "zero",
        1: "one",
        2: "two",
        3: "few",
        10: "few",
        11: "many",
        99: "many",
        100: "other",
        102: "other",
        103: "few",
        111: "many",
        0.5: "other",
      },
      pl: {
        0: "many",
        1: "one",
        2: "few",
        4: "few",
        5: "many",
        12: "many",
        14: "many",
        21: "many",
        22: "few",
        112: "many",
        1.5: "other",
      },
      ru: { 1: "one", 21: "one", 2: "few", 11: "many", 25: "many" },
      de: { 0: "other", 1: "one", 1.5: "other", 2: "other" },
      zh: { 0: "other", 1: "other", 2: "other" },
    };
    for (const [language, counts] of Object.entries(vectors))
      for (const [count, form] of Object.entries(counts))
        assert.equal(
          formatText(language, `{n, plural, ${forms}}`, { n: Number(count) }),
          form,
          `${language} ${count}`,
        );
  });

  it("falls back to the case for all others", () => {
    assert.equal(formatText("pl", "{n, plural, one {a} other {b}}", { n: 3 }), "b");
    assert.equal(formatText("en", "{n, plural, one {a}}", { n: 3 }), "");
  });
});

describe("a choice", () => {
  const of = "{who, select, owner {Your {what}} other {A {what}}}";

  it("goes by its value", () => {
    assert.equal(formatText("en", of, { who: "owner", what: "key" }), "Your key");
    assert.equal(formatText("en", of, { who: "nobody", what: "key" }), "A key");
    assert.equal(formatText("en", of, { what: "key" }), of);
  });

  it("may be inside a plural, and a plural inside it", () => {
    const inner = `{n, plural, one {# is {how, select, part {partly {what}} other {all {what}}}} other {# are}} ({n})`;
    assert.equal(formatText("en", inner, { n: 1, how: "part", what: "down" }), "1 is partly down (1)");
    const outer =
      "{how, select, part {{n, plural, one {# {what} partly} other {# {what}s partly}}} other {no}}!";
    assert.equal(formatText("en", outer, { n: 2, how: "part", what: "site" }), "2 sites partly!");
  });
});
