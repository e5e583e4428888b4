/**
 * `checks.json`: the checks that an agent runs. It lies on the machine and is put there by its owner; the monitor only
 * shows it ready to paste.
 */
import { z } from "zod";
import { AppError } from "../errors.ts";
import { readStrictJson } from "../text/strict-json.ts";
import { line } from "../text/schemas.ts";
import { certificateDaysSchema } from "../probes/fields.ts";
import { CHECK_LEVEL } from "./check-level.ts";
import {
  type SecretsOf,
  type SettingsOf,
  type Target,
  type TargetKind,
  mapKinds,
  secretNames,
} from "../probes/targets.ts";

/** Checks that one file holds at most. */
export const MAX_FILE_CHECKS = 200;
/** Largest file, in bytes. */
export const MAX_CHECK_FILE_BYTES = 256 * 1024;
/** Names of environment variables whose values checks may send: no others, so that a file cannot ask for keys. */
export const CHECK_VARIABLE = /^TRIVET_CHECK_[A-Z0-9_]{1,80}$/u;

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/u, "must be the name of a header");
const variable = z.string().regex(CHECK_VARIABLE);
const fileHeaderSchema = z.union(
  [
    z.strictObject({ name: headerName, value: line(4_000) }),
    z.strictObject({ name: headerName, env: variable }),
  ],
  { error: 'must have a "name", and either a "value" or an "env" such as TRIVET_CHECK_TOKEN' },
);
const fileHeadersSchema = z.array(fileHeaderSchema).max(20).default([]);

type FileSecret = z.ZodDefault<
  z.ZodUnion<readonly [z.ZodType<string>, z.ZodObject<{ env: z.ZodString }, z.core.$strict>]>
>;

/** A secret in the file, or the name of the environment variable that has it. */
function toFileSecret(schema: z.core.$ZodType): FileSecret {
  // `as`: secrets are texts.
  const own = z.union([z.literal(""), schema as z.ZodType<string>]);
  return z
    .union([own, z.strictObject({ env: variable })], {
      error: 'must be a text, or have an "env" such as TRIVET_CHECK_PASSWORD',
    })
    .default("");
}

type FileVariant<K extends TargetKind> = z.ZodObject<
  { kind: z.ZodLiteral<K> } & Omit<SettingsOf<K>, "headers"> &
    ("headers" extends keyof SettingsOf<K> ? { headers: typeof fileHeadersSchema } : unknown) &
    SecretsOf<K, FileSecret>,
  z.core.$strict
>;

/** A target whose secrets may be elsewhere on the machine. */
const fileTargetSchema = z.discriminatedUnion(
  "kind",
  mapKinds<{ [K in TargetKind]: FileVariant<K> }[TargetKind]>((kind, { settings, secrets }) =>
    z.strictObject({
      kind: z.literal(kind),
      ...settings,
      ...("headers" in settings && { headers: fileHeadersSchema }),
      ...Object.fromEntries(Object.entries(secrets).map(([name, schema]) => [name, toFileSecret(schema)])),
      // As agents of before take it: a file that names no days means these.
      ...(kind === "tls" && { certificateDays: certificateDaysSchema.default(14) }),
    }),
  ),
);
export type FileTarget = z.infer<typeof fileTargetSchema>;

const fileCheckSchema = z.strictObject({
  /** As the monitor calls it. */
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/u, "must be 1 to 64 letters, digits, - or _"),
  /** For people who read the file. */
  name: line(100).default(""),
  intervalSeconds: z.number().int().min(20).max(86_400).default(60),
  /** For one try. */
  timeoutSeconds: z.number().int().min(1).max(60).default(10),
  /** Tries in a row that must fail before it counts; until then they come faster. */
  failures: z.number().int().min(1).max(10).default(2),
  retrySeconds: z.number().int().min(5).max(86_400).default(20),
  /** Whether it is up when the target is not as expected. */
  inverted: z.boolean().default(false),
  /** The level of agents that can run it; absent: all. */
  level: z.number().int().min(1).max(1_000).optional(),
  target: fileTargetSchema,
});

/** A check that only newer agents can run: what is not known here is not judged. */
const newerCheckSchema = z.looseObject({
  ...fileCheckSchema.shape,
  level: z
    .number()
    .int()
    .min(CHECK_LEVEL + 1),
  target: z.looseObject({ kind: z.string() }),
});

const anyCheckSchema = z
  .unknown()
  .transform((check) => (newerCheckSchema.safeParse(check).success ? toTooNew(check) : check))
  .pipe(fileCheckSchema);

