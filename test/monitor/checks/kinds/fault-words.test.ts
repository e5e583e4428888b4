import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultWords } from "../../../../src/monitor/checks/kinds/fault-words.ts";
import { checkFaults } from "../../../../src/monitor/checks/schema.ts";
import { languages } from "../../../../src/monitor/base/labels.ts";

describe("the words of faults", () => {
  it("are there for every fault in every language, each told apart from the others", () => {
    assert.deepEqual(Object.keys(faultWords).sort(), [...checkFaults].sort());
    for (const language of languages) {
      const words = checkFaults.map((fault) => faultWords[fault][language]);
      assert.equal(new Set(words).size, checkFaults.length, language);
    }
  });
});
