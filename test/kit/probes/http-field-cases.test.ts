/** What users of other monitors reported of HTTP bodies and certificates; docs/notes/checks-field-cases.md lists them. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import { isDeno } from "../../support/own-runtime.ts";
import { ended, good, selfSigned } from "./certificates.ts";
import { look, sayResult, serveHttp, serveTcp, type TargetServer } from "./targets.ts";

let server: TargetServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(
  body: Uint8Array | string,
  headers: Record<string, string> = {},
  status = 200,
): Promise<object> {
  await server?.close();
  server = await serveHttp((_request, response) => response.writeHead(status, headers).end(body));
  return { kind: "http", url: `http://localhost:${server.port}/` };
}

const say = async (target: object, more: object): Promise<string> =>
  sayResult(await look({ ...target, ...more }));
const json = (path: string, operator: string, value = ""): object => ({ json: { path, operator, value } });
const condition = (name: string, operator: string, value = ""): object => ({
  conditions: [{ subject: "json", name, operator, value }],
});

describe("bodies that other monitors judged wrongly", () => {
  it("uptime-kuma#4375, #2253: compressed without a request for it", async () => {
    const page = "<html>Law firm</html>";
    for (const [coding, body] of Object.entries({ gzip: gzipSync(page), br: brotliCompressSync(page) }))
      assert.equal(
        await say(await serve(body, { "content-encoding": coding }), { contains: "Law firm" }),
        "up | 200 OK",
      );
  });

  it("uptime-kuma#3816: incorrect header check of raw deflate", async () => {
    const target = await serve(deflateRawSync("Startpage"), { "content-encoding": "deflate" });
    assert.equal(await say(target, { contains: "Startpage" }), "up | 200 OK");
    assert.equal(await say(target, {}), "up | 200 OK");
  });

  it("uptime-kuma#2030: one UP hides a DOWN further down", async () => {
    const target = await serve(
      JSON.stringify({ systems: [{ state: "UP" }, { state: "DOWN" }, { state: "UP" }] }),
    );
    assert.equal(await say(target, { contains: "UP" }), "up | 200 OK");
    assert.match(
      await say(target, json("$.systems[*].state", "=", "UP")),
      /^content \| .*"DOWN" \(1 of 3 values\)/u,
    );
    const pattern = { conditions: [{ subject: "body", operator: "mismatches", value: '"DOWN"' }] };
    assert.equal(await say(target, pattern), 'content | Body mismatches "\\"DOWN\\"": "\\"DOWN\\""');
  });

  it("uptime-kuma#2598: the words are there in another case", async () => {
    const target = await serve("VIP tickets On Sale Soon");
    assert.equal(
      await say(target, { contains: "on sale soon" }),
      "content | The expected text is not in the response",
    );
    const pattern = { conditions: [{ subject: "body", operator: "matches", value: "(?i)on sale soon" }] };
    assert.equal(await say(target, pattern), "up | 200 OK");
  });

  it("uptime-kuma#7041: a list of JSON that could not be read", async () => {
    const target = await serve('[{"type":"PBD","attached":true}]', { "content-type": "application/json" });
    assert.equal(await say(target, json("[0].attached", "=", "true")), "up | 200 OK");
    assert.equal(await say(target, json("$[0].type", "=", "PBD")), "up | 200 OK");
    assert.equal(await say(target, condition("$[?@.type=='PBD'].attached", "=", "true")), "up | 200 OK");
  });

  it("uptime-kuma#5088, #7642: a path that is not there, 0, and a trailing comma", async () => {
    const target = await serve('{"btc":{"ok_workers":4,"off_workers":0}}');
    assert.equal(await say(target, json("btc.ok_workers", "=", "4")), "up | 200 OK");
    assert.equal(await say(target, json("btc.off_workers", "=", "0")), "up | 200 OK");
    assert.equal(
      await say(target, json("$.btc.lost", "!=", "x")),
      'content | "$.btc.lost" is not in the response',
    );
    assert.match(
      await say(target, condition("$.btc.lost", "!=", "x")),
      /^content \| .*not in the response$/u,
    );
    const broken = await serve('{"btc":{"ok_workers":4,}}');
    assert.equal(await say(broken, json("btc.ok_workers", "=", "4")), "content | The response is not JSON");
  });

  it("uptime-kuma#4491: a page of HTML in the place of JSON", async () => {
    const target = await serve("<!doctype html><title>Sign in</title>");
    assert.equal(
      await say(target, json("$.importantnumber", "<", "1000")),
      "content | The response is not JSON",
    );
  });

  it("uptime-kuma#6308: every sensor must be OK, and the alert says which is not", async () => {
    const target = await serve('{"sensor1":"OK","sensor2":"WARNING","sensor3":"OK","sensor4":"CRITICAL"}');
    assert.equal(
      await say(target, condition("$.*", "=", "OK")),
      'content | JSON $.* = "OK": "WARNING" (2 of 4 values)',
    );
    const good4 = await serve('{"sensor1":"OK","sensor2":"OK"}');
    assert.equal(await say(good4, condition("$.*", "=", "OK")), "up | 200 OK");
  });

  it("gatus#122: a path that goes on into a text", async () => {
    const target = await serve('{"data":{"name":"john"}}');
    for (const path of ["data.name.invalid", "$.data.name.length", "$.data.name[0]"])
      assert.equal(await say(target, json(path, "=", "john")), `content | "${path}" is not in the response`);
  });

  it("gatus#195, #1394: items of lists, and filters", async () => {
    const target = await serve(
      '{"result":{"accounts":[{"account":1,"registered":true},{"account":2,"registered":false}]}}',
    );
    assert.equal(await say(target, json("result.accounts[0].registered", "=", "true")), "up | 200 OK");
    assert.equal(
      await say(target, condition("$.result.accounts[?@.account==1].registered", "=", "true")),
      "up | 200 OK",
    );
    assert.equal(await say(target, condition("$.result[?count(@[*])>=2]", "exists")), "up | 200 OK");
  });

  it("blackbox_exporter#684: a forbidden text in a compressed page", async () => {
    const target = await serve(gzipSync("<!DOCTYPE html>"), { "content-encoding": "gzip" });
    const headers = [{ name: "Accept-Encoding", value: "gzip" }];
    const conditions = [{ subject: "body", operator: "mismatches", value: "<!DOCTYPE html>" }];
    assert.equal((await look({ ...target, headers, conditions })).fault, "content");
  });

  it("blackbox_exporter#836, #1276: a response without an end", async () => {
    await server?.close();
    server = await serveHttp((_request, response) => {
      response.writeHead(200);
      const send = (): void => {
        while (!response.destroyed && response.write("data: tick\n\n".repeat(1_000)));
        if (!response.destroyed) response.once("drain", send);
      };
      send();
    });
    const target = { kind: "http", url: `http://localhost:${server.port}/` };
    assert.equal(await say(target, {}), "up | 200 OK");
    assert.equal(await say(target, { contains: "tick" }), "up | 200 OK");
    assert.match(
      await say(target, { contains: "tock" }),
      /^not_judged \| The response is longer than 1 MiB/u,
    );
  });

  it("a byte now and then ends at the time-out", async () => {
    await server?.close();
    server = await serveHttp((_request, response) => {
      response.writeHead(200).write("x");
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const target = { kind: "http", url: `http://localhost:${server.port}/`, contains: "END" };
    const result = await look(target, { timeoutMs: 300 });
    assert.equal(sayResult(result), "timeout | No response within 0.3 s, while reading the response");
  });
});

describe("certificates that other monitors judged wrongly", () => {
  const DAY = 86_400_000;
  async function serveTls(pair = good): Promise<object> {
    await server?.close();
    server = await serveHttp((_request, response) => response.end("x"), pair);
    return { kind: "http", url: `https://localhost:${server.port}/` };
  }
  const at = (ms: number): object => ({ now: () => ms, monotonic: () => performance.now() });

  it("uptime-kuma#1364, #844: a site that works is not down because its certificate ends soon", async () => {
    const target = await serveTls();
    const clock = at(Date.UTC(2125, 11, 28));
    // `as`: a clock as the probe has it.
    const result = await look(target, { clock: clock as never });
    assert.equal(sayResult(result), "up | 200 OK");
    assert.equal(Math.floor(((result.certificate?.validTo ?? 0) - Date.UTC(2125, 11, 28)) / DAY), 4);
  });

  it("uptime-kuma#2424: an expired certificate is accepted alone, and seen all the same", async () => {
    const target = await serveTls(ended);
    assert.match(sayResult(await look(target)), /^certificate \| The certificate expired on/u);
    // Deno says of an expired certificate nothing about who signed it.
    const acceptsCertificate = isDeno ? ["expired", "issuer"] : ["expired"];
    const accepted = await look({ ...target, acceptsCertificate });
    assert.equal(sayResult(accepted), "up | 200 OK");
    assert.equal(accepted.certificate?.isTrusted, false);
  });

  it("Checkmate#3646: on another port than 443", async () => {
    assert.ok((await look(await serveTls())).certificate !== undefined);
  });

  it("OneUptime#3225: self-signed is down, and a stalled handshake ends", async () => {
    assert.match(
      sayResult(await look(await serveTls(selfSigned))),
      /^certificate \| The certificate is not trusted/u,
    );
    await server?.close();
    server = await serveTcp();
    const target = { kind: "http", url: `https://localhost:${server.port}/` };
    const stalled = await look(target, { timeoutMs: 200 });
    assert.equal(sayResult(stalled), "timeout | No response within 0.2 s, during the TLS handshake");
  });

  it("upptime/uptime-monitor#261: of a server that speaks TLS and no HTTP, by the kind for it", async () => {
    await server?.close();
    server = await serveHttp((request) => request.socket.end("220 mail\r\n"), good);
    const result = await look({ kind: "tls", host: "localhost", port: server.port });
    assert.equal(result.fault, undefined);
    assert.ok(result.certificate);
  });
});
