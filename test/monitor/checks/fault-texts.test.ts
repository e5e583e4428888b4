import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { languages } from "../../../src/kit/text/languages.ts";
import { kindTexts } from "../../../src/monitor/base/kind-texts.ts";
import { checkFaults } from "../../../src/monitor/checks/schema.ts";

describe("the texts of faults", () => {
  it("are there for every fault in every language, each told apart from the others", () => {
    for (const language of languages) {
      const texts = checkFaults.map((fault) => kindTexts(language)(`check.fault.${fault}`));
      assert.equal(new Set(texts).size, checkFaults.length, language);
    }
  });
});
