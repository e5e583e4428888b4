/** Parses the input of a form by a schema. */
import type { Context } from "hono";
import type { z } from "zod";
import type { AppEnv } from "../kit/http/app.ts";
import { readFormBody } from "../kit/http/request-body.ts";
import { toInvalidError } from "../kit/text/validation.ts";

/** The input of a form: texts by name, and files. */
export interface SentForm {
  readonly values: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, File>>;
  /** The account whose page has the form; undefined if that does not matter. */
  readonly owner?: string | undefined;
}

/** Reads a form. Throws `bad_request` for what is none, `too_large`. */
export async function readForm(c: Context<AppEnv>): Promise<SentForm> {
  const values: [string, string][] = [];
  const files: [string, File][] = [];
  for (const [name, value] of Object.entries(await readFormBody(c))) {
    // Browsers end lines with CR LF; what is stored has line feeds.
    if (typeof value === "string") values.push([name, value.replaceAll("\r\n", "\n")]);
    else files.push([name, value]);
  }
  // Not by assignment: a field named "__proto__" would become the prototype.
  return { values: Object.fromEntries(values), files: Object.fromEntries(files) };
}

/** Parses an input by a schema. Throws `invalid`. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return parsed.data;
}

/** Parses a form's fields by a schema. Throws `invalid`. */
export function parseForm<T>(schema: z.ZodType<T>, { values }: SentForm): T {
  return parseInput(schema, values);
}
