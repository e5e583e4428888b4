import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nameDevice } from "../../../src/auth/pages/device-name.ts";
import { createTexts } from "../../../src/auth/pages/texts.ts";

describe("nameDevice", () => {
  const t = createTexts("de");
  for (const [label, said] of [
    ["Chrome on Android", "Chrome unter Android"],
    ["Unknown device", "Unbekanntes Gerät"],
    ["curl", "curl"],
    ["python-requests on a rack on wheels", "python-requests on a rack on wheels"],
  ] as const)
    it(`says "${label}" as "${said}"`, () => assert.equal(nameDevice({ t }, label), said));
});