/** Replaces the unknown target with one that never runs: see `isTooNew`. */
function toTooNew(check: unknown): unknown {
  const { id, name, intervalSeconds, timeoutSeconds, failures, retrySeconds, inverted, level } =
    newerCheckSchema.parse(check);
  const shared = { id, name, intervalSeconds, timeoutSeconds, failures, retrySeconds, inverted, level };
  return { ...shared, target: { kind: "dns", name: "too-new.invalid" } };
}

/** Whether this agent is too old for a check. */
export function isTooNew({ level = 1 }: Pick<FileCheck, "level">): boolean {
  return level > CHECK_LEVEL;
}

export type FileCheck = z.infer<typeof fileCheckSchema>;

/** Permissions of checks beyond public addresses: private ones, or the system's `ping`. */
export const allowances = ["private", "ping"] as const;

export const checkFileSchema = z
  .strictObject({
    v: z.literal(1),
    /** The decision of the machine's owner. */
    allow: z.array(z.enum(allowances)).max(allowances.length).default([]),
    checks: z.array(anyCheckSchema).max(MAX_FILE_CHECKS),
  })
  .superRefine(({ checks }, c) => {
    const seen = new Set<string>();
    for (const [index, { id }] of checks.entries()) {
      if (seen.has(id))
        c.addIssue({ code: "custom", path: ["checks", index, "id"], message: "must not be repeated" });
      seen.add(id);
    }
  });
export type CheckFile = z.infer<typeof checkFileSchema>;

export type ParsedCheckFile =
  | { readonly ok: true; readonly file: CheckFile }
  /** In one line, with the line and column or the member that is wrong; no value of the file is repeated. */
  | { readonly ok: false; readonly problem: string };

function toPointer(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path)
    text += typeof part === "number" ? `[${part}]` : `${text === "" ? "" : "."}${String(part)}`;
  return text;
}

function toProblem({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): string {
  // zod's own texts begin with "Invalid" and the like, ours with "must".
  return path.length === 0 ? message : `${toPointer(path)}: ${message}`;
}

/** Reads the bytes of a file. */
export function parseCheckFile(bytes: Uint8Array): ParsedCheckFile {
  if (bytes.byteLength > MAX_CHECK_FILE_BYTES)
    return { ok: false, problem: `the file is larger than ${MAX_CHECK_FILE_BYTES / 1024} KiB` };
  let value: unknown;
  try {
    ({ value } = readStrictJson(bytes));
  } catch (error) {
    if (error instanceof AppError) return { ok: false, problem: error.message };
    throw error;
  }
  const parsed = checkFileSchema.safeParse(value);
  if (parsed.success) return { ok: true, file: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, problem: issue === undefined ? "the file is not a check file" : toProblem(issue) };
}

/** Whether a value can be sent in a header. */
const isHeaderValue = (value: string): boolean => /^[\t\u0020-\u007e\u0080-\u00ff]{0,4000}$/u.test(value);

type Variables = Readonly<Record<string, string | undefined>>;
type Filled<T> = { readonly value: T } | { readonly problem: string };

function fillHeaders(
  headers: z.infer<typeof fileHeadersSchema>,
  variables: Variables,
): Filled<{ name: string; value: string }[]> {
  const filled: { name: string; value: string }[] = [];
  for (const header of headers) {
    const value = "value" in header ? header.value : variables[header.env];
    const called = "env" in header ? header.env : header.name;
    if (value === undefined) return { problem: `${called} is not set in the environment of the agent` };
    if (!isHeaderValue(value))
      return { problem: `${called} has characters that are not allowed in a header` };
    filled.push({ name: header.name, value });
  }
  return { value: filled };
}

function fillSecrets(target: FileTarget, variables: Variables): Filled<Readonly<Record<string, string>>> {
  const filled: Record<string, string> = {};
  for (const name of secretNames(target)) {
    // `as`: this is what the file's schema takes.
    const given = Reflect.get(target, name) as z.infer<FileSecret>;
    const value = typeof given === "string" ? given : variables[given.env];
    if (value === undefined)
      return {
        problem: `${typeof given === "string" ? name : given.env} is not set in the environment of the agent`,
      };
    // Files of variables have one line each.
    filled[name] = value.startsWith("-----BEGIN ") ? value.replaceAll("\\n", "\n") : value;
  }
  return { value: filled };
}

/** The target with the secrets of the machine, or what is wrong with these. */
export function fillTarget(
  target: FileTarget,
  variables: Variables,
): { readonly target: Target } | { readonly problem: string } {
  const secrets = fillSecrets(target, variables);
  if ("problem" in secrets) return secrets;
  const headers = "headers" in target ? fillHeaders(target.headers, variables) : undefined;
  if (headers !== undefined && "problem" in headers) return headers;
  // `as`: everything that was elsewhere is in its place.
  return { target: { ...target, ...secrets.value, ...(headers && { headers: headers.value }) } as Target };
}
