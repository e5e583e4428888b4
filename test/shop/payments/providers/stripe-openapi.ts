/** Requests as Stripe's OpenAPI file describes them; `stripe-openapi.json` says where it comes from. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { z } from "zod";
import type { ServiceRequest } from "../../../../src/shop/payments/providers/provider.ts";
import { type FormTree, readForm } from "../gateways/form.ts";

const FORM = "application/x-www-form-urlencoded";

const schemaObject = z.record(z.string(), z.unknown());
const operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.enum(["path", "query"]), schema: schemaObject })),
  requestBody: z.object({ content: z.object({ [FORM]: z.object({ schema: schemaObject }) }) }).optional(),
});

/** The file as it is. */
export const stripeDocument: unknown = JSON.parse(
  readFileSync(new URL("stripe-openapi.json", import.meta.url), "utf8"),
);
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
  .parse(stripeDocument);

// Texts become numbers where the schema has numbers, as a service reads a form; all else stays as it was sent.
const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true, validateFormats: false });

export interface CheckedRequest {
  /** The path as the file has it, such as /v1/checkout/sessions/{session}. */
  readonly path: string;
  /** What is wrong with it; empty when the file takes it. */
  readonly errors: readonly string[];
  /** The form with numbers as numbers. */
  readonly body: FormTree | undefined;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/gu, "[^/]+")}$`, "u");
}

function check(schema: Record<string, unknown>, value: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = "", params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Holds a request of ours against the file. */
export function checkStripeRequest({ method, url, body }: ServiceRequest): CheckedRequest {
  const { pathname, searchParams } = new URL(url);
  const [path = pathname, methods] =
    Object.entries(paths).find(([known]) => toPattern(known).test(pathname)) ?? [];
  const found = methods?.[method.toLowerCase()];
  if (found === undefined) return { path, errors: [`no operation ${method} ${pathname}`], body: undefined };
  const errors: string[] = [];
  for (const name of new Set([...searchParams.keys()].map((key) => key.split("[")[0] ?? ""))) {
    const parameter = found.parameters.find((known) => known.in === "query" && known.name === name);
    if (parameter === undefined) errors.push(`no query parameter "${name}"`);
    else
      errors.push(
        ...check(
          { type: "object", properties: { [name]: parameter.schema } },
          readForm(searchParams.toString()),
        ),
      );
  }
  if (method === "GET") return { path, errors, body: undefined };
  const schema = found.requestBody?.content[FORM]?.schema ?? {};
  const form = readForm(body ?? "");
  return { path, errors: [...errors, ...check(schema, form)], body: form };
}
