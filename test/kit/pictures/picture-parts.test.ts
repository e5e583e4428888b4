/** Pictures cut to their own parts. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cutPicture } from "../../../src/kit/pictures/picture-parts.ts";
import {
  jpeg,
  jpegSegment,
  png,
  pngChunk,
  pngOf,
  realLosslessWebp,
  realLossyWebp,
  realPng,
  webp,
  webpChunk,
  webpOf,
} from "../../auth/pictures.ts";

const codes = (text: string): number[] => Array.from(text, (c) => c.charCodeAt(0));
const followedBy = (bytes: Uint8Array, text: string): Uint8Array =>
  Uint8Array.from([...bytes, ...codes(text)]);
const cut = (bytes: Uint8Array): Uint8Array => cutPicture(bytes)?.bytes ?? assert.fail("is refused");
const holds = (bytes: Uint8Array, text: string): boolean => String.fromCharCode(...bytes).includes(text);

const SCRIPT = "<script>alert(1)</script>";

/** EXIF with a place, and in the byte order `II` or `MM` how to turn the picture. */
function exif(order: "II" | "MM", orientation: number): number[] {
  const short = (value: number): number[] => (order === "II" ? [value, 0] : [0, value]);
  const long = (value: number): number[] =>
    order === "II" ? [...short(value), 0, 0] : [0, 0, ...short(value)];
  const tag = order === "II" ? [0x12, 0x01] : [0x01, 0x12];
  const gps = order === "II" ? [0x25, 0x88] : [0x88, 0x25];
  const entries = [
    ...tag,
    ...short(3),
    ...long(1),
    ...short(orientation),
    0,
    0,
    ...gps,
    ...short(4),
    ...long(1),
    ...long(38),
  ];
  const list = [...short(2), ...entries, ...long(0)];
  return jpegSegment(0xe1, "Exif\0\0", order, short(42), long(8), list, "GPS 47.07 N 15.44 E");
}

/** The one EXIF segment that is left. */
function onlyOrientation(value: number): number[] {
  const entry = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0];
  return jpegSegment(0xe1, "Exif\0\0MM", [0, 42, 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0]);
}

describe("a PNG", () => {
  it("loses its texts and what follows its end, and nothing else", () => {
    const text = pngChunk("tEXt", "Author\0Ann of Graz");
    const [head, rest] = [[...realPng.subarray(0, 33)], [...realPng.subarray(33)]];
    const given = followedBy(Uint8Array.from([...head, ...text, ...rest]), SCRIPT);
    assert.deepEqual(cut(given), realPng);
  });

  it("keeps colours, transparency, size of pixels and movement, in their order", () => {
    const kept = "gAMA cHRM sRGB iCCP PLTE tRNS pHYs acTL fcTL IDAT fcTL fdAT"
      .split(" ")
      .map((name) => pngChunk(name, `of ${name}`));
    const dropped = "eXIf zTXt iTXt tIME bKGD prVt".split(" ").map((name) => pngChunk(name, "x"));
    const mixed = kept.flatMap((chunk, i) => [chunk, dropped[i % dropped.length] ?? chunk]);
    assert.deepEqual(cut(pngOf(3, 4, ...mixed)), pngOf(3, 4, ...kept));
  });
});

