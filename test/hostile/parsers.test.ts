/** Readers of what strangers write, under generated input: nothing but an answer or a refusal comes out. FC_RUNS raises the number of runs. */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toEmailKey } from "../../src/auth/accounts/accounts.ts";
import { emailSchema } from "../../src/auth/accounts/schema.ts";
import { createClientAddress } from "../../src/kit/outbound/ip-address.ts";
import { toCsvLine } from "../../src/kit/files/csv-line.ts";
import { readCsv } from "../../src/kit/files/csv.ts";
import { AppError } from "../../src/kit/errors.ts";
import { isMailAddress, parseMailbox } from "../../src/kit/mail/mail.ts";
import { classifyAddress } from "../../src/kit/outbound/allowed-networks.ts";
import { parseSmtpUrl } from "../../src/kit/mail/smtp-url.ts";
import { readNotice } from "../../src/shop/payments/notice-input.ts";
import { parseCursor, toCursor } from "../../src/store/cursor.ts";
import { StoreError } from "../../src/store/store.ts";

fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? 100) });

const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.string({ unit: "grapheme" }));
const forges = /[\p{Cc}\u2028\u2029]/u;

describe("a client's address", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const proxy = octet.map((last) => `10.0.0.${last}`);
  const stranger = fc
    .tuple(fc.integer({ min: 11, max: 200 }), octet, octet)
    .map(([a, b, c]) => `${a}.${b}.${c}.7`);
  const written = fc.constantFrom(
    (ip: string) => ip,
    (ip: string) => ` ${ip} `,
    (ip: string) => `${ip}:4711`,
    (ip: string) => `::ffff:${ip}`,
    (ip: string) => `[::ffff:${ip}]:80`,
    (ip: string) => `::FFFF:${ip}%eth0`,
  );
  const garbage = fc.constantFrom(
    "",
    "unknown",
    "_hidden",
    "1.2.3",
    "256.1.1.1",
    "127.1",
    "0x7f.0.0.1",
    "[::1",
    "::1::",
    "1.2.3.4:5:6",
  );
  const toAddress = createClientAddress(["10.0.0.0/24"]);

  it("is the first one from the right that is no proxy, however it is written", () => {
    const entry = fc.record({ ip: fc.oneof(proxy, stranger), write: written });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), proxy, (chain, peer) => {
        const header = chain.map(({ ip, write }) => write(ip)).join(",");
        const isProxy = (ip: string): boolean => ip.startsWith("10.0.0.");
        const expected = [...chain].reverse().find(({ ip }) => !isProxy(ip))?.ip ?? chain[0]?.ip;
        assert.equal(toAddress(peer, header), expected);
      }),
    );
  });

  it("is found to the right of garbage, and is the peer's when that is no proxy", () => {
    fc.assert(
      fc.property(stranger, garbage, proxy, stranger, (claimed, junk, last, peer) => {
        assert.equal(toAddress("10.0.0.1", `${claimed},${junk},${last}`), last);
        assert.equal(toAddress(peer, `${claimed},${last}`), peer);
      }),
    );
  });

  it("is an address whatever a proxy passes on", () => {
    fc.assert(fc.property(anyText, (header) => assert.match(toAddress("10.0.0.1", header), /^[\da-f.:]+$/u)));
  });
});

describe("a cursor", () => {
  it("is taken back as it was, and refused when it is cut, changed or of another list", () => {
    const key = fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(key, fc.nat(), anyText, (parts, at, junk) => {
        const cursor = toCursor("byName", parts);
        const expected = { index: "byName", length: parts.length };
        assert.deepEqual(parseCursor(cursor, expected), parts);
        const place = at % cursor.length;
        for (const tampered of [cursor.slice(0, place), `${cursor}A`, cursor.slice(0, place) + junk, junk]) {
          try {
            const values = parseCursor(tampered, expected);
            assert.equal(values.length, parts.length);
          } catch (error) {
            assert.ok(error instanceof StoreError && error.code === "bad_cursor", String(error));
          }
        }
        assert.throws(() => parseCursor(cursor, { index: "byId", length: parts.length }), {
          code: "bad_cursor",
        });
        assert.throws(() => parseCursor(cursor, { ...expected, length: parts.length + 1 }), {
          code: "bad_cursor",
        });
      }),
    );
  });
});

