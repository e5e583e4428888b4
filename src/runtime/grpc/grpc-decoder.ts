/**
 * Bytes of a gRPC stream → messages with their five bytes of head, as grpc-js wants them. It stands in for grpc-js's
 * own decoder, which keeps an object for each piece of a message: a message that came in pieces of one byte took
 * hundreds of bytes for each.
 */

/** Compressed flag and length (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). */
const headBytes = 5;
/** First allocation for a message: its announced length is not trusted, received bytes are. */
const firstBytes = 1_024;
/**
 * Messages given at once: each takes a few hundred bytes until it is read, also an empty one, and a frame of
 * 16 KiB may hold thousands. What is behind them is put back, to come when these are read.
 */
const maxMessagesAtOnce = 64;

/** The part of grpc-js's decoder that a call uses. */
export interface MessageDecoder {
  /** The next messages that end in these bytes. Throws for what ends the stream with RESOURCE_EXHAUSTED. */
  write(data: Uint8Array): Buffer[];
}

export interface MessageDecoderOptions {
  readonly maxMessageBytes: number;
  /** Keeps bytes that come after too many messages; they are to be written again when those are read. */
  readonly putBack: (rest: Uint8Array) => void;
}

/** The part of `data` from `offset`, as much as `missing`, copied to `target` at `at`; how much it was. */
function copyTo(
  target: Buffer,
  at: number,
  from: { data: Uint8Array; offset: number; missing: number },
): number {
  const end = Math.min(from.data.byteLength, from.offset + from.missing);
  target.set(from.data.subarray(from.offset, end), at);
  return end - from.offset;
}

class Decoder implements MessageDecoder {
  readonly #maxMessageBytes: number;
  readonly #putBack: (rest: Uint8Array) => void;
  readonly #head = Buffer.alloc(headBytes);
  #headFilled = 0;
  /** Head and as much of the body as has come; undefined between messages. */
  #message: Buffer | undefined;
  #filled = 0;
  #size = 0;

  constructor({ maxMessageBytes, putBack }: MessageDecoderOptions) {
    this.#maxMessageBytes = maxMessageBytes;
    this.#putBack = putBack;
  }

  write(data: Uint8Array): Buffer[] {
    const complete: Buffer[] = [];
    for (let offset = 0; offset < data.byteLength;) {
      offset += this.#message === undefined ? this.#takeHead(data, offset) : this.#takeBody(data, offset);
      if (this.#message === undefined || this.#filled < this.#size) continue;
      complete.push(this.#message);
      this.#message = undefined;
      if (complete.length === maxMessagesAtOnce && offset < data.byteLength) {
        this.#putBack(data.subarray(offset));
        break;
      }
    }
    return complete;
  }

  #takeHead(data: Uint8Array, offset: number): number {
    const missing = headBytes - this.#headFilled;
    const taken = copyTo(this.#head, this.#headFilled, { data, offset, missing });
    this.#headFilled += taken;
    if (this.#headFilled < headBytes) return taken;
    const bodyBytes = this.#head.readUInt32BE(1);
    if (bodyBytes > this.#maxMessageBytes)
      throw new Error(`Received message larger than max (${bodyBytes} vs ${this.#maxMessageBytes})`);
    this.#headFilled = 0;
    this.#size = headBytes + bodyBytes;
    const here = headBytes + data.byteLength - offset - taken;
    this.#message = Buffer.allocUnsafe(Math.min(this.#size, Math.max(here, firstBytes)));
    this.#message.set(this.#head);
    this.#filled = headBytes;
    return taken;
  }

  #takeBody(data: Uint8Array, offset: number): number {
    const missing = this.#size - this.#filled;
    const message = this.#grown(this.#filled + Math.min(missing, data.byteLength - offset));
    const taken = copyTo(message, this.#filled, { data, offset, missing });
    this.#filled += taken;
    return taken;
  }

  /** The message's buffer with room for `needed` bytes; doubled, so that all copies together are linear. */
  #grown(needed: number): Buffer {
    const message = this.#message ?? Buffer.alloc(0);
    if (needed <= message.byteLength) return message;
    const larger = Buffer.allocUnsafe(Math.min(this.#size, Math.max(needed, message.byteLength * 2)));
    larger.set(message.subarray(0, this.#filled));
    this.#message = larger;
    return larger;
  }
}

export function createMessageDecoder(options: MessageDecoderOptions): MessageDecoder {
  return new Decoder(options);
}
