/** The same bodies read by `curl --compressed | iconv | grep`: both must find the same words. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { afterEach, describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { look, serveHttp, type TargetServer } from "./targets.ts";

const missing = ["curl", "iconv", "grep"].find((name) => findProgram(name) === undefined);
const skip = missing !== undefined && tellSkipped(`${missing} is not in PATH`);

let server: TargetServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Ran {
  readonly code: number;
  readonly out: Buffer;
}

function run(name: string, options: readonly string[], input: Uint8Array | string = ""): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(findProgram(name) ?? name, options, {
      stdio: ["pipe", "pipe", "ignore"],
      env: { LC_ALL: "C.UTF-8", no_proxy: "*" },
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => chunks.push(bytes));
    child.stdin.on("error", () => undefined);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, out: Buffer.concat(chunks) }));
    child.stdin.end(input);
  });
}

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
};
const words: Readonly<Record<string, string>> = {
  "utf-8": "Störung",
  "iso-8859-1": "Störung",
  "windows-1251": "сбой",
  gbk: "故障",
  shift_jis: "障害",
  "euc-kr": "장애",
  "utf-16le": "Störung",
};

describe("a second opinion on bodies", { skip }, () => {
  it("finds the same words in every coding, character set and size", async () => {
    const features = (await run("curl", ["--version"])).out.toString();
    const known = Object.entries(codings).filter(([coding]) => coding !== "br" || /brotli/u.test(features));
    for (const [charset, word] of Object.entries(words)) {
      const name = charset === "shift_jis" ? "SHIFT_JIS" : charset;
      for (const size of [10, 90_000]) {
        const page = `${"lorem ipsum ".repeat(size / 10)}${word}!`;
        const { out: bytes } = await run("iconv", ["-f", "utf-8", "-t", name], page);
        assert.ok(bytes.byteLength > size, charset);
        for (const [coding, pack] of known) {
          await server?.close();
          const headers = { "content-type": `text/plain; charset=${charset}`, "content-encoding": coding };
          server = await serveHttp((_request, response) => response.writeHead(200, headers).end(pack(bytes)));
          const url = `http://127.0.0.1:${server.port}/`;
          const fetched = await run("curl", ["-s", "--compressed", url]);
          const { out: text } = await run("iconv", ["-f", name, "-t", "utf-8"], fetched.out);
          for (const wanted of [word, "Wörter"]) {
            const theirs = (await run("grep", ["-qF", wanted], text)).code === 0;
            const what = `${charset} ${coding} ${size} ${wanted}`;
            const contains = await look({ kind: "http", url, contains: wanted });
            assert.equal(contains.fault, theirs ? undefined : "content", what);
            const excludes = await look({ kind: "http", url, excludes: wanted });
            assert.equal(excludes.fault, theirs ? "content" : undefined, what);
          }
        }
      }
    }
  });
});
