/** Sentences about rows, pictures, and files: in English for the API, and as a key with values for the console's languages. */
import { z } from "zod";
import type { AppError } from "../../kit/errors.ts";
import { type KeysOf, createTextBook } from "../../kit/text/text-book.ts";
import { type ValidationIssue, toIssueText } from "../../kit/text/validation.ts";
import { shopImport } from "../../texts/shop-import.ts";

export type SaidKey = KeysOf<typeof shopImport>;
type Values = Readonly<Record<string, string | number>>;

/** The key of a text in src/texts/<language>/shop-import.json, and the values of its places. */
export const saidSchema = z.object({
  key: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

export interface Said {
  readonly message: string;
  readonly text: z.infer<typeof saidSchema>;
}

const english = createTextBook(shopImport)("en");

export function say(key: SaidKey, values: Values = {}): Said {
  return { message: english(key, values), text: { key, values: { ...values } } };
}

/** A cell or a title as a sentence quotes it. */
export function toQuote(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Messages of other parts of the shop, by the text that says the same. */
const known: readonly (readonly [form: RegExp, key: SaidKey, ...names: string[]])[] = [
  [/^(?:must not be empty|is required)$/u, "import.required"],
  [/^must have at least (?<bound>\d+) characters?$/u, "import.leastLong"],
  [/^must have at most (?<bound>\d+) characters?$/u, "import.mostLong"],
  [/^must have at (?:least|most) (?<bound>\d+) entr(?:y|ies)$/u, "import.mostMany"],
  [/^must be at least (?<bound>-?\d+)(?:,|:|$)/u, "import.least"],
  [/^must be at most (?<bound>\d+)(?::|$)/u, "import.most"],
  [/^must be an? (?:whole )?number$/u, "import.number"],
  [/^is required without variants$/u, "import.price"],
  [/^is required for a new product$/u, "import.required"],
  [/^must not be repeated$/u, "import.twice"],
  [/(?:belongs to|is used by|uses this) (?:another )?(?:product|slug)/iu, "import.slugTaken"],
  [/belongs to another coupon/u, "import.codeTaken"],
  [/lowercase letters, digits/u, "import.slug"],
  [/^is the number of license keys/u, "import.keyStock"],
  [/^must be the currency of the shop, (?<currency>\w+)$/u, "import.currency"],
  [/^must be an email address$/u, "import.email"],
  [/^must be after startsAt$/u, "import.endsBefore"],
  [/^The image is too large/u, "import.picture.large"],
  [/^The image is (?<width>\d+) × (?<height>\d+) pixels/u, "import.picture.pixels"],
  [/^(?<kind>GIF|TIFF|BMP) pictures are not supported/u, "import.picture.kind"],
  [/^(?<kind>HEIC|AVIF|HEIF)[^:]*:/u, "import.picture.kind"],
  [/^The body is not a valid PNG/u, "import.picture.none"],
  [/redirects more than/u, "import.picture.redirects"],
  [/redirects from https to http/u, "import.picture.insecure"],
  [/^The URL must /u, "import.picture.url"],
  [/^The certificate of "(?<host>[^"]*)"/u, "import.picture.certificate"],
  [/^"(?<host>[^"]*)" (?:refused the connection|is unreachable)/u, "import.picture.away"],
  [/^The connection to "(?<host>[^"]*)" failed/u, "import.picture.away"],
  [/^"(?<host>[^"]*)" (?:does not support TLS|sent a response)/u, "import.picture.away"],
  [/^The name "(?<host>[^"]*)" could not be resolved/u, "import.picture.name"],
  [/^(?:The request timed out|No response within)/u, "import.picture.slow"],
  [/^The request could not be sent/u, "import.picture.unsent"],
  [/ a (?:private|reserved) address/u, "import.picture.private"],
  [/^This product was sold (?<count>\d+) times/u, "import.undo.sold"],
  [/^This product has files attached/u, "import.undo.files"],
  [/^This product has (?<count>\d+) license keys/u, "import.undo.keys"],
  [/^(?<count>\d+) units of this product are reserved/u, "import.undo.reserved"],
  [/^(?<count>\d+) orders use this coupon/u, "import.undo.couponUsed"],
];

/** A sentence of another part of the shop; one that no text says stays in English. */
export function sayMessage(message: string): Said {
  for (const [form, key] of known) {
    const found = form.exec(message);
    if (found === null) continue;
    return { message, text: { key, values: { ...found.groups } } };
  }
  return { message, text: { key: "import.other", values: { message } } };
}

/** What a schema says of a value. */
export function sayIssue(issue: ValidationIssue): Said {
  return sayMessage(toIssueText(issue));
}

/** Why a file cannot be read. */
export function sayFailure({ message, details }: AppError): Said {
  const { text, reason, line } = details;
  const own = saidSchema.safeParse(text);
  if (own.success) return { message, text: own.data };
  if (typeof reason !== "string") return sayMessage(message);
  // The console has these texts for every file that it reads.
  return { message, text: { key: `fault.file.${reason}`, values: typeof line === "number" ? { line } : {} } };
}
