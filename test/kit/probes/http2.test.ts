import assert from "node:assert/strict";
import {
  constants,
  createSecureServer,
  createServer as createHttp2,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { afterEach, describe, it } from "node:test";
import { createServer as createHttp } from "node:http";
import { gzipSync } from "node:zlib";
import type { ProbeResult } from "../../../src/kit/probes/probe.ts";
import { authority, good, selfSigned } from "./certificates.ts";
import { client, chainRoot } from "./chain-certificates.ts";
import { hexBytes, look, sayResult, serveHttp } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function listen(server: Server | Http2Server): Promise<number> {
  const sockets = new Set<Socket>();
  for (const event of ["connection", "secureConnection"])
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
    });
  server.on("sessionError", () => undefined);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  cleanUp.push(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  // `as`: a listener on a port has an address of this shape.
  return (server.address() as AddressInfo).port;
}

type OnStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** A server with HTTP/2 in TLS, and HTTP/1.1 beside it unless `alone`. */
async function startHttp2(onStream: OnStream, { alone = false } = {}): Promise<string> {
  const server = createSecureServer({ key: good.key, cert: good.cert, allowHTTP1: !alone });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    onStream(stream, headers);
  });
  server.on("request", (request, response) => {
    if (request.httpVersion === "1.1") response.end("by 1.1");
  });
  return `https://localhost:${await listen(server)}/`;
}

