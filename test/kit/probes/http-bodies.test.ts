import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { afterEach, describe, it } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { look, sayResult, serveHttp, type TargetServer } from "./targets.ts";

let server: TargetServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Headers = Readonly<Record<string, string>>;

/** Serves the same bytes at every request; gives the target of a check. */
async function serve(body: Uint8Array | string, headers: Headers = {}): Promise<Record<string, unknown>> {
  await server?.close();
  server = await serveHttp((_request, response) => response.writeHead(200, headers).end(body));
  return { kind: "http", url: `http://localhost:${server.port}/` };
}

/** A frame of raw blocks, as `zstd -0` could write it: no library here compresses zstd on Node 20. */
function zstdStore(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  const most = 131_072;
  for (let at = 0; at === 0 || at < bytes.byteLength; at += most) {
    const part = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.byteLength ? 1 : 0;
    const header = part.byteLength * 8 + isLast;
    blocks.push(Buffer.from([header & 255, (header >> 8) & 255, header >> 16]), part);
  }
  // Magic number, no size, a window of 128 KiB.
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), ...blocks]);
}

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  "x-gzip": (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  "deflate (raw)": (bytes) => deflateRawSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: zstdStore,
  "gzip, br": (bytes) => brotliCompressSync(gzipSync(bytes)),
  "UTF-8": (bytes) => bytes,
};

function utf16(text: string, isBig = false): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
}

interface Charset {
  readonly type: string;
  /** A word of it, and its bytes. */
  readonly word: string;
  readonly bytes: Buffer;
  readonly wrap?: (text: string) => Buffer;
  readonly head?: string;
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
/** The bytes are those of iconv. */
const charsets: Readonly<Record<string, Charset>> = {
  "UTF-8 by default": { type: "text/html", word: "Störung", bytes: Buffer.from("Störung") },
  "UTF-8 with a mark": {
    type: "text/plain",
    word: "Störung",
    bytes: Buffer.from("Störung"),
    wrap: (text) => Buffer.concat([hex("efbbbf"), Buffer.from(text, "latin1")]),
  },
  "ISO-8859-1": { type: 'text/html; charset="ISO-8859-1"', word: "Störung", bytes: hex("5374f672756e67") },
  "windows-1252": { type: "text/html; charset=windows-1252", word: "5 €", bytes: hex("352080") },
  "windows-1251 by meta": {
    type: "text/html",
    head: '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    word: "сбой",
    bytes: hex("f1e1eee9"),
  },
  "GBK by meta": { type: "text/html", head: "<meta charset=gb2312>", word: "故障", bytes: hex("b9cad5cf") },
  "GBK although the header says UTF-8": {
    type: "text/html; charset=utf-8",
    head: '<meta charset="gbk">',
    word: "故障",
    bytes: hex("b9cad5cf"),
  },
  Shift_JIS: { type: "text/html;charset=Shift_JIS", word: "障害", bytes: hex("8fe18a51") },
  "EUC-KR by XML": {
    type: "application/xml",
    head: '<?xml version="1.0" encoding="euc-kr"?>',
    word: "장애",
    bytes: hex("c0e5bed6"),
  },
  "UTF-16 by header": {
    type: "text/plain; charset=utf-16le",
    word: "Störung",
    bytes: hex("5374f672756e67"),
    wrap: (text) => utf16(text),
  },
  "UTF-16 by mark": {
    type: "text/plain",
    word: "Störung",
    bytes: hex("5374f672756e67"),
    wrap: (text) => Buffer.concat([hex("feff"), utf16(text, true)]),
  },
  "a charset that nobody knows": {
    type: "text/html; charset=ISO-88509-1",
    word: "Störung",
    bytes: Buffer.from("Störung"),
  },
};

/** Text that compresses as pages do. */
function prose(size: number): string {
  const words: string[] = [];
  for (let at = 0; at * 8 < size; at += 1) words.push(((at * 7_919) % 999_983).toString(36));
  return words.join(" ").padEnd(size, "x").slice(0, size);
}

/** A page with the word at its end. */
function pageOf({ head = "", bytes, wrap }: Charset, size: number): Buffer {
  const text = `${head}<p>${prose(size)}</p>${bytes.toString("latin1")}!`;
  return wrap === undefined ? Buffer.from(text, "latin1") : wrap(text);
}

describe("HTTP probes read bodies as browsers do", () => {
  for (const [coding, pack] of Object.entries(codings))
    it(`packed as ${coding}`, async () => {
      for (const [name, charset] of Object.entries(charsets))
        for (const size of [0, 100_000]) {
          const target = await serve(pack(pageOf(charset, size)), {
            "content-type": charset.type,
            "content-encoding": coding.replace(" (raw)", ""),
          });
          const what = `${name}, ${size}`;
          const there = await look({ ...target, contains: charset.word });
          assert.equal(sayResult(there), "up | 200 OK", what);
          const forbidden = await look({ ...target, excludes: charset.word });
          assert.equal(sayResult(forbidden), "content | The response contains the forbidden text", what);
          const other = await look({ ...target, contains: "wörd" });
          assert.equal(sayResult(other), "content | The expected text is not in the response", what);
          assert.equal(sayResult(await look({ ...target, excludes: "wörd" })), "up | 200 OK", what);
        }
    });

  it("reads JSON of any size and packing, with a byte order mark or as UTF-16", async () => {
    const text = JSON.stringify({ list: "x".repeat(300_000), status: "ok" });
    const bodies = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(`\ufeff${text}`), utf16(text)];
    for (const pack of [(bytes: Buffer) => bytes, gzipSync])
      for (const body of bodies) {
        const packed = pack(body);
        const target = await serve(packed, packed === body ? {} : { "content-encoding": "gzip" });
        const json = { path: "status", value: "ok" };
        assert.equal(sayResult(await look({ ...target, json })), "up | 200 OK");
      }
  });
});

