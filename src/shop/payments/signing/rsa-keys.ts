/** RSA keys as people paste them (PKCS#1, PKCS#8, SPKI, certificates; with or without the lines of PEM), and signatures with SHA-256. */
import { fromBase64, toBase64 } from "../../../kit/text/base64.ts";

const MIN_BITS = 2_048;
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
/** SEQUENCE of the OID rsaEncryption (1.2.840.113549.1.1.1) and NULL (RFC 8017, appendix A.1). */
const RSA_IDENTIFIER = "300d06092a864886f70d0101010500";

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const VERSION = 0xa0;

type Bytes = Uint8Array<ArrayBuffer>;

/** An element of DER (X.690): its tag, its content, and itself whole. */
interface Element {
  readonly tag: number;
  readonly content: Bytes;
  readonly whole: Bytes;
}

/** A text is no key that can be used; the message says why, and nothing of the text. */
export class KeyFault extends Error {
  override readonly name = "KeyFault";
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The elements that follow one another in some bytes. @throws KeyFault */
function readElements(bytes: Bytes): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at;
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1] ?? 0;
    at += 2;
    if (length > 0x80) {
      const digits = bytes.subarray(at, at + length - 0x80);
      at += digits.length;
      length = digits.length > 4 ? Number.NaN : Number.parseInt(toHex(digits), 16);
    }
    if (!(at + length <= bytes.length)) throw new KeyFault("is incomplete");
    elements.push({ tag, content: bytes.slice(at, at + length), whole: bytes.slice(start, at + length) });
    at += length;
  }
  return elements;
}

function encode(tag: number, ...contents: readonly Uint8Array[]): Bytes {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest >>= 8) digits.unshift(rest & 0xff);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + digits.length, ...digits];
  return new Uint8Array([...head, ...contents.flatMap((content) => [...content])]);
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));

function checkModulus(modulus: Element | undefined): void {
  const bits = ((modulus?.content.length ?? 0) - 1) * 8;
  if (modulus?.tag !== INTEGER || bits < 512) throw new KeyFault("is not an RSA key");
  if (bits < MIN_BITS) throw new KeyFault(`is too short: ${bits} bits instead of at least ${MIN_BITS}`);
}

/** A block of PEM, or a bare base64 text (without a label). */
interface Block {
  readonly label: string;
  readonly der: Bytes;
}

function decode(base64: string): Bytes {
  try {
    return fromBase64(base64.replaceAll(/\s+/gu, ""));
  } catch {
    throw new KeyFault("is not base64 between the lines of PEM");
  }
}

function readBlocks(text: string): Block[] {
  if (/ENCRYPTED PRIVATE KEY|DEK-Info/u.test(text))
    throw new KeyFault("is encrypted with a passphrase. Paste the unencrypted key");
  const pem = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/gu)];
  if (pem.length > 0) return pem.map(([, label = "", base64 = ""]) => ({ label, der: decode(base64) }));
  if (text.includes("-----")) throw new KeyFault("has a BEGIN line without an END line");
  if (text.trim() === "") throw new KeyFault("is empty");
  return [{ label: "", der: decode(text) }];
}

function readSequence(der: Bytes): Element[] {
  if (der[0] !== SEQUENCE) throw new KeyFault("is not a base64-encoded key");
  const [outer] = readElements(der);
  return outer === undefined ? [] : readElements(outer.content);
}

/** PKCS#8 of a private key, whichever of the two forms it has. @throws KeyFault */
function toPkcs8(text: string): Bytes {
  const [block, ...others] = readBlocks(text);
  if (block === undefined || others.length > 0) throw new KeyFault("contains more than one key");
  if (block.label.endsWith("PUBLIC KEY") || block.label === "CERTIFICATE")
    throw new KeyFault("is public. Enter the private key");
  const [version, second, third] = readSequence(block.der);
  if (version?.tag !== INTEGER) throw new KeyFault("is public. Enter the private key");
  if (second?.tag === INTEGER) {
    checkModulus(second);
    return encode(SEQUENCE, version.whole, fromHex(RSA_IDENTIFIER), encode(OCTET_STRING, block.der));
  }
  if (second === undefined || toHex(second.whole) !== RSA_IDENTIFIER || third?.tag !== OCTET_STRING)
    throw new KeyFault("is not an RSA key");
  checkModulus(readSequence(third.content)[1]);
  return block.der;
}

/** A public key that signatures are checked with; `serial` where it came in a certificate: capital hex. */
export interface PublicKeyBlock {
  readonly spki: Bytes;
  readonly serial?: string;
}

function checkSpki(spki: Bytes): Bytes {
  const [algorithm, bits] = readSequence(spki);
  if (algorithm === undefined || toHex(algorithm.whole) !== RSA_IDENTIFIER || bits?.tag !== BIT_STRING)
    throw new KeyFault("is not an RSA key");
  // The first byte counts unused bits.
  checkModulus(readSequence(bits.content.slice(1))[0]);
  return spki;
}

