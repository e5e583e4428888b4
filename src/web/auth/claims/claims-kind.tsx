/** The kind of a field for claims: names with a value each. */
import { type KindOf, type Typed, isTypedGroup, isTypedList, memberText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { pairsKind } from "../../ui/resource/secret-kinds.tsx";

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}

/** A number, true, false, a list of texts or a text in quotes are what JSON says; everything else is a text. */
export function readClaim(typed: string): unknown {
  const value = parseJson(typed.trim());
  return isPlain(value) ? value : typed;
}

/** The value as text: quoted if it would be parsed as another type. */
export function toClaimText(value: unknown): string {
  return typeof value === "string" && readClaim(value) === value ? value : JSON.stringify(value);
}

function mapValues(value: unknown, change: (one: unknown) => unknown): Readonly<Record<string, unknown>> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([name, one]) => [name, change(one)]));
}

/** A name of which two lines say something. */
function findTwice(typed: Typed): string | undefined {
  const names = (isTypedList(typed) ? typed : [])
    .filter(isTypedGroup)
    .map((line) => memberText(line, "name").trim());
  return names.find((name, index) => name !== "" && names.indexOf(name) !== index);
}

/** Claims. `typed`: their values may be numbers, yes or no and lists as well as texts. */
export function claimsKind<C>({ typed: hasTypes = false }: { typed?: boolean } = {}): KindOf<C> {
  return (json) => {
    const pairs = pairsKind<C>(json);
    return {
      ...pairs,
      toTyped: (value, at) => pairs.toTyped(hasTypes ? mapValues(value, toClaimText) : value, at),
      read: (typed, at) => {
        if (findTwice(typed) !== undefined) return { fault: "auth.claims.twice" };
        const got = pairs.read(typed, at);
        if (!("value" in got) || !hasTypes) return got;
        return { value: mapValues(got.value, (one) => readClaim(String(one))) };
      },
      Field: (props) => <pairs.Field {...props} words="auth.claims" />,
      say: sayPlain,
    };
  };
}
