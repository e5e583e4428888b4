/**
 * JSON answers that get all their headers at once, as a plain object. In a Headers object, which they would otherwise be
 * added to one by one, sorted and read from again, they cost more than the JSON.
 */
import type { Context } from "hono";

/** What every JSON answer of an application carries, and what is to know of those that carry it already. */
export interface PlainJsonOptions {
  readonly fields: Readonly<Record<string, string>>;
  readonly onAnswer: (answer: Response) => void;
}

/** Names that decide what else an answer carries. */
const decisive = new Set(["content-type", "location", "content-security-policy"]);

/** The fields with their names in small letters; undefined for those that a plain object cannot stand for. */
function toFields(headers: unknown): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  if (headers === undefined) return fields;
  if (typeof headers !== "object") return undefined;
  for (const [name, value] of Object.entries(headers ?? {})) {
    const field = name.toLowerCase();
    // Headers would strip blanks around a value, and refuse or encode what is not ASCII.
    const isPlain = typeof value === "string" && /^(?:[!-~](?:[ -~]*[!-~])?)?$/u.test(value);
    if (!isPlain || decisive.has(field)) return undefined;
    fields[field] = value;
  }
  return fields;
}

/** The part of a context that is changed. */
interface Answering {
  header: Context["header"];
  json: Context["json"];
}

/** Has `context.json()` answer in this way, as long as nothing else was set in the context. */
export function usePlainJson(context: Answering, { fields, onAnswer }: PlainJsonOptions): void {
  const { header, json } = context;
  let isUntouched = true;
  context.header = (...field) => {
    isUntouched = false;
    header(...field);
  };
  const answer = (value: unknown, status?: unknown, headers?: unknown): Response => {
    const own = isUntouched && typeof status === "number" ? toFields(headers) : undefined;
    if (own === undefined) {
      // Called with what this was called with.
      const others: unknown = Reflect.apply(json, context, [value, status, headers]);
      return others as Response;
    }
    const response = new Response(JSON.stringify(value), {
      status: Number(status),
      headers: { ...fields, ...own },
    });
    onAnswer(response);
    return response;
  };
  // Hono's type says of each answer what it is made from, for clients that are derived from it.
  context.json = answer as Context["json"];
}