/** RFC 5280, section 4.1: version, serial, algorithm, issuer, validity, subject, key. */
function readCertificate(fields: readonly Element[]): PublicKeyBlock {
  const rest = fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  const [serial, , , , , key] = rest;
  if (serial?.tag !== INTEGER || key?.tag !== SEQUENCE) throw new KeyFault("is not a certificate");
  return { spki: checkSpki(key.whole), serial: toHex(serial.content).replace(/^00/u, "").toUpperCase() };
}

function readPublicBlock({ label, der }: Block): PublicKeyBlock {
  if (label.endsWith("PRIVATE KEY"))
    throw new KeyFault("is private. Enter the public key of the payment provider");
  const [first, second, third] = readSequence(der);
  if (first?.tag === INTEGER && third === undefined) {
    checkModulus(first);
    const bits = encode(BIT_STRING, new Uint8Array([0]), der);
    return { spki: encode(SEQUENCE, fromHex(RSA_IDENTIFIER), bits) };
  }
  if (first?.tag === INTEGER) throw new KeyFault("is private. Enter the public key of the payment provider");
  if (first === undefined || first.tag !== SEQUENCE) throw new KeyFault("is not a key");
  return second?.tag === BIT_STRING ? { spki: checkSpki(der) } : readCertificate(readElements(first.content));
}

/** Every public key and certificate of a text. @throws KeyFault */
export function readPublicKeys(text: string): PublicKeyBlock[] {
  return readBlocks(text).map(readPublicBlock);
}

function findProblem(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof KeyFault) return error.message;
    throw error;
  }
}

/** The modulus of a key in any form of DER: the longest INTEGER near its beginning. */
function findModulus(der: Bytes): string {
  const [first, second, third] = readSequence(der);
  if (first?.tag === INTEGER && second?.tag === INTEGER) {
    const modulus = toHex(first.content).length > 2 ? first : second;
    return toHex(modulus.content);
  }
  if (second?.tag === BIT_STRING) return findModulus(second.content.slice(1));
  if (third?.tag === OCTET_STRING) return findModulus(third.content);
  throw new KeyFault("is not a key");
}

/**
 * Whether one of the public keys belongs to the private key: a common mistake is to paste one's own instead of the
 * provider's.
 */
export function hasOwnKey(privateKey: string, publicKeys: string): boolean {
  try {
    const own = findModulus(toPkcs8(privateKey));
    return readPublicKeys(publicKeys).some(({ spki }) => findModulus(spki) === own);
  } catch (error) {
    if (error instanceof KeyFault) return false;
    throw error;
  }
}

/** Public keys of settings; none where they cannot be read, which they could when they were typed. */
export function findPublicKeys(text: string | undefined): PublicKeyBlock[] {
  return findPublicKeyProblem(text ?? "") === undefined ? readPublicKeys(text ?? "") : [];
}

/** Why a text cannot be used as a private key, as the end of a sentence; undefined when it can. */
export function findPrivateKeyProblem(text: string): string | undefined {
  return findProblem(() => toPkcs8(text));
}

/** Why a text holds no public keys, as the end of a sentence; undefined when it does. */
export function findPublicKeyProblem(text: string): string | undefined {
  return findProblem(() => readPublicKeys(text));
}

/** Imported keys by their text: importing one costs more than signing with it. */
const privateKeys = new Map<string, CryptoKey>();
const MAX_KEPT = 50;

async function importKey(format: "pkcs8" | "spki", der: Bytes): Promise<CryptoKey> {
  try {
    const use = format === "pkcs8" ? "sign" : "verify";
    return await crypto.subtle.importKey(format, der, ALGORITHM, false, [use]);
  } catch {
    throw new KeyFault("is damaged");
  }
}

async function keepPrivateKey(text: string): Promise<CryptoKey> {
  const kept = privateKeys.get(text);
  if (kept !== undefined) return kept;
  const key = await importKey("pkcs8", toPkcs8(text));
  if (privateKeys.size >= MAX_KEPT) privateKeys.clear();
  privateKeys.set(text, key);
  return key;
}

/** SHA256withRSA of a text's UTF-8, in base64. @throws KeyFault */
export async function signRsa(privateKey: string, text: string): Promise<string> {
  const key = await keepPrivateKey(privateKey);
  const signature = await crypto.subtle.sign(ALGORITHM, key, new TextEncoder().encode(text));
  return toBase64(new Uint8Array(signature));
}

/** Whether a signature in base64 is that of the content; what is no base64 is none. */
export async function isRsaSignature(
  { spki }: PublicKeyBlock,
  { content, signature }: { readonly content: string | Bytes; readonly signature: string },
): Promise<boolean> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let proof: Bytes;
  try {
    proof = fromBase64(signature);
  } catch {
    return false;
  }
  const key = await importKey("spki", spki);
  return crypto.subtle.verify(ALGORITHM, key, proof, bytes);
}
