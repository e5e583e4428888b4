/** Readers of headers, texts, pictures, and settings as targets of the fuzzer. */
import assert from "node:assert/strict";
import { parsePasswordHash } from "../../src/auth/base/hashing/foreign-hash.ts";
import { parseMailbox } from "../../src/kit/mail/mail.ts";
import { createClientAddress } from "../../src/kit/outbound/ip-address.ts";
import { readImageType } from "../../src/kit/pictures/image-type.ts";
import { cutPicture } from "../../src/kit/pictures/picture-parts.ts";
import { findSvgFault } from "../../src/kit/pictures/svg-check.ts";
import { CookieJar } from "../../src/kit/probes/cookie-jar.ts";
import { QueryLimitError, findQueryFault, queryJson } from "../../src/kit/probes/json-query.ts";
import { parseResolver } from "../../src/kit/probes/kinds/dns.ts";
import { readCertificates } from "../../src/kit/probes/pem.ts";
import { parseByteRange } from "../../src/shop/downloads/byte-range.ts";
import { renderMarkdown } from "../../src/shop/legal/markdown.ts";
import { parseCart, toCartText } from "../../src/shop/pages/cart-cookie.ts";
import { type FuzzTarget, NOW, toText } from "./fuzz-target.ts";

const png = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const jpeg = Uint8Array.from(
  Buffer.from(
    "ffd8ffe000104a46494600010100000100010000ffe1002245786966000049492a00080000000100120103000100000006000000000000" +
      "00ffc0001108000100010301110002110103110100ffda000c03010002110311003f00ffd9",
    "hex",
  ),
);
const webp = Uint8Array.from(
  Buffer.from(
    "524946462400000057454250565038201800000030010 09d012a0100010002003425a40003700000fefd4000".replaceAll(
      " ",
      "",
    ),
    "hex",
  ),
);

const toClient = createClientAddress(["10.0.0.0/24"]);