/** Whether bytes of a client have the frame of its request: HEADERS, after the preface of 24 bytes. */
function hasRequest(bytes: Buffer): boolean {
  for (let at = 24; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    if (bytes[at + 3] === 1) return true;
  return false;
}

/** A server that chooses h2 and then does what the suite says, once the request has come. */
async function startRaw(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createTls({ key: good.key, cert: good.cert, ALPNProtocols: ["h2"] }, (socket) => {
    let bytes = Buffer.alloc(0);
    const onData = (part: Buffer): void => {
      bytes = Buffer.concat([bytes, part]);
      if (!hasRequest(bytes)) return;
      socket.off("data", onData).resume();
      onRequest(socket);
    };
    socket.on("data", onData);
  });
  return `https://localhost:${await listen(server)}/`;
}

const answer: OnStream = (stream) => {
  stream.respond({ ":status": 200 });
  stream.end("by 2");
};

async function say(url: string, fields: object = {}): Promise<string> {
  return sayResult(await look({ kind: "http", url, ...fields }));
}

const broken =
  (codes: number): OnStream =>
  (stream) => {
    stream.close(codes);
  };

describe("HTTP probes by HTTP/2", () => {
  it("take the version that the check names, and say which it was", async () => {
    const both = await startHttp2(answer);
    assert.equal(await say(both, { contains: "by 2" }), "up | 200 OK, HTTP/2");
    assert.equal(await say(both, { httpVersion: "", contains: "by 2" }), "up | 200 OK, HTTP/2");
    assert.equal(await say(both, { httpVersion: "http1", contains: "by 1.1" }), "up | 200 OK");
    assert.equal(await say(both, { httpVersion: "http2", contains: "by 2" }), "up | 200 OK, HTTP/2");
    const alone = await startHttp2(answer, { alone: true });
    assert.equal(await say(alone), "up | 200 OK, HTTP/2");
    assert.equal(
      await say(alone, { httpVersion: "http1" }),
      "protocol | The server does not support the HTTP version of this check",
    );
    const old = await serveHttp((_request, response) => response.end("x"), good);
    cleanUp.push(() => old.close());
    const url = `https://localhost:${old.port}/`;
    assert.equal(await say(url), "up | 200 OK");
    assert.match(await say(url, { httpVersion: "http2" }), /^protocol \| /u);
  });

  it("without TLS where the check asks for it, and say so where it does not", async () => {
    const server = createHttp2();
    server.on("stream", answer);
    const url = `http://localhost:${await listen(server)}/`;
    assert.equal(await say(url, { httpVersion: "http2", contains: "by 2" }), "up | 200 OK, HTTP/2");
    assert.equal(
      await say(url),
      "protocol | The server speaks HTTP/2 without TLS: set the HTTP version to HTTP/2",
    );
  });

  it("send method, authority, headers and body, and read cookies, codings and redirects as ever", async () => {
    const seen: string[] = [];
    const url = await startHttp2((stream, headers) => {
      const { ":method": method, ":path": path, ":authority": host, cookie = "", "x-key": key } = headers;
      let body = "";
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => (body += text));
      stream.on("end", () => {
        seen.push([method, path, host, cookie, String(key), body].join(" "));
        if (path === "/") {
          stream.respond({ ":status": 307, location: "/next?a=1", "set-cookie": ["a=b", "c=d"] });
          stream.end();
          return;
        }
        stream.additionalHeaders({ ":status": 103, link: "</x>; rel=preload" });
        stream.respond({ ":status": 200, "content-encoding": "gzip", "x-state": "fine" });
        stream.end(gzipSync('{"state":"up"}'));
      });
    });
    const headers = [
      { name: "Host", value: "www.example.org" },
      { name: "X-Key", value: "s" },
    ];
    const json = { path: "$.state", value: "up" };
    const conditions = [{ subject: "header", name: "x-state", operator: "=", value: "fine" }];
    const target = { method: "POST", body: '{"a":1}', headers, json, conditions };
    assert.equal(await say(url, target), "up | 200 OK, HTTP/2");
    assert.deepEqual(seen, [
      'POST / www.example.org  s {"a":1}',
      'POST /next?a=1 www.example.org a=b; c=d s {"a":1}',
    ]);
  });

  it("judge the certificate before anything is sent", async () => {
    let streams = 0;
    const server = createSecureServer({ key: selfSigned.key, cert: selfSigned.cert });
    server.on("stream", (stream: ServerHttp2Stream) => {
      streams += 1;
      answer(stream, {});
    });
    const url = `https://localhost:${await listen(server)}/`;
    assert.match(await say(url), /^certificate \| /u);
    assert.equal(streams, 0);
    assert.equal(await say(url, { acceptsCertificate: ["issuer"] }), "up | 200 OK, HTTP/2");
  });

  it("show a client's certificate", async () => {
    const server = createSecureServer({
      key: good.key,
      cert: good.cert,
      ca: chainRoot,
      requestCert: true,
      rejectUnauthorized: true,
    });
    server.on("stream", answer);
    const target = {
      kind: "http",
      url: `https://localhost:${await listen(server)}/`,
      ca: authority,
    };
    const own = { clientCertificate: client.cert, clientKey: client.key };
    assert.equal(sayResult(await look({ ...target, ...own })), "up | 200 OK, HTTP/2");
    for (const httpVersion of ["", "http2"]) {
      const without = await look({ ...target, httpVersion });
      assert.ok(["tls", "reset"].includes(without.fault ?? ""), sayResult(without));
    }
  });

  it("go through a proxy by CONNECT", async () => {
    const url = await startHttp2(answer);
    const proxy = createHttp();
    proxy.on("connect", (_request, socket: Socket) => {
      const behind = connect(Number(new URL(url).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(behind).pipe(socket);
      });
      for (const each of [socket, behind]) each.on("error", () => undefined);
      cleanUp.push(() => behind.destroy());
    });
    const way = { proxy: `http://localhost:${await listen(proxy)}` };
    assert.equal(await say(url, { ...way, contains: "by 2" }), "up | 200 OK, HTTP/2");
    assert.equal(await say(url, { ...way, httpVersion: "http1", contains: "by 1.1" }), "up | 200 OK");
  });

  it("read a body up to its bound, and say what breaks off", async () => {
    const long = await startHttp2((stream) => {
      stream.respond({ ":status": 200 });
      stream.end("x".repeat(3 * 1_048_576));
    });
    assert.match(await say(long, { contains: "y" }), /^not_judged \| The response is longer than 1 MiB/u);
    assert.equal(await say(long, { maxBodyMib: 4, excludes: "y" }), "up | 200 OK, HTTP/2");
    // SETTINGS, HEADERS with status 200, DATA without an end, and RST_STREAM with CANCEL, or no more than that.
    const half = "000000 04 00 00000000 000001 01 04 00000001 88 000004 00 00 00000001 68616c66";
    for (const end of ["000004 03 00 00000001 00000008", ""]) {
      const cut = await startRaw((socket) => void socket.end(hexBytes(`${half}${end}`)));
      assert.equal(await say(cut, { contains: "half" }), "protocol | The response ended too early", end);
    }
  });
});