const MIB = 1_048_576;

describe("HTTP probes say what was not read", () => {
  it("neither up nor down past the bound of the check, whichever rule it is", async () => {
    const body = `START ${prose(2 * MIB)} END`;
    for (const [coding, pack] of Object.entries({
      identity: (text: string) => text,
      gzip: gzipSync,
      br: brotliCompressSync,
    })) {
      const target = await serve(pack(body), { "content-encoding": coding });
      const say = async (more: object): Promise<string> => sayResult(await look({ ...target, ...more }));
      const long = "not_judged | The response is longer than 1 MiB";
      assert.equal(await say({ contains: "START" }), "up | 200 OK", coding);
      assert.equal(await say({ excludes: "START" }), "content | The response contains the forbidden text");
      assert.equal(
        await say({ contains: "END" }),
        `${long}: the expected text is not in the part that was read`,
        coding,
      );
      assert.equal(
        await say({ excludes: "END" }),
        `${long}: whether it contains the forbidden text is unknown`,
      );
      assert.equal(await say({ json: { path: "a" } }), `${long}: its JSON was not read`);
      assert.equal(
        await say({ contains: "END", excludes: "START" }),
        "content | The response contains the forbidden text",
      );
      assert.equal(await say({ contains: "END", maxBodyMib: 3 }), "up | 200 OK");
      assert.equal(
        await say({ excludes: "END", maxBodyMib: 3 }),
        "content | The response contains the forbidden text",
      );
      assert.equal(await say({}), "up | 200 OK");
    }
    const stored = await serve(zstdStore(Buffer.from(body)), { "content-encoding": "zstd" });
    assert.equal((await look({ ...stored, contains: "END" })).fault, "not_judged");
    assert.equal((await look({ ...stored, contains: "END", maxBodyMib: 3 })).fault, undefined);
  });

  it("a status, slowness and a forbidden text that was read are known all the same", async () => {
    const target = await serve(`BAD ${"x".repeat(2 * MIB)}`);
    assert.equal((await look({ ...target, contains: "END", statuses: "404" })).fault, "status");
    let ms = 0;
    const clock = { now: () => Date.now(), monotonic: () => (ms += 100) };
    assert.equal((await look({ ...target, contains: "END", maxLatencyMs: 50 }, { clock })).fault, "slow");
  });

  it("what cannot be unpacked: damaged, cut off, of an unknown coding, a bomb", async () => {
    const page = Buffer.from(`${"All fine. ".repeat(20_000)}END`);
    const packed = gzipSync(page);
    const cases: readonly (readonly [string, Buffer, string, RegExp])[] = [
      ["plain text that claims to be gzip", page, "gzip", /damaged/u],
      ["cut off", packed.subarray(0, packed.byteLength / 2), "gzip", /damaged/u],
      [
        "a damaged middle",
        Buffer.concat([packed.subarray(0, 40), hex("ffffffff"), packed.subarray(44)]),
        "gzip",
        /damaged/u,
      ],
      ["no brotli", packed, "br", /damaged/u],
      ["no zstd", packed, "zstd", /damaged/u],
      ["LZW", hex("1f9d90 0102030405"), "compress", /unknown content encoding \(compress\)/u],
      ["six times gzip", packed, Array(6).fill("gzip").join(","), /more than 5 times/u],
      ["a bomb", brotliCompressSync(Buffer.alloc(8 * MIB)), "br", /more than 2000 times its size/u],
    ];
    for (const [what, body, coding, says] of cases) {
      const target = await serve(body, { "content-encoding": coding });
      for (const rule of [{ contains: "END" }, { excludes: "END" }, { json: { path: "a" } }]) {
        const { fault, detail } = await look({ ...target, ...rule, maxBodyMib: 16 });
        assert.equal(fault, "not_judged", `${what}: ${JSON.stringify(rule)} ${detail}`);
        assert.match(detail, says, what);
      }
      assert.equal((await look(target)).fault, undefined, what);
    }
  });

  it("but judges what repeats itself as often as it likes in the first MiB", async () => {
    const target = await serve(brotliCompressSync(`${"x ".repeat(100_000)}END`), {
      "content-encoding": "br",
    });
    assert.equal((await look({ ...target, contains: "END" })).fault, undefined);
  });

  it("a text beyond ASCII in bytes of no known character set, but ASCII in them", async () => {
    const target = await serve(hex("4f4b20 b9cad5cf f6"), { "content-type": "text/plain" });
    assert.equal((await look({ ...target, contains: "故障" })).fault, "not_judged");
    assert.equal((await look({ ...target, excludes: "故障" })).fault, "not_judged");
    assert.equal((await look({ ...target, contains: "OK" })).fault, undefined);
    assert.equal((await look({ ...target, excludes: "ERROR" })).fault, undefined);
    assert.equal((await look({ ...target, contains: "ERROR" })).fault, "content");
  });

  it("a frame of zstd that asks for 2 GiB of memory", async () => {
    const frame = Buffer.concat([hex("28b52ffd 00 a8"), hex("0b0000 58")]);
    const target = await serve(frame, { "content-encoding": "zstd" });
    assert.ok(["not_judged", undefined].includes((await look({ ...target, contains: "X" })).fault));
  });
});
