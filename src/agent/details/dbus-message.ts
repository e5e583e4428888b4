/** Just enough of D-Bus to call one method and read its answer (D-Bus specification 0.43, "Message Protocol"). */

const METHOD_CALL = 1;
const fields = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, signature: 8 } as const;
const FIXED_HEADER = 16;
const LITTLE_ENDIAN = 0x6c;

export interface MethodCall {
  readonly serial: number;
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** One argument of type "as"; none when absent. */
  readonly strings?: readonly string[];
}

/** Grows while values are added at their alignment. */
function createWriter() {
  const bytes: number[] = [];
  const align = (to: number): void => {
    while (bytes.length % to !== 0) bytes.push(0);
  };
  const uint32 = (value: number): void => {
    align(4);
    for (let shift = 0; shift < 32; shift += 8) bytes.push((value >>> shift) & 0xff);
  };
  return {
    bytes,
    align,
    byte: (value: number): void => void bytes.push(value),
    uint32,
    string: (text: string): void => {
      const encoded = new TextEncoder().encode(text);
      uint32(encoded.length);
      bytes.push(...encoded, 0);
    },
    signature: (text: string): void => void bytes.push(text.length, ...new TextEncoder().encode(text), 0),
    /** Writes the length of what `write` adds after the padding to 8 in front of it. */
    array: (alignment: number, write: () => void): void => {
      uint32(0);
      const lengthAt = bytes.length - 4;
      align(alignment);
      const from = bytes.length;
      write();
      const length = bytes.length - from;
      for (let index = 0; index < 4; index += 1) bytes[lengthAt + index] = (length >>> (8 * index)) & 0xff;
    },
  };
}

/** The bytes of a call, little-endian. */
export function encodeCall(call: MethodCall): Uint8Array {
  const body = createWriter();
  const { strings } = call;
  if (strings !== undefined) body.array(4, () => strings.forEach((text) => body.string(text)));
  const head = createWriter();
  for (const value of [LITTLE_ENDIAN, METHOD_CALL, 0, 1]) head.byte(value);
  head.uint32(body.bytes.length);
  head.uint32(call.serial);
  head.array(8, () => {
    const texts = [
      [fields.path, "o", call.path],
      [fields.interface, "s", call.interface],
      [fields.member, "s", call.member],
      [fields.destination, "s", call.destination],
    ] as const;
    for (const [code, type, text] of texts) {
      head.align(8);
      head.byte(code);
      head.signature(type);
      head.string(text);
    }
    if (strings === undefined) return;
    head.align(8);
    head.byte(fields.signature);
    head.signature("g");
    head.signature("as");
  });
  head.align(8);
  return Uint8Array.from([...head.bytes, ...body.bytes]);
}

/** Reads values one after the other at their alignment. @throws RangeError past the end */
export class MessageReader {
  readonly #view: DataView;
  readonly #isLittle: boolean;
  at: number;

  constructor(bytes: Uint8Array, { isLittle, at = 0 }: { isLittle: boolean; at?: number }) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isLittle = isLittle;
    this.at = at;
  }

  align(to: number): void {
    this.at = Math.ceil(this.at / to) * to;
  }

  byte(): number {
    this.at += 1;
    return this.#view.getUint8(this.at - 1);
  }

  uint32(): number {
    this.align(4);
    this.at += 4;
    return this.#view.getUint32(this.at - 4, this.#isLittle);
  }

  string(length = this.uint32()): string {
    const { buffer, byteOffset } = this.#view;
    const text = new TextDecoder().decode(new Uint8Array(buffer, byteOffset + this.at, length));
    this.at += length + 1;
    return text;
  }
}

export interface Message {
  readonly type: number;
  /** Of the call that it answers. */
  readonly replySerial: number | undefined;
  /** At the beginning of the body. */
  readonly body: MessageReader;
  /** Bytes of the whole message. */
  readonly size: number;
}

export const messageTypes = { answer: 2, error: 3 } as const;

function readReplySerial(head: MessageReader, end: number): number | undefined {
  let serial: number | undefined;
  while (head.at < end) {
    head.align(8);
    const code = head.byte();
    const type = head.string(head.byte());
    if (type === "u") {
      const value = head.uint32();
      if (code === fields.replySerial) serial = value;
    } else if (type === "g") head.string(head.byte());
    else head.string();
  }
  return serial;
}

/** The first message in `bytes`; undefined while it is not there as a whole. @throws RangeError when it is none */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  if (bytes.length < FIXED_HEADER) return undefined;
  const isLittle = bytes[0] === LITTLE_ENDIAN;
  const head = new MessageReader(bytes, { isLittle, at: 4 });
  const bodySize = head.uint32();
  head.uint32();
  const fieldsEnd = FIXED_HEADER + head.uint32();
  const bodyAt = Math.ceil(fieldsEnd / 8) * 8;
  const size = bodyAt + bodySize;
  if (bytes.length < size) return undefined;
  const replySerial = readReplySerial(head, fieldsEnd);
  const body = new MessageReader(bytes.slice(bodyAt, size), { isLittle });
  return { type: bytes[1] ?? 0, replySerial, body, size };
}
