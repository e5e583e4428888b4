/** How a refused address is set beside the registered one that is most like it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findDifference, findNearest } from "../../../src/web/auth/applications/refusal-words.ts";

const REGISTERED = "https://git.example.org/user/oauth2/trivet/callback";

describe("a refused address", () => {
  it("is shown next to the most similar registered one, with the difference", () => {
    const others = ["app.immich:///oauth-callback", REGISTERED, "https://git.example.org/"];
    assert.deepEqual(findNearest(REGISTERED.replace("trivet", "Trivet"), others), {
      registered: REGISTERED,
      before: "https://git.example.org/user/oauth2/",
      sentPart: "T",
      registeredPart: "t",
      after: "rivet/callback",
    });
    assert.deepEqual(findNearest(`${REGISTERED}/`, others)?.sentPart, "/");
    assert.deepEqual(findNearest("aa", ["aaa"]), {
      registered: "aaa",
      before: "aa",
      sentPart: "",
      registeredPart: "a",
      after: "",
    });
    assert.equal(findNearest("https://a.example", []), undefined);
  });

  for (const [sent, difference] of [
    [`${REGISTERED}/`, "slash"],
    [REGISTERED.replace("trivet", "Trivet"), "case"],
    [REGISTERED.replace("https", "http"), "scheme"],
    [REGISTERED.replace("git.", "www."), "host"],
    [REGISTERED.replace(".org", ".org:8443"), "port"],
    [REGISTERED.replace("trivet", "other"), "path"],
    [`${REGISTERED}?x=1`, "query"],
    ["callback", undefined],
  ] as const)
    it(`is distinguished in a word: ${difference ?? "none"}`, () => {
      assert.equal(findDifference(sent, REGISTERED), difference);
    });
});
