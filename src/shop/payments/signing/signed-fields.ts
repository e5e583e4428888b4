/** Fields that are signed as one text, sorted by name: `a=1&b=2`. Empty ones and the signature itself stay out. */
import { AppError } from "../../../kit/errors.ts";

const MAX_FIELDS = 100;
const encoder = new TextEncoder();

function refuse(what: string): never {
  throw new AppError("bad_request", `The form has ${what}`);
}

/** Sorts as PHP's ksort and Go's sort.Strings do for names of ASCII: by byte. */
function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * The text that is signed. Numbers are formatted as in JSON without trailing zeros, which is how the providers parse
 * and print them.
 */
export function toSignedText(
  fields: Readonly<Record<string, string | number>>,
  except: readonly string[] = [],
): string {
  return Object.entries(fields)
    .filter(([name, value]) => value !== "" && !except.includes(name))
    .toSorted(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/**
 * The fields of a JSON object that are signed: texts and numbers.
 * @throws AppError `bad_request` for anything nested, which no service signs
 */
export function toSignedFields(json: unknown): Record<string, string | number> {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new AppError("bad_request", "The payment notification is not a JSON object");
  const fields: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(json)) {
    if (value === null) continue;
    if (typeof value !== "string" && typeof value !== "number")
      throw new AppError(
        "bad_request",
        "The payment notification has a member that is neither a string nor a number",
      );
    fields[name] = value;
  }
  return fields;
}

/** The bytes of a part of a form: "+" is a space, "%" begins a byte. What the bytes mean is up to the form's charset. */
function toBytes(part: string): Uint8Array<ArrayBuffer> {
  const text = encoder.encode(part.replaceAll("+", " "));
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let byte = text[at] ?? 0;
    if (byte === 0x25) {
      const hex = String.fromCharCode(text[at + 1] ?? 0, text[at + 2] ?? 0);
      if (!/^[0-9a-f]{2}$/iu.test(hex)) refuse('a "%" that begins no byte');
      byte = Number.parseInt(hex, 16);
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.slice(0, length);
}

/** A form as its bytes came: a signature covers those, in whatever charset. */
export class RawForm {
  readonly #fields: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

  /**
   * @param text a query without "?", or a body of application/x-www-form-urlencoded
   * @throws AppError `bad_request` for a field that comes twice, which two readers may read differently
   */
  constructor(text: string) {
    const fields = new Map<string, Uint8Array<ArrayBuffer>>();
    const parts = text.split("&", MAX_FIELDS + 1).filter((part) => part !== "");
    if (parts.length > MAX_FIELDS) refuse(`more than ${MAX_FIELDS} fields`);
    for (const part of parts) {
      const end = part.indexOf("=");
      const name = new TextDecoder().decode(toBytes(end < 0 ? part : part.slice(0, end)));
      if (fields.has(name)) refuse("a repeated field");
      fields.set(name, toBytes(end < 0 ? "" : part.slice(end + 1)));
    }
    this.#fields = fields;
  }

  get size(): number {
    return this.#fields.size;
  }

  /** A field as text; "" when it is absent. Bytes that are no text of the charset become U+FFFD. */
  text(name: string, charset: string = "utf-8"): string {
    return new TextDecoder(charset).decode(this.#fields.get(name) ?? new Uint8Array());
  }

  /** The bytes that are signed, after which `suffix` may follow. */
  toSigned(except: readonly string[], suffix: string = ""): Uint8Array<ArrayBuffer> {
    const pieces: Uint8Array[] = [];
    const sorted = [...this.#fields].toSorted(byName);
    for (const [name, value] of sorted)
      if (value.length > 0 && !except.includes(name))
        pieces.push(encoder.encode(`${pieces.length === 0 ? "" : "&"}${name}=`), value);
    pieces.push(encoder.encode(suffix));
    const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
