/** Inputs from inputs: bytes and words changed, removed, repeated, and put together with those of another. */

/** A generator of numbers that a seed repeats (mulberry32). */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const MAX_BYTES = 4_096;
const special = [
  0, 1, 9, 10, 13, 0x20, 0x22, 0x27, 0x2c, 0x2f, 0x3c, 0x5c, 0x7f, 0x80, 0xc0, 0xe2, 0xed, 0xfe, 0xff,
];

export function createMutator(words: readonly string[], random: (below: number) => number) {
  // Words with bytes above 0x7f are bytes.
  const pieces = words.map((word) => Buffer.from(word, /[\x80-\xff]/u.test(word) ? "latin1" : "utf8"));
  const put = (bytes: Buffer, at: number, piece: Uint8Array, removed = 0): Buffer =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + removed)]);

  function change(bytes: Buffer, other: Buffer): Buffer {
    const at = random(bytes.length + 1);
    const length = 1 + random(Math.min(16, bytes.length + 1));
    const piece = pieces[random(pieces.length)] ?? Buffer.alloc(1);
    switch (random(9)) {
      case 0:
        return put(bytes, at, Buffer.from([(bytes[at] ?? 0) ^ (1 << random(8))]), 1);
      case 1:
        return put(bytes, at, Buffer.from([special[random(special.length)] ?? 0]), random(2));
      case 2:
        return put(bytes, at, Buffer.alloc(0), length);
      case 3:
        return put(bytes, at, bytes.subarray(at, at + length));
      case 4:
      case 5:
        return put(bytes, at, piece);
      case 6:
        return put(bytes, at, piece, piece.length);
      case 7:
        return put(bytes, at, other.subarray(random(other.length + 1)).subarray(0, 64), random(2) * length);
      default:
        return put(
          bytes,
          at,
          Buffer.from(String(random(2) === 0 ? random(300) : random(2 ** 31))),
          random(4),
        );
    }
  }

  return (bytes: Uint8Array, other: Uint8Array): Buffer => {
    let made: Buffer = Buffer.from(bytes);
    for (let left = 1 + random(6); left > 0; left -= 1) made = change(made, Buffer.from(other));
    return made.subarray(0, MAX_BYTES);
  };
}
