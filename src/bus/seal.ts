/**
 * Messages between nodes as they travel: encrypted and proved in one (AES-256-GCM, NIST SP 800-38D) by a key that
 * all nodes of a service share, so that who else is on the NATS server can neither read nor send any. A repeat of
 * what was sent before is refused by its number, and once that is forgotten by its time.
 */
import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MAX_MESSAGE_BYTES } from "./bus.ts";

/** Clocks of nodes may differ by this much, and messages be on their way. */
const MAX_AGE_MS = 60_000;
/** Forms of what is encrypted: as it is, and for longer messages deflated (RFC 1951). */
const PLAIN = 1;
const DEFLATED = 2;
const DEFLATE_BYTES = 1_000;
/** Form, sender, number, time (ms since 1970); then the tag, and what is encrypted. */
const SENDER_BYTES = 16;
const NUMBER_AT = 1 + SENDER_BYTES;
const TIME_AT = NUMBER_AT + 8;
const HEADER_BYTES = TIME_AT + 8;
const TAG_BYTES = 16;

export interface BusSealOptions {
  /** The service's own, at least 32 characters, the same on every node. */
  readonly secret: string;
  /** The wall clock, in ms. */
  readonly now: () => number;
}

interface Sender {
  readonly key: KeyObject;
  /** By subject, the number of the latest message: NATS keeps the order of a sender. */
  readonly numbers: Map<string, bigint>;
  heardMs: number;
}

/** Seals what this process sends, and opens what others sent. */
export class BusSeal {
  readonly #secret: Buffer;
  readonly #now: () => number;
  readonly #name = randomBytes(SENDER_BYTES);
  readonly #key: KeyObject;
  readonly #senders = new Map<string, Sender>();
  #number = 0n;

  constructor({ secret, now }: BusSealOptions) {
    this.#secret = Buffer.from(hkdfSync("sha256", secret, "", "trivet/bus", 32));
    this.#now = now;
    this.#key = this.#toKey(this.#name);
  }

  seal(subject: string, message: Uint8Array): Uint8Array {
    this.#number += 1n;
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    const isLong = message.byteLength > DEFLATE_BYTES;
    header.writeUInt8(isLong ? DEFLATED : PLAIN, 0);
    this.#name.copy(header, 1);
    header.writeBigUInt64BE(this.#number, NUMBER_AT);
    header.writeDoubleBE(this.#now(), TIME_AT);
    const cipher = createCipheriv("aes-256-gcm", this.#key, toIv(header));
    cipher.setAAD(Buffer.concat([header, Buffer.from(subject)]));
    const body = [cipher.update(isLong ? deflateRawSync(message, { level: 1 }) : message), cipher.final()];
    return Buffer.concat([header, cipher.getAuthTag(), ...body]);
  }

  /** @throws Error when it was not sealed with the same secret for this subject, is a repeat, or is too old */
  open(subject: string, sealed: Uint8Array): Uint8Array {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < HEADER_BYTES + TAG_BYTES || ![PLAIN, DEFLATED].includes(bytes[0] ?? 0))
      throw new Error("The message is not sealed: it comes from another version or an unknown sender");
    const header = bytes.subarray(0, HEADER_BYTES);
    const name = header.toString("latin1", 1, NUMBER_AT);
    const known = this.#senders.get(name);
    const sender = known ?? {
      key: this.#toKey(header.subarray(1, NUMBER_AT)),
      numbers: new Map(),
      heardMs: 0,
    };
    const message = decrypt(sender.key, { header, subject, bytes });
    const now = this.#now();
    const ageMs = now - header.readDoubleBE(TIME_AT);
    if (!(Math.abs(ageMs) <= MAX_AGE_MS))
      throw new Error(
        `The message is ${Math.round(ageMs / 1000)} s old: it is a replay, or the clocks of the nodes differ`,
      );
    const number = header.readBigUInt64BE(NUMBER_AT);
    if (number <= (sender.numbers.get(subject) ?? 0n)) throw new Error("The message is a replay");
    if (known === undefined) this.#meet(name, sender);
    sender.numbers.set(subject, number);
    sender.heardMs = now;
    return bytes[0] === DEFLATED ? inflateRawSync(message, { maxOutputLength: MAX_MESSAGE_BYTES }) : message;
  }

  /** Forgets senders whose repeats are too old by now: processes that ended. */
  #meet(name: string, sender: Sender): void {
    const before = this.#now() - 2 * MAX_AGE_MS;
    for (const [other, { heardMs }] of this.#senders) if (heardMs < before) this.#senders.delete(other);
    this.#senders.set(name, sender);
  }

  /** A key for each start of a process, so that its numbers can be the nonces. */
  #toKey(sender: Uint8Array): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync("sha256", this.#secret, sender, "trivet/bus/sender", 32)));
  }
}

/** The number, which no two messages under one key have in common. */
function toIv(header: Buffer): Buffer {
  const iv = Buffer.alloc(12);
  header.copy(iv, 4, NUMBER_AT, TIME_AT);
  return iv;
}

function decrypt(key: KeyObject, from: { header: Buffer; subject: string; bytes: Buffer }): Uint8Array {
  const decipher = createDecipheriv("aes-256-gcm", key, toIv(from.header), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([from.header, Buffer.from(from.subject)]));
  decipher.setAuthTag(from.bytes.subarray(HEADER_BYTES, HEADER_BYTES + TAG_BYTES));
  const body = decipher.update(from.bytes.subarray(HEADER_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch (cause) {
    throw new Error("The message was sealed with another secret by an unknown sender", { cause });
  }
}

/** Creates a seal; each process has its own. */
export function createBusSeal(options: BusSealOptions): BusSeal {
  return new BusSeal(options);
}
