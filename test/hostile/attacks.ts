/** What strangers send: bodies, wishes, words and queries. Nothing here knows a route. */
const utf8 = new TextEncoder();
/** Headers of a JSON body. */
export const json = { "content-type": "application/json" };

/** Bodies that are no strict JSON, each by what is wrong with it. */
export const brokenBodies: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  nothing: "",
  "half an object": '{"a":',
  "60,000 levels of lists": "[".repeat(60_000),
  "levels of objects": '{"a":'.repeat(12_000),
  "a number out of range": '{"n":1e400}',
  "65 levels of lists": "[".repeat(65) + "]".repeat(65),
  "an own prototype": '{"__proto__":{"polluted":1}}',
  "half a character": '{"a":"\\ud800"}',
  "a raw control character": '{"a":"\u0000"}',
  "invalid UTF-8": Uint8Array.from([...utf8.encode('{"a":"'), 0xff, ...utf8.encode('"}')]),
  "a surrogate in UTF-8": Uint8Array.from([...utf8.encode('{"a":"'), 0xed, 0xa0, 0x80, ...utf8.encode('"}')]),
};

/** Rejected before the body is read. */
export const REFUSED = [400, 401, 403, 404, 409, 412, 415, 422, 429];

/** Names that a client might hope to set, each with a value that would show in a record. */
const SENTINEL = 987_654_321;
export const wishes: Readonly<Record<string, unknown>> = {
  id: "sentinel-id-9f3a",
  userId: "sentinel-user-9f3a",
  ownerId: "sentinel-user-9f3a",
  isAdmin: true,
  role: "sentinel-role-9f3a",
  status: "sentinel-status-9f3a",
  version: SENTINEL,
  price: SENTINEL,
  createdAt: SENTINEL,
  updatedAt: SENTINEL,
  points: SENTINEL,
  amountPaid: SENTINEL,
  total: SENTINEL,
  passwordHash: "sentinel-hash-9f3a",
  keyHash: "sentinel-hash-9f3a",
  tokenEpoch: SENTINEL,
  constructor: { prototype: { polluted: SENTINEL } },
  prototype: { polluted: SENTINEL },
};
/** What records hold when one of the wishes was granted. */
export const sentinels = /987654321|sentinel-\w+-9f3a|"isAdmin"/u;

/** What no id and no name is, spelled as in a path. */
export const hostileWords = [
  "__proto__",
  "constructor",
  "toString",
  "%00",
  "%0d%0aX-Injected:%201",
  "%e2%80%a8",
  "%c0%af",
  "%",
  "..%2f..%2fetc%2fpasswd",
  "..%5c..%5c",
  "%252e%252e%252f",
  "x".repeat(10_000),
  "%F0%9F%92%A9".repeat(300),
  "'%20OR%201=1--",
];

/** Queries that no parameter takes. */
export const hostileQueries = [
  (name: string): string => `${name}=__proto__&${name}=constructor`,
  (name: string): string => `${name}[]=1&${name}[__proto__][polluted]=1&__proto__[polluted]=1`,
  (name: string): string => `${name}=%00`,
  (name: string): string => `${name}=%0d%0aX-Injected:%201%e2%80%a8`,
  (name: string): string => `${name}=${"9".repeat(10_000)}`,
  (name: string): string => `${name}=-1e400`,
];

/** Bytes. */
export const oneMiB = 1_024 * 1_024;

/** A body without end that counts what is taken of it. */
export function endless(): { body: ReadableStream<Uint8Array<ArrayBuffer>>; taken: () => number } {
  let taken = 0;
  const piece = new Uint8Array(oneMiB).fill(0x20);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      taken += piece.byteLength;
      controller.enqueue(piece);
    },
  });
  return { body, taken: () => taken };
}
