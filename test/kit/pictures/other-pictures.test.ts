import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { explainOtherPicture } from "../../../src/kit/pictures/other-pictures.ts";

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

describe("a picture of another kind", () => {
  it("is named with how to convert it", () => {
    const kinds = {
      "\0\0\0\x18ftypheic\0\0\0\0mif1heic": "HEIC",
      "\0\0\0\x24ftypmif1\0\0\0\0": "HEIC",
      "\0\0\0\x20ftypavif\0\0\0\0": "AVIF",
      GIF89a: "GIF",
      "II*\0": "TIFF",
      "MM\0*": "TIFF",
      BM12: "BMP",
    };
    for (const [start, kind] of Object.entries(kinds)) {
      const said = explainOtherPicture(bytesOf(start));
      assert.ok(said.startsWith(`${kind} pictures are not supported: open the picture and export it`), said);
    }
    assert.match(explainOtherPicture(bytesOf("\0\0\0\x18ftypheic")), /on an iPhone.*Most Compatible/u);
  });

  it("gets a general error when it is unknown", () => {
    for (const start of ["", "ftyp", "\0\0\0\x18ftypisom", "<svg"])
      assert.match(explainOtherPicture(bytesOf(start)), /not a valid PNG, JPEG or WebP/u);
  });
});
