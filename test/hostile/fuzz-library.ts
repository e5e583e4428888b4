/** Readers of libraries behind our wrappers as targets of the fuzzer: forms, DNS answers, and tokens. */
import assert from "node:assert/strict";
import { type KeyObject, generateKeyPairSync, sign } from "node:crypto";
import { type Socket, createSocket } from "node:dgram";
import { once } from "node:events";
import { Hono } from "hono";
import { createAssertions, readAssertionSubject } from "../../src/auth/client-keys/assertions.ts";
import { usedAssertions } from "../../src/auth/client-keys/records.ts";
import { readForm } from "../../src/html/sent-form.ts";
import { AppError } from "../../src/kit/errors.ts";
import type { AppEnv } from "../../src/kit/http/app.ts";
import { createOutbound } from "../../src/kit/outbound/outbound.ts";
import { dns } from "../../src/kit/probes/kinds/dns.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { createContext } from "../kit/probes/targets.ts";
import { createFixedClock } from "../support/fixed-clock.ts";
import { type FuzzTarget, NOW, jsonWords, toText } from "./fuzz-target.ts";

/** The form of a request whose Content-Type is the first line. */
const forms = new Hono<AppEnv>().post("/", async (c) => {
  const { values, files } = await readForm(c);
  for (const record of [values, files]) assert.equal(Object.getPrototypeOf(record), Object.prototype);
  for (const value of Object.values(values)) assert.equal(typeof value, "string");
  for (const file of Object.values(files)) assert.ok(file instanceof File && file.size >= 0);
  return c.body(null, 204);
});
forms.onError((error) => {
  if (error instanceof AppError) return new Response(error.message, { status: 400 });
  throw error;
});

const ISSUER = "https://id.example.org";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const clock = createFixedClock(NOW);
const assertions = createAssertions({
  store: createMemoryStore({ collections: [usedAssertions] }),
  clock,
  expiry: clock,
  outbound: createOutbound({ allowPrivate: false, privateRemedy: "", userAgent: "Trivet/test" }),
  issuer: ISSUER,
});
const client = { id: "app", jwks: { keys: [publicKey.export({ format: "jwk" })] }, jwksUri: "" };

