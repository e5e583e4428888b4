/**
 * `npm run bodies`: what HTTP checks say of the content of hundreds of responses beside `curl --compressed | iconv | grep`:
 * every coding, character set, size and rule. Both get the same bytes from a small server.
 */
import { execFile, spawnSync } from "node:child_process";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { runProbe } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";

const rules = { allowPrivate: true, privateRemedy: "" };
const MIB = 1_048_576;

function run(program: string, args: readonly string[], input?: Buffer): Buffer | undefined {
  const { status, stdout } = spawnSync(program, [...args], { input, maxBuffer: 64 * MIB });
  return status === 0 ? stdout : undefined;
}

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => run("zstd", ["-q", "-3"], bytes) ?? Buffer.alloc(0),
  "zstd, gzip": (bytes) => gzipSync(run("zstd", ["-q", "-19"], bytes) ?? Buffer.alloc(0)),
};

/** Names for iconv, with words that the set has. */
const charsets: Readonly<Record<string, readonly string[]>> = {
  "UTF-8": ["Störung", "故障", "障害", "сбой", "😀"],
  "ISO-8859-1": ["Störung", "été"],
  "windows-1251": ["сбой", "Недоступен"],
  "windows-1252": ["Störung", "5 €"],
  "ISO-8859-2": ["błąd", "porucha č"],
  GBK: ["故障", "维护"],
  GB18030: ["故障", "𠀀"],
  BIG5: ["故障", "維護"],
  SHIFT_JIS: ["障害", "メンテナンス"],
  "EUC-JP": ["障害", "メンテナンス"],
  "EUC-KR": ["장애"],
  "KOI8-R": ["сбой"],
  "UTF-16LE": ["Störung", "故障"],
  "UTF-16BE": ["Störung", "故障"],
};

const sizes = [0, 70_000, 3 * MIB];

/** Text of ASCII that compresses as pages do. */
function prose(size: number): string {
  let text = "";
  for (let at = 0; text.length < size; at += 1) text += `${((at * 7_919) % 999_983).toString(36)} `;
  return text.slice(0, size);
}

interface Served {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

let served: Served = { body: Buffer.alloc(0), headers: {} };
const server = createServer((_request, response) => response.writeHead(200, served.headers).end(served.body));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
// `as`: a listener on a port has an address of this shape.
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/`;

/** Asynchronously: the server is in this process. */
function curl(): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const args = ["-sS", "--compressed", url];
    execFile("curl", args, { encoding: "buffer", maxBuffer: 64 * MIB }, (error, out) =>
      resolve(error === null ? out : undefined),
    );
  });
}

async function ask(rule: object): Promise<string> {
  const target = targetSchema.parse({ kind: "http", url, ...rule });
  const signal = new AbortController().signal;
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const { fault } = await runProbe(target, { rules, userAgent: "lab", timeoutMs: 30_000, signal, clock });
  return fault ?? "up";
}

let compared = 0;
let unjudged = 0;
const differences: string[] = [];

function note(what: string, ours: string, theirs: boolean, size: number): void {
  compared += 1;
  if (ours === "not_judged") {
    unjudged += 1;
    if (size <= MIB) differences.push(`${what}: not judged though it fits`);
    return;
  }
  if (ours !== (theirs ? "up" : "content")) differences.push(`${what}: ${ours}, grep says ${theirs}`);
}

for (const [coding, pack] of Object.entries(codings))
  for (const [charset, words] of Object.entries(charsets))
    for (const size of sizes)
      for (const how of ["header", "meta"]) {
        if (how === "meta" && (charset.startsWith("UTF-16") || size === 0)) continue;
        if (size > MIB && !["UTF-8", "GBK", "UTF-16LE"].includes(charset)) continue;
        const word = words[0] ?? "";
        const meta = how === "meta" ? `<html><head><meta charset="${charset}">` : "";
        const plain = Buffer.from(`${meta}${prose(size)}<p>${words.join("</p><p>")}</p>`);
        const body = run("iconv", ["-f", "UTF-8", "-t", charset], plain);
        if (body === undefined) throw new Error(`iconv knows no ${charset}`);
        const type = how === "header" ? `text/html; charset=${charset}` : "text/html";
        served = { body: pack(body), headers: { "content-type": type, "content-encoding": coding } };
        const fetched = await curl();
        if (fetched === undefined) throw new Error(`curl cannot read ${coding}`);
        const text = run("iconv", ["-f", charset, "-t", "UTF-8"], fetched);
        for (const sought of [word, words.at(-1) ?? "", "Ärger", "not there"]) {
          const isThere = text !== undefined && run("grep", ["-qF", "--", sought], text) !== undefined;
          const what = `${coding} ${charset} by ${how} ${size} ${sought}`;
          note(`${what} contains`, await ask({ contains: sought }), isThere, body.byteLength);
          note(`${what} excludes`, await ask({ excludes: sought }), !isThere, body.byteLength);
        }
      }
server.close();
console.log(
  `${compared} verdicts, ${unjudged} not judged (larger than 1 MiB), ${differences.length} differences`,
);
for (const difference of differences.slice(0, 40)) console.log(`  ${difference}`);
process.exitCode = differences.length === 0 ? 0 : 1;
