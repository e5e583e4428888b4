/** Schemas and helpers that every service's OpenAPI document shares. */
import { type RouteConfig, createRoute, z } from "@hono/zod-openapi";
import { AppError, commonErrors, type CommonErrorCode, type ErrorKind, toShownCode } from "../errors.ts";
import type { csvStyles } from "../files/csv-line.ts";
import { mailSteps } from "../mail/mail.ts";

/** The problem document (RFC 9457) that every error is answered with. */
const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z
      .array(z.object({ pointer: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: "Invalid fields, as JSON pointers into the body or parameter names" }),
  })
  .openapi("Problem");

/** A problem document as the example of a response. */
interface ProblemExample {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: z.infer<typeof problemSchema>["errors"];
}

/** One response of a route for a status that errors give. */
export interface ProblemResponse<S = typeof problemSchema> {
  description: string;
  content: {
    "application/problem+json": {
      schema: S;
      examples: Record<string, { summary: string; value: ProblemExample }>;
    };
  };
}

const exampleErrors = [{ pointer: "/name", code: "invalid", message: "must be a string" }];

/** The problem document of a code, as a response's example. */
function toProblemExample(code: string, kind: ErrorKind): ProblemExample {
  const shown = toShownCode(code, kind);
  return {
    type: `urn:trivet:problem:${shown}`,
    title: kind.title,
    status: kind.http,
    detail: kind.title,
    code: shown,
    requestId: "4f1c2a90d7e35b68-1a",
    ...(shown === "invalid" ? { errors: exampleErrors } : {}),
  };
}

/** The response of a status: its description and an example for each code. */
export function describeProblems<S>(schema: S, kinds: ReadonlyMap<string, ErrorKind>): ProblemResponse<S> {
  const described = Array.from(kinds, ([code, kind]) => `${kind.title} (\`${toShownCode(code, kind)}\`)`);
  const examples = Array.from(kinds, ([code, kind]): [string, { summary: string; value: ProblemExample }] => [
    toShownCode(code, kind),
    { summary: kind.title, value: toProblemExample(code, kind) },
  ]);
  return {
    description: described.join("; "),
    content: { "application/problem+json": { schema, examples: Object.fromEntries(examples) } },
  };
}

/** One step of a test mail. */
export const mailStepSchema = z.object({
  step: z.enum(mailSteps),
  result: z.enum(["ok", "skipped", "failed"]),
  said: z
    .string()
    .openapi({ description: "Response of the mail server, or the error message of the system" }),
});

/** The responses of a route by status, for the codes that it can answer with. */
type ProblemResponses<Kinds extends Readonly<Record<keyof Kinds, ErrorKind>>> = <C extends keyof Kinds>(
  ...codes: C[]
) => Record<Kinds[C]["http"] | 500, ProblemResponse>;

/**
 * Creates the function that makes responses for `createRoute` by error code, so that a route lists every status it
 * can give; codes of one status share its entry. `internal` is always among them.
 */
export function createProblemResponses<Kinds extends Readonly<Record<keyof Kinds, ErrorKind>>>(
  kinds: Kinds & typeof commonErrors,
): ProblemResponses<Kinds & typeof commonErrors> {
  const byCode = new Map<PropertyKey, ErrorKind>(Object.entries(kinds));
  // Most of a service's routes share one of a few sets of codes.
  const known = new Map<string, ProblemResponse>();
  const describe = (ofStatus: ReadonlyMap<string, ErrorKind>): ProblemResponse => {
    const name = [...ofStatus.keys()].join(" ");
    const described = known.get(name) ?? describeProblems(problemSchema, ofStatus);
    known.set(name, described);
    return described;
  };
  const respond = (...codes: PropertyKey[]): Record<number, ProblemResponse> => {
    const byStatus = new Map<number, Map<string, ErrorKind>>();
    for (const code of new Set([...codes, "internal"])) {
      const kind = byCode.get(code) ?? commonErrors.internal;
      const ofStatus = byStatus.get(kind.http) ?? new Map<string, ErrorKind>();
      byStatus.set(kind.http, ofStatus.set(String(code), kind));
    }
    return Object.fromEntries(Array.from(byStatus, ([status, ofStatus]) => [status, describe(ofStatus)]));
  };
  return respond;
}

/** Responses of a route that answers with common codes only; a service has one for its own as well. */
export const problemResponses: ProblemResponses<typeof commonErrors> = createProblemResponses(commonErrors);

