/** Errors of zod about a request, as an AppError. */
import { AppError, type FieldError } from "../errors.ts";

const MAX_FIELD_ERRORS = 50;

/** The part of a zod issue that is shown. */
export interface ValidationIssue {
  readonly path: readonly PropertyKey[];
  readonly code?: string | undefined;
  readonly message: string;
  readonly origin?: string | undefined;
  readonly expected?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function toBound(issue: ValidationIssue, words: "least" | "most", bound: number | bigint): string {
  if (issue.origin === "string" && words === "least" && bound === 1) return "must not be empty";
  if (issue.origin === "string") return `must have at ${words} ${bound} character${bound === 1 ? "" : "s"}`;
  if (issue.origin === "array") return `must have at ${words} ${bound} ${bound === 1 ? "entry" : "entries"}`;
  return `must be at ${words} ${bound}`;
}

/** An issue's text for people: the schema's own message, or a replacement for zod's default ones. */
export function toIssueText(issue: ValidationIssue): string {
  const { code, message, minimum, maximum } = issue;
  if (!/^(?:Too small|Too big|Invalid input): /u.test(message)) return message;
  if (code === "too_small" && minimum !== undefined && message.includes(">="))
    return toBound(issue, "least", minimum);
  if (code === "too_big" && maximum !== undefined && message.includes("<="))
    return toBound(issue, "most", maximum);
  if (code !== "invalid_type") return message;
  if (message.endsWith("received undefined")) return "is required";
  const words = typeWords[issue.expected ?? ""];
  return words === undefined ? message : `must be ${words}`;
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
    message: toIssueText(issue),
  }));
  const where = target === "json" ? "body" : target;
  return new AppError("invalid", `The ${where} contains invalid values`, { errors });
}
