/** Lines of an import: where they begin and end, and what is wrong with one that is none. Nothing of a line's values is quoted. */
import { splitLines } from "../../kit/text/byte-lines.ts";
import { AppError } from "../../kit/errors.ts";
import { parseStrictJson } from "../../kit/text/strict-json.ts";
import { type LineError, type LineType, type TransferLine, transferLineSchemas } from "./schema.ts";

/** Lines of one import at most. */
export const MAX_LINES = 50_000;
const MAX_LINE_BYTES = 65_536;

/** A line with its number, parsed or with what is wrong with it. */
export type ReadLine =
  | { readonly number: number; readonly fields: TransferLine }
  | { readonly number: number; readonly error: Omit<LineError, "line"> };
export type GoodLine = Extract<ReadLine, { fields: TransferLine }>;

/** Whether there are more lines than one import takes. */
export function hasTooManyLines(bytes: Uint8Array): boolean {
  let count = 0;
  for (const _line of splitLines(bytes)) {
    count += 1;
    if (count > MAX_LINES) return true;
  }
  return false;
}

/** Values are not quoted: one may be a hash. */
function describeIssue(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  return issue === undefined ? "is invalid" : `"${issue.path.map(String).join(".")}" ${issue.message}`;
}

/** The type of a line; undefined for an unknown one. */
function findType(value: unknown): LineType | undefined {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : "account";
  return type === "account" || type === "group" || type === "application" ? type : undefined;
}

/** Parses a line; `isKnown` returns whether a hash can be checked. */
export function readLine(
  { number, line }: { number: number; line: Uint8Array },
  parts: { isKnown: (hash: string) => boolean; nowMs: number },
): ReadLine {
  const refuse = (code: string, message: string): ReadLine => ({ number, error: { code, message } });
  if (line.length > MAX_LINE_BYTES)
    return refuse("too_large", `The line is longer than ${MAX_LINE_BYTES} bytes`);
  let value: unknown;
  try {
    value = parseStrictJson(line);
  } catch (error) {
    if (error instanceof AppError) return refuse(error.code, error.message);
    throw error;
  }
  const type = findType(value);
  if (type === undefined) return refuse("invalid", '"type" must be account, group or application');
  const parsed = transferLineSchemas[type].safeParse(value);
  if (!parsed.success) return refuse("invalid", describeIssue(parsed.error.issues));
  const fields: TransferLine = parsed.data;
  if (fields.type === "account" && fields.passwordHash !== undefined && !parts.isKnown(fields.passwordHash))
    return refuse("invalid", '"passwordHash" is of no kind that can be checked');
  if (fields.createdAt !== undefined && fields.createdAt > parts.nowMs)
    return refuse("invalid", '"createdAt" is in the future');
  return { number, fields };
}
