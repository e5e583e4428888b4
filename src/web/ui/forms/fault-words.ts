/** Translated error messages of services, for a field and for a whole request. */
import { ApiError, type FieldFault } from "../../app/api.ts";
import { toSpan } from "../../app/format.ts";
import { type TextName, currentLanguage, findText, text } from "../../app/texts.ts";
import { type FieldErrors, findUnplaced } from "./field-errors.ts";

/** The bounds and types of kit/text/validation.ts, which only appear in its messages. */
const sentences: readonly (readonly [form: RegExp, words: TextName])[] = [
  [/^(?:must not be empty|is required)$/u, "admin.fault.empty"],
  [/^must have at least (\d+) characters?$/u, "admin.fault.leastLong"],
  [/^must have at most (\d+) characters?$/u, "admin.fault.mostLong"],
  [/^must have at least (\d+) entr(?:y|ies)$/u, "admin.fault.leastMany"],
  [/^must have at most (\d+) entr(?:y|ies)$/u, "admin.fault.mostMany"],
  [/^must be at least (\d+)$/u, "admin.fault.least"],
  [/^must be at most (\d+)$/u, "admin.fault.most"],
  [/^has the \w+ "([^"]+)"/u, "admin.fault.svg"],
  [/ plain SVG,/u, "admin.fault.picture"],
  [/^must be a whole number$|^must be a number$/u, "admin.fault.number"],
];

function findSentence(message: string): string | undefined {
  for (const [form, words] of [...sentences, ...(known.sentences ?? [])]) {
    const found = form.exec(message);
    if (found !== null) return text(words, { bound: found[1] ?? "" });
  }
  return undefined;
}

/** Error texts that a console registers for its fields. */
export interface FieldKinds {
  /** Kinds of fields by name, where several share their words: "fault.<kind>". */
  readonly kinds: Readonly<Record<string, string>>;
  /** Errors that the service states in sentences only. */
  readonly sentences?: readonly (readonly [form: RegExp, words: TextName])[];
  /** Which field a refusal as a whole is about, by its code. */
  readonly fields: Readonly<Record<string, string>>;
}

let known: FieldKinds = { kinds: {}, fields: {} };

/** Called once, before a console is drawn. */
export function setFieldKinds(given: FieldKinds): void {
  known = given;
}

/** Message of a field's error; the service's own if no text is known. */
export function toFaultWords({ pointer, code, message }: FieldFault): string {
  // The field itself, and then its members from the inside out.
  const [field = "", ...members] = pointer.replace(/^\//u, "").split("/");
  const kinds = [field, ...members.reverse()].map((name) => known.kinds[name] ?? name);
  const findKind = (end: string): string | undefined => {
    for (const kind of kinds) {
      const words = findText(`fault.${kind}${end}`);
      if (words !== undefined) return words;
    }
    return undefined;
  };
  return (
    findKind(`.${code}`) ?? findSentence(message) ?? findKind("") ?? findText(`fault.${code}`) ?? message
  );
}

/** Field errors of a response: JSON Pointer → message. */
export function toFieldErrors({ code, message, faults }: ApiError): FieldErrors {
  const field = known.fields[code];
  if (faults.length > 0 || field === undefined)
    return new Map(faults.map((fault) => [fault.pointer, toFaultWords(fault)]));
  return new Map([[`/${field}`, findText(`fault.${field}.${code}`) ?? findText(`error.${code}`) ?? message]]);
}

/** Message of an error response: by its sentence if known, else by its code; in English the service's own sentence, which is more exact. */
export function toRefusalWords({ code, message }: { code: string; message: string }): string {
  const known = findSentence(message);
  if (known !== undefined) return known;
  if (currentLanguage() === "en") return message;
  return findText(`error.${code}`, { message }) ?? message;
}

const ownWords: Readonly<Record<string, TextName>> = {
  offline: "admin.error.offline",
  version_conflict: "admin.error.version_conflict",
  stale_version: "admin.error.version_conflict",
  store_unavailable: "admin.error.store_unavailable",
  origin_refused: "admin.error.origin_refused",
  internal: "admin.error.internal",
};

/** An error as a sentence. */
export function toMessage(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "rate_limited")
    return text("admin.error.rate_limited", { wait: toSpan(1_000 * (error.retryAfterSeconds ?? 60)) });
  // This code alone says nothing: what is wrong is said of values, or by the service's own sentence.
  if (error.code === "invalid") return findUnplaced(toFieldErrors(error), []).join(" ") || error.message;
  // Of a file that cannot be read, the reason says more than the code.
  const { reason, line } = error.details;
  const ofFile =
    typeof reason === "string" ? findText(`fault.file.${reason}`, { line: String(line) }) : undefined;
  if (ofFile !== undefined) return ofFile;
  const name = ownWords[error.code];
  return name === undefined ? toRefusalWords(error) : text(name);
}
