/** HTTP/2 frames by hand, for tests that send what no client would (RFC 9113 section 4, RFC 7541 section 6). */

export interface RawFrame {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Uint8Array;
}

/** The bytes of one frame. */
export function toFrame(frame: RawFrame): Buffer {
  const payload = frame.payload ?? Buffer.alloc(0);
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head[3] = frame.type;
  head[4] = frame.flags ?? 0;
  head.writeUInt32BE(frame.stream ?? 0, 5);
  return Buffer.concat([head, payload]);
}

/** What a client says first: the preface and empty settings. */
export function toPreface(): Buffer {
  return Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), toFrame({ type: 4 })]);
}

/** A header field, never indexed and without Huffman coding. */
function toField(name: string, value: string): Buffer {
  const parts = [name, value].flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]);
  return Buffer.concat([Buffer.from([0x10]), ...parts]);
}

/** A header block of a POST to `path`; without a content type unless one is given. */
export function toHeaders(options: {
  path: string;
  contentType?: string;
  fields?: readonly Buffer[];
}): Buffer {
  const { path, contentType, fields = [] } = options;
  const type = contentType === undefined ? [] : [toField("content-type", contentType)];
  // 0x83 is ":method: POST", 0x86 ":scheme: http" of the static table.
  return Buffer.concat([
    Buffer.from([0x83, 0x86]),
    toField(":path", path),
    toField(":authority", "test"),
    ...type,
    ...fields,
  ]);
}
