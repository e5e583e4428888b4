import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import { createAnswerReader, toBody } from "./bench/load-answer.ts";

const withLength = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
const inChunks =
  "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0\r\n\r\r\n1\r\n!\r\n0\r\n\r\n";
const empty = "HTTP/1.1 204 No Content\r\n\r\n";

/** Reads `text` in pieces of `size` bytes; the answers, and the index of the piece that ended each. */
function readInPieces(text: string, size: number): { status: number; body: string; end: number }[] {
  const read = createAnswerReader();
  const answers: { status: number; body: string; end: number }[] = [];
  for (let start = 0; start < text.length; start += size) {
    const answer = read(Buffer.from(text.slice(start, start + size), "latin1"));
    if (answer !== undefined)
      answers.push({ status: answer.status, body: toBody(answer), end: start + size });
  }
  return answers;
}

describe("createAnswerReader", () => {
  for (const [name, text, expected] of [
    ["a body with a length", withLength, { status: 200, body: "body" }],
    ["a body in chunks, one of which looks like the end", inChunks, { status: 201, body: "0\r\n\r!" }],
    ["no body", empty, { status: 204, body: "" }],
  ] as const) {
    it(`ends ${name} at its last byte, whole and byte by byte`, () => {
      const end = text.length;
      assert.deepEqual(readInPieces(text, end), [{ ...expected, end }]);
      assert.deepEqual(readInPieces(text, 1), [{ ...expected, end }]);
    });
  }

  it("reads one answer after the other on a connection", () => {
    const answers = readInPieces(inChunks + withLength, 1);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200],
    );
  });
});
