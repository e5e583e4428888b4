import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type MessageDecoder, createMessageDecoder } from "../../../src/runtime/grpc/grpc-decoder.ts";

function toMessage(body: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(body.byteLength, 1);
  return Buffer.concat([head, body]);
}

function createDecoder(maxMessageBytes: number): MessageDecoder {
  return createMessageDecoder({ maxMessageBytes, putBack: () => assert.fail("Nothing is put back") });
}

describe("createMessageDecoder", () => {
  it("gives the same messages however their bytes are cut", () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 });
    const sizes = fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(bodies, sizes, (parts, cuts) => {
        const messages = parts.map((body, index) => toMessage(body, index % 2));
        const bytes = Buffer.concat(messages);
        const decoder = createDecoder(3_000);
        const seen: Buffer[] = [];
        let at = 0;
        for (let turn = 0; at < bytes.byteLength; turn += 1) {
          const end = at + (cuts[turn % cuts.length] ?? 0) + (turn % 7 === 0 ? 1 : 0);
          seen.push(...decoder.write(bytes.subarray(at, end)));
          at = end;
        }
        assert.deepEqual(
          seen.map((message) => message.toString("hex")),
          messages.map((message) => message.toString("hex")),
        );
      }),
    );
  });

  it("gives copies: what came may be used again", () => {
    const bytes = toMessage(Buffer.from("as it came"));
    const [message] = createDecoder(100).write(bytes);
    bytes.fill(0);
    assert.equal(message?.toString("utf8", 5), "as it came");
  });

  it("refuses a message over the limit by its head alone", () => {
    assert.equal(createDecoder(10).write(toMessage(Buffer.alloc(10))).length, 1);
    const head = toMessage(Buffer.alloc(11)).subarray(0, 5);
    assert.throws(() => createDecoder(10).write(head), /larger than max \(11 vs 10\)/u);
  });

  it("takes no memory for a length that is only announced", () => {
    const head = Buffer.from([0, 0x0f, 0xff, 0xff, 0xff]);
    const before = process.memoryUsage().arrayBuffers;
    const decoders = Array.from({ length: 200 }, () => createDecoder(0x10000000));
    for (const decoder of decoders) assert.deepEqual(decoder.write(head), []);
    assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
  });

  it("gives 64 messages at once and puts the rest back", () => {
    const rests: Uint8Array[] = [];
    const decoder = createMessageDecoder({ maxMessageBytes: 10, putBack: (rest) => rests.push(rest) });
    const many = Buffer.concat(Array.from({ length: 150 }, () => toMessage(Buffer.from("x"))));
    const counts = [decoder.write(many).length];
    for (let rest = rests.shift(); rest !== undefined; rest = rests.shift())
      counts.push(decoder.write(rest).length);
    assert.deepEqual(counts, [64, 64, 22]);
  });
});