describe("a JPEG", () => {
  it("has the size in which it is shown", () => {
    for (const order of ["II", "MM"] as const)
      for (let orientation = 0; orientation <= 9; orientation += 1) {
        const { width, height } = cutPicture(jpeg(64, 48, 0xc0, exif(order, orientation))) ?? assert.fail();
        const isLying = orientation >= 5 && orientation <= 8;
        assert.deepEqual([width, height], isLying ? [48, 64] : [64, 48], `${order} ${orientation}`);
      }
  });

  it("loses places, names, comments, small pictures and what follows its end", () => {
    const more = [
      ...exif("MM", 1),
      ...jpegSegment(0xe0, "JFXX\0", [0x10, 1, 2, 3]),
      ...jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"),
      ...jpegSegment(0xe2, "MPF\0second picture"),
      ...jpegSegment(0xed, "Photoshop 3.0\0by Ann"),
      ...jpegSegment(0xfe, "made by Ann"),
    ];
    // Fill bytes go too.
    const plain = Uint8Array.from(cut(jpeg(64, 48)));
    assert.equal(plain.length, jpeg(64, 48).length - 1);
    assert.deepEqual(cut(followedBy(jpeg(64, 48, 0xc0, more), SCRIPT)), plain);
    const withThumbnail = jpeg(64, 48).slice();
    const jfif = jpegSegment(0xe0, "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 1, 1, 7, 7, 7]);
    assert.deepEqual(cut(Uint8Array.from([0xff, 0xd8, ...jfif, ...withThumbnail.slice(20)])), plain);
  });

  for (const order of ["II", "MM"] as const)
    it(`keeps how it is to be turned and no place, in the byte order ${order}`, () => {
      const kept = cut(jpeg(64, 48, 0xc0, exif(order, 6)));
      assert.deepEqual(kept, cut(jpeg(64, 48, 0xc0, onlyOrientation(6))));
      assert.ok(holds(kept, String.fromCharCode(...onlyOrientation(6))));
      assert.ok(!holds(kept, "GPS"));
    });

  it("keeps its colours: ICC, Adobe, and tables of arithmetic coding", () => {
    const more = [
      ...jpegSegment(0xe2, "ICC_PROFILE\0", [1, 1, 9, 9]),
      ...jpegSegment(0xee, "Adobe", [0, 100, 0, 0, 0, 0, 1]),
      ...jpegSegment(0xc4, [0, 1, 2]),
      ...jpegSegment(0xcc, [0, 1]),
      ...jpegSegment(0xdd, [0, 4]),
    ];
    const kept = cut(jpeg(64, 48, 0xc2, more));
    assert.ok(holds(kept, String.fromCharCode(...more)));
  });

  it("keeps all its scans", () => {
    const given = jpeg(64, 48, 0xc2);
    const scan = [...jpegSegment(0xda, [1, 1, 0, 1, 63, 0]), 5, 0xff, 0, 0xff, 0xd1, 6];
    const two = [...cut(given).subarray(0, -2), ...jpegSegment(0xc4, [1]), ...scan, 0xff, 0xd9];
    assert.deepEqual(cut(Uint8Array.from(two)), Uint8Array.from(two));
  });
});

describe("a WebP", () => {
  const [icc, animation] = [webpChunk("ICCP", "colours"), webpChunk("ANIM", [0, 0, 0, 0, 0, 0])];
  const alpha = webpChunk("ALPH", "odd");
  const pixels = [...realLosslessWebp.subarray(12)];
  const extended = (flags: number): number[] => webpChunk("VP8X", [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0]);
  const notes = [...webpChunk("EXIF", "GPS 47.07 N"), ...webpChunk("XMP ", "<x:xmpmeta/>")];

  it("loses EXIF, XMP, their flags, unknown chunks and what follows its end", () => {
    const given = webpOf(extended(0x3c), icc, alpha, webpChunk("LEAK", "x"), pixels, notes);
    assert.deepEqual(cut(followedBy(given, SCRIPT)), webpOf(extended(0x30), icc, alpha, pixels));
  });

  it("loses them in its frames too, and keeps the movement", () => {
    const place = Array.from({ length: 16 }, (_, i) => i);
    const frame = webpChunk("ANMF", [...place, ...alpha, ...pixels, ...notes]);
    const kept = webpChunk("ANMF", [...place, ...alpha, ...pixels]);
    const given = webpOf(extended(0x0e), animation, frame, notes, frame);
    assert.deepEqual(cut(given), webpOf(extended(0x02), animation, kept, kept));
  });

  it("of one chunk keeps that alone", () => {
    for (const real of [realLossyWebp, realLosslessWebp]) {
      assert.deepEqual(cut(real), real);
      assert.deepEqual(cut(webpOf([...real.subarray(12)], notes)), real);
    }
  });
});

describe("a picture whose parts do not fit together", () => {
  const changed = (bytes: Uint8Array, at: number, ...values: number[]): Uint8Array => {
    const copy = Uint8Array.from(bytes);
    copy.set(values, at);
    return copy;
  };
  const frame = jpegSegment(0xc0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
  for (const [what, bytes] of Object.entries({
    "a PNG without an end": png(1, 1).subarray(0, -12),
    "a PNG without pixels": pngOf(1, 1),
    "a PNG with a chunk longer than the file": changed(png(1, 1), 33, 0xff, 0xff, 0xff, 0xff),
    "a JPEG without an end": jpeg(1, 1).subarray(0, -2),
    "a JPEG without a scan": Uint8Array.from([0xff, 0xd8, ...frame, 0xff, 0xd9]),
    "a JPEG of two frames": jpeg(1, 1, 0xc0, frame),
    "a JPEG with a segment longer than the file": changed(jpeg(1, 1), 22, 0xff, 0xff),
    "a JPEG inside of a JPEG": jpeg(1, 1, 0xc0, [0xff, 0xd8]),
    "a WebP longer than the file": realLossyWebp.subarray(0, -1),
    "a WebP with a chunk longer than the file": changed(realLossyWebp, 16, 0xff),
    "an extended WebP without pixels": webp(9, 9, "VP8X").subarray(0, 30),
    "an extended WebP that holds itself": webpOf(webpChunk("VP8X", "0123456789"), webpChunk("VP8X", "0")),
    "an extended WebP with half a frame": webpOf(
      webpChunk("VP8X", "0123456789"),
      webpChunk("ANMF", "too short"),
    ),
  }))
    it(`is refused: ${what}`, () => assert.equal(cutPicture(bytes), undefined));
});

describe("any bytes", () => {
  const starts = [
    realPng,
    png(9, 9, "more"),
    jpeg(9, 9, 0xc0, [...exif("MM", 6), ...jpegSegment(0xfe, "words")]),
    jpeg(9, 9, 0xc2, exif("II", 8)),
    realLossyWebp,
    webpOf([...webp(9, 9, "VP8X").subarray(12)], webpChunk("EXIF", "odd"), webpChunk("ANMF", "x".repeat(16))),
  ];
  /** A picture of the list with some bytes changed, put in or taken out. */
  const broken = fc
    .tuple(
      fc.constantFrom(...starts),
      fc.array(fc.tuple(fc.nat(200), fc.nat(2), fc.uint8Array({ maxLength: 4 })), { maxLength: 6 }),
    )
    .map(([start, changes]) => {
      const bytes = [...start];
      for (const [at, removed, added] of changes) bytes.splice(at % bytes.length, removed, ...added);
      return Uint8Array.from(bytes);
    });

  it("are refused or cut, without an exception; what was cut stays as it is when it is cut again", () => {
    let taken = 0;
    fc.assert(
      fc.property(broken, (bytes) => {
        const kept = cutPicture(bytes);
        if (kept === undefined) return;
        taken += 1;
        assert.ok(kept.bytes.length <= bytes.length + 1);
        assert.deepEqual(cutPicture(kept.bytes), kept);
      }),
      { numRuns: 3_000 },
    );
    assert.ok(taken > 100, `only ${taken} were taken`);
  });

  it("in the middle of a buffer are cut as they are by themselves", () => {
    for (const start of starts) {
      const buffer = new Uint8Array(start.length + 9);
      buffer.set(start, 5);
      assert.deepEqual(cut(buffer.subarray(5, 5 + start.length)), cut(start));
    }
  });
});
