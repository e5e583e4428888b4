/** Values of Gatus' files: durations, merged maps, and YAML that may be hostile. */
import { Lexer, parseDocument } from "yaml";
import { AppError } from "../../../kit/errors.ts";
import { type Fields, toFields, toList } from "./entry.ts";

/** A file that people wrote has a tenth of these; more make the reader slow, which must not stall the service. */
const MAX_YAML = 262_144;
const MAX_TOKENS = 60_000;
const MAX_NESTING = 16;
const MAX_SPACES = 64;
const MAX_ALIASES = 2_000;

function refuse(what: string): never {
  throw new AppError("invalid", `The YAML ${what}`);
}

/** Nesting is bounded before anything is built: the reader of YAML goes down as deep as a text says. */
function checkTokens(text: string): void {
  let tokens = 0;
  let depth = 0;
  let indicators = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    if (token === "\n" || token === "\r\n") indicators = 0;
    if (token === "-" || token === "?") indicators += 1;
    if (depth > MAX_NESTING || indicators > MAX_NESTING) refuse("is nested too deep");
    if (token.length > MAX_SPACES && /^ +$/u.test(token)) refuse("is nested too deep");
    if (tokens > MAX_TOKENS) refuse("has too many parts");
  }
}

/** Parses a YAML text. @throws AppError `invalid`, `too_large` */
export function parseYaml(text: string): unknown {
  if (text.length > MAX_YAML)
    throw new AppError("too_large", `The YAML is too large. The maximum is ${MAX_YAML} characters`, {
      details: { limitBytes: MAX_YAML },
    });
  checkTokens(text);
  // Looking for keys that come twice would take a square of their number.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split("\n").length;
    refuse(`cannot be read at line ${line} (${error.code})`);
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return refuse("has too many aliases or an undefined alias");
  }
}

/** An object with what "<<" puts into it; its own fields go first. */
export function toMerged(value: unknown, depth = 4): Fields {
  const { "<<": merged, ...own } = toFields(value);
  if (merged === undefined || depth === 0) return own;
  const sources = Array.isArray(merged) ? toList(merged).slice(0, 8) : [merged];
  // Of several, the first goes before the others.
  return Object.assign(
    {},
    ...sources.toReversed().map((source) => toMerged(source, depth - 1)),
    own,
  ) as Fields;
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3_600,
};

/** Seconds of a duration such as "1h30m" or "500ms"; undefined for all else. */
export function toSeconds(text: string): number | undefined {
  let seconds = 0;
  let rest = text;
  do {
    const [whole, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)/u.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    seconds += Number(number) * (units[unit] ?? 0);
    rest = rest.slice(whole.length);
  } while (rest !== "");
  return seconds;
}