describe("mail addresses", () => {
  const near = fc
    .tuple(
      anyText,
      fc.constantFrom("@", "@@", ">", "\r\nBcc: ", ",", ""),
      fc.constantFrom("example.org", "exämple.org", "[127.0.0.1]", "x"),
    )
    .map((parts) => parts.join(""));

  it("hold one recipient and forge no header", () => {
    fc.assert(
      fc.property(fc.oneof(near, anyText, fc.emailAddress()), (text) => {
        if (isMailAddress(text)) assert.doesNotMatch(text, /[\s,;<>]|@.*@/u);
        const mailbox = parseMailbox(text);
        if (mailbox !== undefined) {
          assert.ok(isMailAddress(mailbox.address));
          assert.doesNotMatch(mailbox.name, forges);
        }
        if (!emailSchema.safeParse(text).success) return;
        assert.ok(isMailAddress(text), text);
        assert.equal(toEmailKey(toEmailKey(text)), toEmailKey(text));
      }),
    );
  });

  it("and where mail goes out are read or refused, never half", () => {
    const url = fc
      .tuple(
        fc.constantFrom("smtp://", "smtps://", "http://", ""),
        anyText,
        fc.constantFrom("", "@", ":25", "?from=a@b.c", "?security=none"),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(url, anyText, fc.webUrl()), (text) => {
        const settings = parseSmtpUrl(text);
        if (settings === undefined) return;
        for (const value of [settings.host, settings.user ?? "", settings.password ?? "", settings.from])
          assert.doesNotMatch(value, forges);
        assert.ok(settings.port > 0 && settings.port < 65_536);
      }),
    );
  });
});

describe("tables and notices", () => {
  it("bring back what was written, without a formula in it", async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom("=1+1", "+1", "-1", "@x", "'=x", 'a"b', "a,b", "a\nb", "\t="),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 2, maxLength: 5 }), async (cells) => {
        const row = ["x", ...cells];
        const line = toCsvLine(row);
        for (const one of cells)
          if (!/^-\d+(?:\.\d+)?$/u.test(one)) assert.doesNotMatch(toCsvLine([one]), /^"?[=+@-]/u);
        const rows: (readonly string[])[] = [];
        for await (const { cells: read } of readCsv(new TextEncoder().encode(line)).rows) rows.push(read);
        assert.deepEqual(rows, [row]);
      }),
    );
  });

  it("are refused with a code when they are something else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.jsonValue(), async (bytes, value) => {
        const read = async (): Promise<void> => {
          for await (const row of readCsv(bytes).rows) assert.ok(row.cells.length > 0);
        };
        await read().catch((error: unknown) => assert.ok(error instanceof AppError, String(error)));
        try {
          assert.ok(readNotice(value).amount >= 0);
        } catch (error) {
          assert.ok(error instanceof AppError && error.code === "invalid", String(error));
        }
      }),
    );
  });
});

describe("addresses that an administrator sets", () => {
  it("are judged by what a URL makes of them, in every spelling of an IPv4 address", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.constantFrom(10, 127), octet, octet, octet, (a, b, c, d) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const hex = (part: number): string => `0x${part.toString(16)}`;
        const octal = (part: number): string => `0${part.toString(8)}`;
        const spellings = [
          `${a}.${b}.${c}.${d}`,
          String(number),
          hex(number),
          [a, b, c, d].map(hex).join("."),
          [a, b, c, d].map(octal).join("."),
          `${a}.${b}.${c * 256 + d}`,
          `${a}.${b}.${c}.${d}.`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
          `[64:ff9b::${a}.${b}.${c}.${d}]`,
        ];
        for (const spelling of spellings) {
          const { hostname } = new URL(`http://${spelling}/`);
          const host = hostname.replaceAll(/^\[|\]$|\.$/gu, "");
          assert.notEqual(classifyAddress(host), "public", spelling);
        }
      }),
    );
  });
});