/** A route as `createRoute` of zod-openapi takes it, with its errors by their codes beside its `responses`. */
type RouteWithErrors<P extends string, Code> = Omit<RouteConfig, "path"> & {
  path: P;
  /** All that its handler can refuse with; without it, the usual of its method and of what it takes. */
  errors?: readonly Code[];
  /** Errors of its guard. */
  guardErrors?: readonly Code[];
};

type CodesOf<R> =
  | (R extends { errors: readonly (infer Code)[] } ? Code : never)
  | (R extends { guardErrors: readonly (infer Code)[] } ? Code : never);

type DeclaredRoute<
  R extends RouteConfig,
  Kinds extends Readonly<Record<keyof Kinds, ErrorKind>>,
> = ReturnType<
  typeof createRoute<
    R["path"],
    Omit<R, "responses" | "errors" | "guardErrors"> & {
      path: R["path"];
      method: R["method"];
      responses: R["responses"] & Record<Kinds[CodesOf<R> & keyof Kinds]["http"] | 500, ProblemResponse>;
    }
  >
>;

/** Errors of every route that stores a JSON body. */
export const writeErrors = [
  "bad_request",
  "too_large",
  "unsupported_media_type",
  "invalid",
  "store_unavailable",
] as const satisfies readonly CommonErrorCode[];

/** Default errors of a route, from its input and its method. */
function listUsualErrors({
  method,
  request = {},
}: Pick<RouteConfig, "method" | "request">): CommonErrorCode[] {
  const { body, query, params, headers } = request;
  return [
    ...(body ? writeErrors : []),
    ...(query ? (["bad_request", "invalid"] as const) : []),
    ...(params ? (["invalid", "not_found"] as const) : []),
    ...(headers === ifMatchHeader ? (["version_conflict", "stale_version"] as const) : []),
    ...(method === "get" ? [] : (["store_unavailable"] as const)),
  ];
}

/** Creates the `createRoute` of a service, which adds the responses of a route's errors to those of its successes. */
export function createRoutes<Kinds extends Readonly<Record<keyof Kinds, ErrorKind>>>(
  kinds: Kinds & typeof commonErrors,
) {
  type AllKinds = Kinds & typeof commonErrors;
  const respond = createProblemResponses(kinds);
  return <P extends string, R extends RouteWithErrors<P, keyof AllKinds>>(
    route: R,
  ): DeclaredRoute<R, AllKinds> => {
    const { errors = listUsualErrors(route), guardErrors = [], ...declared } = route;
    const responses = { ...declared.responses, ...respond(...guardErrors, ...errors) };
    // The compiler does not follow the codes through the spread.
    return createRoute({ ...declared, responses }) as unknown as DeclaredRoute<R, AllKinds>;
  };
}

/** The body of a route that needs one, as `createRoute` wants it. */
export interface JsonBody<T extends z.ZodType> {
  required: true;
  content: { "application/json": { schema: T; example: unknown } };
}

/** A JSON body that must be there; without `required`, one of another content type would pass unchecked. */
export function jsonBody<T extends z.ZodType>(schema: T, example: unknown): JsonBody<T> {
  return { required: true, content: { "application/json": { schema, example } } };
}

/** A JSON answer of a route, as `createRoute` wants it. */
export interface JsonResponse<T extends z.ZodType> {
  description: string;
  content: { "application/json": { schema: T; example?: unknown } };
}

/** A JSON answer with what it says and an example. */
export function jsonResponse<T extends z.ZodType>(
  description: string,
  schema: T,
  example?: unknown,
): JsonResponse<T> {
  const content = example === undefined ? { schema } : { schema, example };
  return { description, content: { "application/json": content } };
}

/** Headers of a change that may say which version it was made from; see {@link readIfMatch}. */
export const ifMatchHeader: z.ZodObject<{ "if-match": z.ZodOptional<z.ZodString> }> = z.object({
  "if-match": z.string().optional().openapi({
    description: "ETag of the version that the change is based on. If it is outdated, the response is 412",
    example: '"4"',
  }),
});

/** The version that If-Match names, such as `"3"`; undefined when it is absent, or "*". Throws `bad_request`. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const version = /^"(\d{1,15})"$/u.exec(header.trim())?.[1];
  if (version === undefined)
    throw new AppError("bad_request", 'If-Match must be an ETag from a previous response, such as "3"');
  return Number(version);
}

const csvStyleNames = z.enum(["comma", "semicolon", "tab"] satisfies (keyof typeof csvStyles)[]);

/** The separator of an export as CSV. */
export const csvSeparatorSchema = csvStyleNames.default("comma").openapi({
  description:
    "Separator. semicolon also uses decimal commas, as Excel expects in countries that write 12,50",
});
