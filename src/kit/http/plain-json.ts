/**
 * JSON answers with all their headers at once, as a plain object. In a Headers object, to which they would otherwise be
 * added one by one, sorted and read from again, they cost more than the JSON.
 */
import type { Context } from "hono";

const JSON_TYPE = "application/json";

/** A request's data for its JSON responses. */
export interface PlainJson {
  /** Headers of each response in addition to its type. */
  readonly fields: Readonly<Record<string, string>>;
  /** The context's own functions. */
  readonly own: Pick<Context, "body" | "header" | "json">;
  /** Whether no header was set in the context: those of an answer are all there are. */
  isUntouched: boolean;
}

/** The part of a context that is used here. */
interface Answering extends Pick<Context, "body" | "header" | "json"> {
  get(name: "plainJson"): PlainJson | undefined;
  set(name: "plainJson", plain: PlainJson): void;
  /** An answer that has all its headers. */
  set(name: "ready", answer: Response): void;
}

/** Names that decide what else an answer carries. */
const decisive = new Set(["content-type", "location", "content-security-policy"]);

/** The fields with their names in lowercase; undefined for those that a plain object cannot represent. */
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

function plainOf(context: Answering): PlainJson {
  const plain = context.get("plainJson");
  if (plain === undefined) throw new Error("The context was not prepared for JSON answers");
  return plain;
}

/** Answers with all headers at once; undefined where a plain object cannot hold them. */
function answerPlainly(
  context: Answering,
  text: () => string,
  { status, headers }: { readonly status: unknown; readonly headers: unknown },
): Response | undefined {
  const { fields, isUntouched } = plainOf(context);
  const own = isUntouched && typeof status === "number" ? toFields(headers) : undefined;
  if (own === undefined) return undefined;
  const response = new Response(text(), {
    status: Number(status),
    headers: { "content-type": JSON_TYPE, ...fields, ...own },
  });
  context.set("ready", response);
  return response;
}

function header(this: Answering, ...field: Parameters<Context["header"]>): void {
  const plain = plainOf(this);
  plain.isUntouched = false;
  plain.own.header(...field);
}

function json(this: Answering, value: unknown, status?: unknown, headers?: unknown): unknown {
  const answer = answerPlainly(this, () => JSON.stringify(value), { status, headers });
  // Called with what this was called with.
  return answer ?? Reflect.apply(plainOf(this).own.json, this, [value, status, headers]);
}

/** The same for JSON that is there as text. */
function body(this: Answering, value: unknown, status?: unknown, headers?: unknown): unknown {
  if (typeof value === "string" && typeof headers === "object" && headers !== null) {
    const { "content-type": type, ...others } = headers as Record<string, unknown>; // names of the fields
    const answer =
      type === JSON_TYPE ? answerPlainly(this, () => value, { status, headers: others }) : undefined;
    if (answer !== undefined) return answer;
  }
  return Reflect.apply(plainOf(this).own.body, this, [value, status, headers]);
}

/**
 * Has `context.json()`, and `context.body()` with the type of JSON, answer with all headers at once, as long
 * as nothing else was set in the context. All contexts share these functions: a closure per context made V8
 * retain requests until the next major garbage collection, which then ran four times a second.
 */
export function usePlainJson(context: Answering, fields: Readonly<Record<string, string>>): void {
  const own = { body: context.body, header: context.header, json: context.json };
  context.set("plainJson", { fields, own, isUntouched: true });
  // Hono's types say of each answer what it is made from, for clients that are derived from it.
  context.header = header;
  context.json = json as Context["json"];
  context.body = body as Context["body"];
}
