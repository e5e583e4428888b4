import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTextBook } from "../../../src/kit/text/text-book.ts";

const first = {
  en: { hello: "Hello {name}", days: "{n, plural, one {# day} other {# days}}" },
  pl: { days: "{n, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}" },
};
const second = { en: { bye: "Bye" }, de: { bye: "Tschüss" } };
const open = createTextBook(first, second);

describe("a book of texts", () => {
  it("has the texts of all its rooms in a language, and English for those that it lacks", () => {
    const [polish, german] = [open("pl"), open("de")];
    assert.deepEqual([polish("days", { n: 1.5 }), polish("bye")], ["1,5 dnia", "Bye"]);
    assert.deepEqual([german("bye"), german("hello", { name: "Ann" })], ["Tschüss", "Hello Ann"]);
    // By the rules of English, as it is an English text.
    assert.equal(german("days", { n: 1_000 }), "1,000 days");
  });

  it("finds a language by its tag, and gives English for one without texts", () => {
    assert.deepEqual(
      ["de-AT", "DE", "en-GB", "fr", "", "constructor"].map((tag) => open(tag).language),
      ["de", "de", "en", "en", "en", "en"],
    );
  });

  it("tells of a name that may have no text", () => {
    assert.equal(open("de").find("bye"), "Tschüss");
    assert.equal(open("de").find("hello", { name: "Ann" }), "Hello Ann");
    for (const name of ["", "nothing", "constructor", "__proto__"])
      assert.equal(open("de").find(name), undefined);
  });

  it("gives a text in all its languages", () => {
    assert.deepEqual(open.inAll("bye"), { en: "Bye", pl: "Bye", de: "Tschüss" });
  });

  it("takes no name that English lacks", () => {
    // @ts-expect-error: tsc fails here without this comment
    assert.equal(open("en")("nothing"), "nothing");
  });
});
