/** Readers of what administrators and environments write, under generated input: an answer or a clear refusal, never anything else. FC_RUNS raises the number of runs. */
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { readLine } from "../../src/auth/transfer/import-lines.ts";
import { ConfigError, configVariables, loadConfig } from "../../src/config.ts";
import { readCsv } from "../../src/kit/files/csv.ts";
import { AppError } from "../../src/kit/errors.ts";
import { createOutbound } from "../../src/kit/outbound/outbound.ts";
import {
  type ImportItem,
  type LineError,
  type RawItem,
  parseItem,
  readNdjson,
} from "../../src/shop/transfer/product-lines.ts";
import { productColumns, readRows } from "../../src/shop/transfer/product-rows.ts";
import { type Receiver, startReceiver } from "../kit/outbound-receiver.ts";

fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? 100) });

const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.string({ unit: "grapheme" }));
const utf8 = new TextEncoder();

describe("the environment", () => {
  const secret = "s3cret-s3cret-s3cret-s3cret-s3cret";
  const value = fc.oneof(
    anyText,
    fc.constantFrom(
      "0",
      "1",
      "-1",
      "65536",
      "1e3",
      " 80 ",
      "[::1]:1",
      "a:0",
      "tls://a:70000",
      "*",
      ",",
      "10.0.0.0/33",
    ),
    fc.constantFrom(
      "https://x.example//",
      "https://:secret@",
      "nats://",
      "postgres:",
      "smtp://a@b?from=%ff",
      "javascript:0",
      "unix:",
      "unix:/run/trivet/shop.sock",
      `unix:/${"a".repeat(200)}`,
    ),
    fc.constantFrom(`postgres://u:${secret}@[`, `smtp://u:${secret}@:x`, `${secret} `, `${secret}\u0000`),
  );
  const environment = fc.dictionary(fc.constantFrom(...configVariables, "__proto__", "constructor"), value, {
    maxKeys: 12,
  });

  it("is taken, or refused with each problem by its variable and no value of a secret", () => {
    fc.assert(
      fc.property(environment, (env) => {
        try {
          const config = loadConfig(env);
          for (const port of [...Object.values(config.ports), config.grpc.port])
            if (typeof port === "number") assert.ok(Number.isInteger(port) && port >= 0 && port <= 65_535);
            else assert.ok(port === "off" || /^unix:\/./u.test(port), port);
          for (const url of [config.publicUrl, config.authPublicUrl, config.shopPublicUrl])
            if (url !== undefined) assert.ok(/^https?:$/u.test(new URL(url).protocol) && !url.endsWith("/"));
          const { publicGrpc } = config;
          if (publicGrpc !== undefined) assert.ok(Number(publicGrpc.address.split(":").at(-1)) >= 1);
        } catch (error) {
          assert.ok(error instanceof ConfigError, String(error));
          assert.ok(error.problems.length > 0);
          for (const problem of error.problems) {
            assert.ok(
              configVariables.some((name) => problem.startsWith(`${name} `)),
              problem,
            );
            assert.doesNotMatch(problem, /s3cret|[\p{Cc}\u2028\u2029]/u);
          }
        }
      }),
    );
  });
});

/** JSON objects with some of these names, of any value. */
const membersOf = (names: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(
    fc.constantFrom(...names, "__proto__", "constructor", "role"),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      anyText,
      fc.double(),
      fc.constantFrom("ann", "ann@example.org", "=1+1"),
    ),
    { maxKeys: 10 },
  );