function toToken(text: string, key: KeyObject): string {
  const [head = "", ...body] = text.split("\n");
  const signed = [head, body.join("\n")].map((part) => Buffer.from(part).toString("base64url")).join(".");
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

/** What must hold of an assertion that was taken. */
function assertMeant(body: string): void {
  const { iss, sub, aud, exp, jti } = JSON.parse(body) as Record<string, unknown>;
  assert.deepEqual([iss, sub], ["app", "app"]);
  const [only, ...others] = [aud].flat();
  assert.ok(typeof only === "string" && only.startsWith(ISSUER) && others.length === 0);
  assert.ok(
    typeof exp === "number" && exp * 1_000 > NOW - 61_000 && exp * 1_000 < NOW + 721_000,
    String(exp),
  );
  assert.ok(typeof jti === "string" && jti !== "" && jti.length <= 200);
}

const second = Math.floor(NOW / 1_000);
const claims = { iss: "app", sub: "app", aud: ISSUER, exp: second + 60, jti: "j" };
const toSeed = (more: object): string => `{"alg":"EdDSA"}\n${JSON.stringify({ ...claims, ...more })}`;

/** A resolver on loopback whose answer to each query is the input, after the query's own id and question. */
interface Resolver {
  readonly port: number;
  answer: Uint8Array;
}
let resolver: Promise<Resolver> | undefined;

async function startResolver(): Promise<Resolver> {
  const socket: Socket = createSocket("udp4");
  const made = { port: 0, answer: new Uint8Array() };
  socket.on("message", (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const head = Buffer.from(query.subarray(0, 2));
    const send = (message: Buffer): void => socket.send(message, port, address);
    const [flags, rest] = [made.answer.subarray(0, 10), made.answer.subarray(10)];
    send(Buffer.concat([head, flags, ...(flags.length < 10 ? [] : [question]), rest]));
    // What is dropped as foreign is followed by an answer that ends the question: the server fails.
    send(Buffer.concat([head, Buffer.from("818200010000000000000000".slice(0, 20), "hex"), question]));
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  socket.unref();
  return Object.assign(made, { port: socket.address().port });
}

const records = ["A", "AAAA", "CNAME", "MX", "NS", "SOA", "SRV", "TXT", "CAA"] as const;
const types = { A: 1, AAAA: 28, CNAME: 5, MX: 15, NS: 2, SOA: 6, SRV: 33, TXT: 16, CAA: 257 } as const;

/** The seed of an answer with one record: its first byte chooses the type of the question. */
function toAnswer(record: (typeof records)[number], data: string): Buffer {
  const bytes = Buffer.from(data, "hex");
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(types[record], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(bytes.length, 10);
  const flags = Buffer.from("81800001000100000000", "hex");
  return Buffer.concat([Buffer.from([records.indexOf(record)]), flags, head, bytes]);
}

export const libraryTargets: Readonly<Record<string, FuzzTarget>> = {
  multipart: {
    files: /html\/sent-form|kit\/http\/request-body|hono\/dist\/utils\/(?:body|buffer)|undici/u,
    words: [
      "multipart/form-data; boundary=x\n",
      "application/x-www-form-urlencoded\n",
      "--x\r\n",
      "--x--\r\n",
      'Content-Disposition: form-data; name="a"',
      '; filename="b.png"',
      "; filename*=UTF-8''%e2",
      "\r\nContent-Type: text/plain; charset=utf-16\r\n\r\n",
      "\r\n\r\n",
      "__proto__",
      "a[]",
      "%00",
      "&",
      "=",
    ],
    seeds: [
      'multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
      'multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name="a[]"; filename="b"\r\nContent-Type: image/png\r\n\r\nc\r\n--x\r\nContent-Disposition: form-data; name="__proto__"; filename="b"\r\n\r\nd\r\n--x--\r\n',
      "application/x-www-form-urlencoded\na=b&a=c&__proto__=d&e[]=f&%ff=%00",
    ],
    async run(bytes) {
      const end = bytes.indexOf(10);
      const type = toText(bytes.slice(0, Math.max(0, end)));
      if (!/^[\x20-\x7e]*$/u.test(type)) return;
      const request = { method: "POST", headers: { "content-type": type }, body: bytes.slice(end + 1) };
      const { status } = await forms.request("/", request);
      assert.ok(status === 204 || status === 400, String(status));
    },
  },
  dns: {
    files: /kit\/probes\/kinds\/dns/u,
    words: ["\xc0\x0c", "\0\x01\0\x01", "\x81\x80", "\x83", "\x07example\x03org\0", "\xff\xff", "\0\0\0\x3c"],
    seeds: [
      toAnswer("A", "c0000207"),
      toAnswer("AAAA", "20010db8000000000000000000000007"),
      toAnswer("CNAME", "046d61696cc00c"),
      toAnswer("MX", "000a046d61696cc00c"),
      toAnswer("SOA", "026e73c00c026862c00c0000000100000002000000030000000400000005"),
      toAnswer("SRV", "000100020050c00c"),
      toAnswer("TXT", "0561e9ff0a62"),
      toAnswer("CAA", "0005697373756561"),
    ],
    async run(bytes) {
      const found = await (resolver ??= startResolver());
      found.answer = bytes.slice(1);
      const record = records[(bytes[0] ?? 0) % records.length] ?? "A";
      const target = { name: "example.org", record, resolver: `127.0.0.1:${found.port}`, expected: ["x"] };
      const { fault, detail } = await dns.probe(target, createContext({ timeoutMs: 400 }));
      assert.ok(fault !== undefined, "an answer that holds what it cannot hold");
      assert.ok(detail === undefined || typeof detail === "string");
    },
  },
  jwt: {
    files: /client-keys\/assertions|jose\//u,
    words: [
      ...jsonWords,
      '"alg":"EdDSA"',
      '"alg":"none"',
      '"crit":["b64"]',
      '"b64":false',
      '"kid":"k"',
      '"aud":["https://id.example.org"]',
      '"sub":"app"',
      '"exp":',
      '"nbf":',
      '"jti":',
      String(second + 60),
      ".",
    ],
    seeds: [
      toSeed({}),
      toSeed({ aud: [`${ISSUER}/oauth/token`] }),
      toSeed({ nbf: second, iat: second, jti: "k" }),
      toSeed({ sub: ["app"] }),
    ],
    async run(bytes) {
      const text = toText(bytes);
      const token = toToken(text, privateKey);
      for (const one of [text, token]) assert.equal(typeof readAssertionSubject(one), "string");
      assert.equal(await assertions.check(client, text), false);
      if (!(await assertions.check(client, token))) return;
      assertMeant(text.split("\n").slice(1).join("\n"));
      assert.equal(await assertions.check(client, token), false);
    },
  },
};