describe("HTTP probes at HTTP/2 that does not work", () => {
  it("use HTTP/1.1 where the version is automatic, and say why", async () => {
    const refused = await startHttp2(broken(constants.NGHTTP2_REFUSED_STREAM));
    const detail = "200 OK, HTTP/1.1 because HTTP/2 failed: the server reset the stream: REFUSED_STREAM";
    assert.equal(await say(refused), `up | ${detail}`);
    assert.equal(await say(refused, { method: "POST", body: "x" }), `up | ${detail}`);
    assert.equal(
      await say(refused, { httpVersion: "http2" }),
      "protocol | HTTP/2 failed: the server reset the stream: REFUSED_STREAM",
    );
    const wants = await startHttp2(broken(constants.NGHTTP2_HTTP_1_1_REQUIRED));
    assert.match(await say(wants, { contains: "by 1.1" }), /^up \| .*HTTP_1_1_REQUIRED$/u);
  });

  it("send no request again that may have been processed", async () => {
    const methods: string[] = [];
    const failing = await startHttp2((stream, { ":method": method = "" }) => {
      methods.push(method);
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    assert.match(await say(failing), /^up \| 200 OK, HTTP\/1\.1 because HTTP\/2 failed: .*INTERNAL_ERROR$/u);
    assert.equal(
      await say(failing, { method: "POST", body: "x" }),
      "protocol | HTTP/2 failed: the server reset the stream: INTERNAL_ERROR",
    );
    assert.deepEqual(methods, ["GET", "POST"]);
  });

  it("say what GOAWAY said", async () => {
    const processed = await startHttp2((stream) => {
      stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
    const said = /the server ended the connection: GOAWAY, ENHANCE_YOUR_CALM$/u;
    assert.match(await say(processed, { httpVersion: "http2" }), said);
    assert.match(await say(processed), /^up \| .*ENHANCE_YOUR_CALM$/u);
    assert.match(await say(processed, { method: "POST", body: "x" }), /^protocol \| .*ENHANCE_YOUR_CALM$/u);
    // An empty SETTINGS frame, and a GOAWAY that names no stream as processed: then even a POST goes out once more.
    const frames = hexBytes("000000 04 00 00000000 000008 07 00 00000000 00000000 0000000b");
    const unprocessed = createTls(
      { key: good.key, cert: good.cert, ALPNProtocols: ["h2", "http/1.1"] },
      (socket) => {
        const isOld = socket.alpnProtocol !== "h2";
        socket.once("data", () =>
          socket.end(isOld ? "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n" : frames),
        );
      },
    );
    const url = `https://localhost:${await listen(unprocessed)}/`;
    assert.match(await say(url, { method: "POST", body: "x" }), /^up \| .*ENHANCE_YOUR_CALM$/u);
  });

  it("take an answer before the GOAWAY of a server that restarts", async () => {
    const url = await startHttp2((stream) => {
      stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1);
      answer(stream, {});
    });
    assert.equal(await say(url, { contains: "by 2" }), "up | 200 OK, HTTP/2");
  });

  it("end at servers that choose h2 and then speak something else, or nothing", async () => {
    const other = await startRaw((socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    assert.match(await say(other, { httpVersion: "http2" }), /^protocol \| HTTP\/2 failed: /u);
    const closes = await startRaw((socket) => void socket.destroy());
    assert.match(await say(closes, { httpVersion: "http2" }), /^(?:protocol|reset) \| /u);
    const silent = await startRaw(() => undefined);
    const result: ProbeResult = await look(
      { kind: "http", url: silent, httpVersion: "http2" },
      { timeoutMs: 300 },
    );
    assert.equal(sayResult(result), "timeout | No response within 0.3 s, while waiting for the response");
    const floods = await startRaw((socket) => {
      // An empty SETTINGS frame (RFC 9113 section 6.5), then PINGs without end.
      socket.write(hexBytes("000000 04 00 00000000"));
      const ping = hexBytes("000008 06 00 00000000 0000000000000000");
      const all = Buffer.concat(Array.from({ length: 500 }, () => ping));
      const go = (): void => void (socket.writable && socket.write(all, go));
      go();
    });
    const flooded = await look({ kind: "http", url: floods, httpVersion: "http2" }, { timeoutMs: 1_500 });
    assert.ok(
      ["timeout", "protocol", "reset", "unsupported"].includes(flooded.fault ?? ""),
      sayResult(flooded),
    );
  });
});