describe("lines of imports", () => {
  const accounts = membersOf([
    "username",
    "email",
    "passwordHash",
    "points",
    "createdAt",
    "status",
    "timeZone",
  ]);

  it("of accounts are an account or tell what is wrong, without the hash", () => {
    const written = accounts.map((fields) =>
      utf8.encode(JSON.stringify({ username: "ann", email: "ann@example.org", ...fields })),
    );
    fc.assert(
      fc.property(fc.oneof(written, fc.uint8Array({ maxLength: 200 })), fc.nat(), (line, number) => {
        const isKnown = (hash: string): boolean => hash.length % 2 === 0;
        const read = readLine({ number, line }, { isKnown, nowMs: 1_000 });
        assert.equal(read.number, number);
        if ("fields" in read) {
          assert.ok(read.fields.type === "account");
          assert.ok(["user", "admin"].includes(read.fields.role));
          assert.ok(Number.isSafeInteger(read.fields.points) && read.fields.points >= 0);
          assert.equal(Object.getPrototypeOf(read.fields), Object.prototype);
        } else assert.doesNotMatch(read.error.message, /[\p{Cc}\u2028\u2029]/u);
      }),
    );
    const hash = "$2b$10$never-shown-to-anybody";
    const line = utf8.encode(JSON.stringify({ username: "ann", email: "a@example.org", passwordHash: hash }));
    const refused = readLine({ number: 1, line }, { isKnown: () => false, nowMs: 0 });
    assert.ok("error" in refused && !refused.error.message.includes("never-shown"));
  });

  async function gather(items: AsyncIterable<RawItem | LineError>): Promise<(ImportItem | LineError)[]> {
    const found: (ImportItem | LineError)[] = [];
    for await (const raw of items) found.push(...("line" in raw ? [raw] : [parseItem(raw)].flat()));
    return found;
  }

  function check(found: readonly (ImportItem | LineError)[], lines: number): void {
    for (const one of found) {
      const numbers = "line" in one ? [one.line] : one.lines;
      for (const number of numbers) assert.ok(number >= 1 && number <= lines, String(number));
      if ("line" in one) assert.ok(one.code !== "" && one.message !== "");
      else
        for (const amount of [one.fields.price ?? 0, one.fields.onHand ?? 0])
          assert.ok(amount >= 0 && Number.isSafeInteger(amount));
    }
  }

  const names = ["id", "title", "slug", "price", "currency", "variants", "tags", "onHand", "deliveryType"];
  const product = membersOf(names).map((fields) => ({ title: "Mug", price: 1, ...fields }));

  it("of products are products or tell what is wrong by their line", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(product, fc.jsonValue()), { maxLength: 4 }), async (values) => {
        const text = values.map((one) => JSON.stringify(one)).join("\n");
        check(await gather(readNdjson(utf8.encode(text))), values.length);
      }),
    );
  });

  it("of tables of products agree, whatever their cells contain", async () => {
    const cell = fc.oneof(anyText, fc.constantFrom("", "1", "-1", "1e9", "a|b", "=1+1", "prd_", "true", '"'));
    const header = fc.oneof(fc.constant([...productColumns]), fc.shuffledSubarray([...productColumns, "x"]));
    const table = fc.tuple(header, fc.array(fc.array(cell, { maxLength: 30 }), { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(table, async ([columns, rows]) => {
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [columns, ...rows].map((row) => row.map(quote).join(",")).join("\r\n");
        try {
          check(
            await gather(readRows(readCsv(utf8.encode(text)).rows, { currency: "EUR" })),
            text.split(/\r\n|[\r\n]/u).length,
          );
        } catch (error) {
          // A table that cannot be read as one is refused as a whole.
          assert.ok(error instanceof AppError && error.code !== "internal", String(error));
        }
      }),
    );
  });
});

describe("where a receiver sends a message on to", () => {
  let peer: Receiver;
  before(async () => {
    peer = await startReceiver();
  });
  after(() => peer.close());

  const octet = fc.integer({ min: 0, max: 255 });
  const forbidden = fc
    .tuple(fc.constantFrom([169, 254], [100, 100], [0, 1], [224, 0], [192, 0]), octet, octet)
    .map(([[a, b], c, d]) =>
      a === 192 ? [192, 0, 2, d] : a === 100 ? [100, 100, 100, 200] : [a ?? 0, b ?? 0, c, d],
    );
  const spelling = fc.constantFrom(
    (parts: readonly number[]) => parts.join("."),
    (parts: readonly number[]) => String(parts.reduce((all, part) => all * 256 + part, 0)),
    (parts: readonly number[]) => parts.map((part) => `0x${part.toString(16)}`).join("."),
    (parts: readonly number[]) => parts.map((part) => `0${part.toString(8)}`).join("."),
    (parts: readonly number[]) => `${parts.join(".")}.`,
    (parts: readonly number[]) => `[::ffff:${parts.join(".")}]`,
    (parts: readonly number[]) => `[64:ff9b::${parts.join(".")}]`,
    (parts: readonly number[]) => `inside-${parts.join("-")}.example`,
  );
  const target = fc.constantFrom(
    (host: string) => `http://${host}/latest`,
    (host: string) => `http://${host}:8080/latest`,
    (host: string) => `//${host}/latest`,
    (host: string) => `HTTP:\\\\${host}\\latest`,
    (host: string) => `http://localhost@${host}/latest`,
  );

  it("is judged again, by its address, in whatever way it is spelled", async () => {
    // A name is where it says; every other one is this machine.
    const lookup = async (name: string): Promise<readonly string[]> => {
      const inside = /^inside-([\d-]+)\.example$/u.exec(name)?.[1];
      return [inside === undefined ? "127.0.0.1" : inside.replaceAll("-", ".")];
    };
    const outbound = createOutbound({ allowPrivate: true, privateRemedy: "", userAgent: "test", lookup });
    await fc.assert(
      fc.asyncProperty(
        forbidden,
        spelling,
        target,
        fc.constantFrom(307, 308, 301),
        async (parts, spell, toTarget, status) => {
          const location = toTarget(spell(parts));
          peer.answer((_request, response) => void response.writeHead(status, { location }).end());
          const seen = peer.requests.length;
          const outcome = await outbound.send({ method: "GET", url: `${peer.origin}/start` });
          assert.equal(outcome.kind, "refused", `${location} ${JSON.stringify(outcome)}`);
          assert.equal(peer.requests.length, seen + 1, location);
        },
      ),
      { numRuns: 60 },
    );
  });
});