export const webTargets: Readonly<Record<string, FuzzTarget>> = {
  cart: {
    files: /shop\/pages\/cart-cookie/u,
    words: ["prd_", ".", "~", "%", "1", "99999999", "1e1", "0x1", " 1"],
    seeds: ["prd_a..1", "prd_a.var_b.2~prd_c..1"],
    run(bytes) {
      const lines = parseCart(toText(bytes));
      assert.deepEqual(parseCart(toCartText(lines)), lines);
      for (const { quantity } of lines) assert.ok(Number.isSafeInteger(quantity) && quantity > 0);
    },
  },
  cookies: {
    files: /kit\/probes\/cookie-jar/u,
    words: ["=", ";", "Domain=", "Path=/", "Max-Age=", "Expires=", "Secure", ".example.org", "org", "\r\n"],
    seeds: ["a=b; Path=/; Domain=example.org", "sid=1; Max-Age=60; Secure; HttpOnly"],
    run(bytes) {
      const jar = new CookieJar();
      jar.take(new URL("https://www.example.org/x"), { setCookies: toText(bytes).split("\n"), now: NOW });
      assert.doesNotMatch(jar.headerFor(new URL("https://www.example.org/x")), /[\0\r\n]/u);
      assert.equal(jar.headerFor(new URL("https://elsewhere.test/")), "");
    },
  },
  forwarded: {
    files: /kit\/outbound\/ip-address/u,
    words: [",", "10.0.0.1", "::ffff:", "[", "]", ":80", "%eth0", "unknown", "::1", "1.2.3.4"],
    seeds: ["1.2.3.4, 10.0.0.2", "[2001:db8::1]:443", "::ffff:1.2.3.4"],
    run(bytes) {
      assert.match(toClient("10.0.0.1", toText(bytes)), /^[\da-f.:]+$/u);
      assert.equal(toClient("9.9.9.9", toText(bytes)), "9.9.9.9");
    },
  },
  "byte-range": {
    files: /shop\/downloads\/byte-range/u,
    words: ["bytes=", "-", ",", "0", "999", "9007199254740993", " "],
    seeds: ["bytes=990-5000", "bytes=0-9", "bytes=-5", "bytes=5-"],
    run(bytes) {
      const wanted = parseByteRange(toText(bytes), 1_000);
      if (typeof wanted === "string") return;
      assert.ok(
        wanted.first >= 0 && wanted.first <= wanted.last && wanted.last < 1_000,
        JSON.stringify(wanted),
      );
    },
  },
  markdown: {
    files: /shop\/legal\/markdown|markdown-it/u,
    words: [
      "[a](",
      ")",
      "javascript:",
      "data:text/html,",
      "<script>",
      "![",
      "`",
      "|",
      "\n---\n",
      "&#x6a;",
      "<b>",
      "#",
      "*",
      "vbscript:",
    ],
    seeds: [
      "# A\n\n[b](https://example.org) *c*",
      "| a | b |\n|---|---|\n| 1 | 2 |",
      "<script>alert(1)</script>",
    ],
    run(bytes) {
      const html = renderMarkdown(toText(bytes));
      assert.doesNotMatch(html, /<(?:script|style|iframe|img|object|svg|form|base)\b/iu);
      assert.doesNotMatch(html, /(?:href|src)="\s*(?:javascript|vbscript|data):/iu);
      assert.doesNotMatch(html, /<[^>"]*(?:"[^"]*"[^>"]*)*\son\w+=/iu);
    },
  },
  svg: {
    files: /kit\/pictures\/(?:svg|xml)/u,
    words: [
      "<svg",
      "</svg>",
      "<script>",
      "xmlns=",
      '"http://www.w3.org/2000/svg"',
      "<!--",
      "-->",
      "<![CDATA[",
      "<!ENTITY",
      "&amp;",
      "&#x",
      "href=",
      "url(",
      "style=",
      "<use ",
      "onload=",
    ],
    seeds: [
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z" style="fill:red"/></svg>',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a"/></svg>',
    ],
    run(bytes) {
      if (findSvgFault(bytes) !== undefined) return;
      const text = toText(bytes);
      assert.doesNotMatch(text, /<!ENTITY|<script[\s/>]/iu);
    },
  },
  pictures: {
    files: /kit\/pictures\/(?:image|picture)/u,
    words: [
      "Exif\0\0",
      "II*\0",
      "MM\0*",
      "IHDR",
      "IDAT",
      "VP8 ",
      "VP8X",
      "RIFF",
      "WEBP",
      "\xff\xe1",
      "\xff\xda",
      "\x12\x01",
    ],
    seeds: [png, jpeg, webp],
    run(bytes) {
      const info = readImageType(bytes);
      // Height may come later in a JPEG: who keeps a picture rejects one without pixels.
      if (info !== undefined) assert.ok(info.width >= 0 && info.height >= 0, JSON.stringify(info));
      const cut = cutPicture(bytes);
      if (cut === undefined) return;
      assert.ok(info !== undefined, "cut, and of no known type");
      assert.deepEqual(cutPicture(cut.bytes)?.bytes, cut.bytes);
    },
  },
  "json-query": {
    files: /kit\/probes\/json-query/u,
    words: [
      "$",
      "..",
      "*",
      "[?",
      "]",
      "@.a",
      "==",
      "match(",
      "'(a+)+'",
      "search(",
      "length(",
      "&&",
      "(",
      ")",
      "[0:9:1]",
    ],
    seeds: ["$.a[0]", "$..b", "$.a[?@.c == 1]", "$.a[?match(@.d, 'x.*')]"],
    run(bytes) {
      const path = toText(bytes);
      if (findQueryFault(path) !== undefined) return;
      try {
        queryJson(path, { a: [{ c: 1, d: "aaaaaaaaaaaaaaaaaaaaaaaaaaaa" }, { b: { b: null } }], e: "x" });
      } catch (error) {
        assert.ok(error instanceof QueryLimitError, String(error));
      }
    },
  },
  addresses: {
    files: /kit\/mail\/mail\.ts|kinds\/dns/u,
    words: ["@", "<", ">", '"', "\r\n", "Bcc:", ",", "[::1]", ":53"],
    seeds: ["Ann <ann@example.org>", '"A, B" <a@example.org>', "1.1.1.1:53", "[2001:db8::1]:53"],
    run(bytes) {
      const text = toText(bytes);
      const mailbox = parseMailbox(text);
      if (mailbox !== undefined) assert.doesNotMatch(mailbox.name + mailbox.address, /[\p{Cc}\u2028\u2029]/u);
      const resolver = parseResolver(text);
      if (resolver !== undefined) assert.ok(resolver.port > 0 && resolver.port < 65_536, text);
    },
  },
  secrets: {
    files: /hashing\/foreign-hash|kit\/probes\/pem/u,
    words: [
      "$argon2id$",
      "v=19$",
      "m=65536,t=3,p=4$",
      "$2b$10$",
      "pbkdf2",
      "$scrypt$",
      "ln=15,r=8,p=1$",
      "-----BEGIN CERTIFICATE-----\n",
      "-----END CERTIFICATE-----\n",
      "MIIB",
    ],
    seeds: [
      "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
      "$2b$10$abcdefghijklmnopqrstuuQjNQmYkyB9Bn8tDn5ACRbAe2WT0YyHW",
      "pbkdf2_sha256$600000$salt$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g=",
    ],
    run(bytes) {
      const text = toText(bytes);
      parsePasswordHash(text);
      readCertificates(text);
    },
  },
};
