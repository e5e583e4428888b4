/** What zod found wrong with a request, as an error of the house. Hidden here: issues and JSON pointers (RFC 6901). */
import { AppError } from "./errors.ts";
import type { FieldError } from "./errors.ts";

const MAX_FIELD_ERRORS = 50;

/** The part of a zod issue that is shown. */
export interface ValidationIssue {
  readonly path: readonly PropertyKey[];
  readonly code?: string | undefined;
  readonly message: string;
}

function toPointer(target: string, path: readonly PropertyKey[]): string {
  if (target !== "json") return path.map(String).join(".");
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The AppError `invalid` for the issues of one part of a request: "json", "query", "param", "header", "form". */
export function toInvalidError(target: string, issues: readonly ValidationIssue[]): AppError {
  const errors = issues.slice(0, MAX_FIELD_ERRORS).map((issue): FieldError => ({
    pointer: toPointer(target, issue.path),
    code: issue.code ?? "invalid",
    message: issue.message,
  }));
  const where = target === "json" ? "body" : target;
  return new AppError("invalid", `The ${where} has values that are not valid`, { errors });
}
