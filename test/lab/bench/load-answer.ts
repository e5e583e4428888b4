/**
 * Where an HTTP/1.1 answer ends, and no more: status line, Content-Length or chunks. Made for one request at a time
 * on a connection.
 */
import { Buffer } from "node:buffer";

const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");

/** A whole answer; the bytes of `bytes` from `bodyStart` on are its body, chunk by chunk when it is in chunks. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly bytes: Buffer;
  readonly bodyStart: number;
  readonly isChunked: boolean;
}

/** Index after the last chunk of `bytes`, or undefined when it is not there yet. */
function findEndOfChunks(bytes: Buffer, bodyStart: number): number | undefined {
  let index = bodyStart;
  for (;;) {
    const lineEnd = bytes.indexOf(LINE_END, index);
    if (lineEnd < 0) return undefined;
    const sizeBytes = Number.parseInt(bytes.toString("latin1", index, lineEnd), 16);
    if (Number.isNaN(sizeBytes)) throw new Error("A chunk without a length");
    index = lineEnd + 2 + sizeBytes + 2;
    if (index > bytes.byteLength) return undefined;
    if (sizeBytes === 0) return index;
  }
}

/** The body as text. */
export function toBody({ bytes, bodyStart, isChunked }: Answer): string {
  if (!isChunked) return bytes.toString("utf8", bodyStart);
  const parts: Buffer[] = [];
  let index = bodyStart;
  for (;;) {
    const lineEnd = bytes.indexOf(LINE_END, index);
    const sizeBytes = Number.parseInt(bytes.toString("latin1", index, lineEnd), 16);
    if (!(sizeBytes > 0)) return Buffer.concat(parts).toString("utf8");
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + sizeBytes));
    index = lineEnd + 2 + sizeBytes + 2;
  }
}

/** Takes the pieces of a connection; gives the answer once it is whole. */
export function createAnswerReader(): (piece: Buffer) => Answer | undefined {
  let bytes: Buffer | undefined;
  let head: { text: string; status: number; bodyStart: number; end: number | undefined } | undefined;
  return (piece) => {
    bytes = bytes === undefined ? piece : Buffer.concat([bytes, piece]);
    if (head === undefined) {
      const headEnd = bytes.indexOf(HEAD_END);
      if (headEnd < 0) return undefined;
      const text = bytes.toString("latin1", 0, headEnd + 2);
      const status = Number(text.slice(9, 12));
      const bodyStart = headEnd + 4;
      const length = /\r\ncontent-length: *(\d+)/iu.exec(text)?.[1];
      const isEmpty = status === 204 || status === 304;
      const end = isEmpty ? bodyStart : length === undefined ? undefined : bodyStart + Number(length);
      head = { text, status, bodyStart, end };
    }
    const end = head.end ?? findEndOfChunks(bytes, head.bodyStart);
    if (end === undefined || bytes.byteLength < end) return undefined;
    const { status, bodyStart, text } = head;
    const answer = { status, head: text, bytes, bodyStart, isChunked: head.end === undefined };
    bytes = undefined;
    head = undefined;
    return answer;
  };
}
