/** Payment providers one by one, for administrators: /api/admin/site/providers/{word}. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { inEachLanguage } from "../../kit/text/languages.ts";
import { describeField } from "../payments/provider-texts.ts";
import { listKinds } from "../payments/providers/kinds.ts";
import { type ProviderKind, faultParts } from "../payments/providers/provider.ts";
import { providerSlugSchema } from "../site/schema.ts";
import type { SiteAdmin } from "./settings-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import {
  adminProviderDetailsSchema,
  adminProviderSchema,
  providerFieldsSchema,
  toProviderFields,
} from "./views.ts";
import { createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const PATH = "/api/admin/site/providers/{word}";
const changeErrors = [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"] as const;

const example = {
  title: "Bank transfer",
  secret: "a long random text of your own",
  instructions: "IBAN …, name the order number",
  expiryMinutes: 10_080,
};

const { secret: _secret, ...exampleShown } = example;
const exampleDetails: z.infer<typeof adminProviderDetailsSchema> = {
  ...exampleShown,
  word: "bank",
  kind: "generic",
  enabled: true,
  options: {},
  credentialsSet: ["secret"],
  secretSet: true,
  requireWebhookSecret: true,
  payUrlTemplate: "",
  webhookPath: "/api/webhooks/bank-pay",
  waitingOrders: 3,
};

const params = z.object({
  word: providerSlugSchema
    .refine((slug) => !(slug in Object.prototype), "must be another word")
    .meta({ example: "bank" }),
});

const testSchema = z
  .object({
    result: z.enum(["ok", "failed"]),
    message: z.string(),
    said: z.string().openapi({ description: "The service's own words" }),
    part: z.enum(faultParts).optional().openapi({ description: "What of the settings is wrong" }),
  })
  .openapi("ProviderTest");

const fieldText = z.object(inEachLanguage(() => z.string()));
const kindsSchema = z
  .object({
    items: z.array(
      z.object({
        kind: z.string(),
        title: z.string(),
        documentation: z.string(),
        currencies: z.array(z.string()).optional().openapi({ description: "Absent: any" }),
        can: z
          .array(z.enum(["begin", "notices", "ask", "cancel", "refund"]))
          .openapi({ description: "What its services do; refunds of others are recorded only" }),
        fields: z.array(
          z.object({
            name: z.string(),
            label: fieldText,
            hint: fieldText.optional(),
            isHidden: z.boolean().openapi({ description: "Stands in credentials; others in options" }),
            needed: z.boolean(),
            schema: z.record(z.string(), z.unknown()).optional().openapi({ description: "JSON Schema" }),
          }),
        ),
      }),
    ),
  })
  .openapi("ProviderKinds");

/** The kinds with the fields of their forms. */
function toKinds(): z.infer<typeof kindsSchema> {
  const items = listKinds().map(([kind, { title, documentation, currencies, ...rest }]) => ({
    kind,
    title,
    documentation,
    currencies: currencies && [...currencies],
    can: (
      [
        ["begin", rest.begin],
        ["notices", rest.read],
        ["ask", rest.ask],
        ["cancel", rest.cancel],
        ["refund", rest.refund],
      ] as const
    ).flatMap(([name, method]) => (method === undefined ? [] : [name])),
    fields: rest.fields.map((field) => ({
      name: field.name,
      ...describeField(kind, field),
      isHidden: field.isSecret,
      ...describeSchema(rest, field.name),
    })),
  }));
  return { items };
}

function describeSchema(
  { options, credentials }: Pick<ProviderKind, "options" | "credentials">,
  name: string,
): { needed: boolean; schema?: Record<string, unknown> } {
  const option = new Map(Object.entries(options)).get(name);
  if (!(option instanceof z.ZodType))
    return { needed: new Map(Object.entries(credentials)).get(name)?.needed ?? false };
  const { $schema: _uri, ...schema } = z.toJSONSchema(option, { io: "input", unrepresentable: "any" });
  return { needed: !option.safeParse(undefined).success, schema };
}

function addKinds(app: ServiceApp, guard: AdminGuard): void {
  const list = createRoute({
    ...adminRoute("admin site", guard),
    method: "get",
    path: "/api/admin/site/provider-kinds",
    operationId: "adminListProviderKinds",
    summary: "The kinds of payment services, with the fields of their settings",
    responses: { 200: jsonResponse("The kinds", kindsSchema) },
  });
  app.openapi(list, (c) => c.json(toKinds(), 200));
}

const orderSchema = z
  .strictObject({ words: z.array(providerSlugSchema).max(20), version: z.int().min(0).optional() })
  .openapi("ProviderOrder");

function addOrder(app: ServiceApp, providers: SiteAdmin["providers"], guard: AdminGuard): void {
  const route = createRoute({
    ...adminRoute("admin site", guard),
    method: "post",
    path: "/api/admin/site/provider-order",
    operationId: "adminOrderProviders",
    summary: "Put the payment providers in the order in which buyers see them",
    request: {
      headers: ifMatchHeader,
      body: jsonBody(orderSchema, { words: ["stripe", "generic", "demo"] }),
    },
    responses: { 204: { description: "They are in this order" } },
  });
  app.openapi(route, async (c) => {
    const { words, version } = c.req.valid("json");
    const by = { version, ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    const arranged = await providers.arrange(words, by);
    c.header("etag", `"${arranged.version}"`);
    return c.body(null, 204);
  });
}

function addTest(
  app: ServiceApp,
  { providers, guard }: { readonly providers: SiteAdmin["providers"]; readonly guard: AdminGuard },
): void {
  const route = createRoute({
    ...adminRoute("admin site", guard),
    method: "post",
    path: `${PATH}/test` as const,
    operationId: "adminTestProvider",
    [FRESH_PROOF]: false,
    summary: "Try a payment provider: a payment of the smallest amount begins at its service",
    request: { params },
    responses: { 200: jsonResponse("How it went, with the service's own words", testSchema) },
    errors: ["invalid", "not_found", "conflict"],
  });
  app.openapi(route, async (c) => c.json(await providers.test(c.req.valid("param").word), 200));
}

function addRead(
  app: ServiceApp,
  { providers, guard }: { readonly providers: SiteAdmin["providers"]; readonly guard: AdminGuard },
): void {
  const route = createRoute({
    ...adminRoute("admin site", guard),
    path: PATH,
    method: "get",
    operationId: "adminGetProvider",
    summary: "A payment provider, with the number of orders that wait to be paid with it",
    request: { params },
    responses: {
      200: jsonResponse(
        "The provider; its secret is never shown",
        adminProviderDetailsSchema,
        exampleDetails,
      ),
    },
  });
  app.openapi(route, async (c) => {
    const { provider, version } = await providers.read(c.req.valid("param").word);
    c.header("etag", `"${version}"`);
    return c.json(provider, 200);
  });
}

/** Adds the kinds of providers, and GET, PUT, PATCH, DELETE and the test of one. */
export function addAdminProviderRoutes(
  app: ServiceApp,
  providers: SiteAdmin["providers"],
  guard: AdminGuard,
): void {
  addKinds(app, guard);
  addOrder(app, providers, guard);
  addTest(app, { providers, guard });
  addRead(app, { providers, guard });
  const route = { ...adminRoute("admin site", guard), path: PATH };
  const response = jsonResponse("The provider; its secret is never shown", adminProviderSchema);

  const changes = [
    {
      method: "put",
      operationId: "adminPutProvider",
      summary: "Make or replace a payment provider; others and the stored secret stay",
      run: providers.put,
    },
    {
      method: "patch",
      operationId: "adminChangeProvider",
      summary: "Change some of a payment provider, such as to switch it on or off",
      run: providers.change,
    },
  ] as const;
  for (const { run, ...operation } of changes) {
    const changing = createRoute({
      ...route,
      ...operation,
      request: { params, headers: ifMatchHeader, body: jsonBody(providerFieldsSchema, example) },
      responses: { 200: response },
      errors: changeErrors,
    });
    app.openapi(changing, async (c) => {
      const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
      const fields = toProviderFields(c.req.valid("json"));
      const { provider, version } = await run(c.req.valid("param").word, fields, by);
      c.header("etag", `"${version}"`);
      return c.json(provider, 200);
    });
  }

  const removing = createRoute({
    ...route,
    method: "delete",
    operationId: "adminRemoveProvider",
    summary: "Remove a payment provider with its secret; its orders can be marked as paid by hand",
    request: { params, headers: ifMatchHeader },
    responses: { 204: { description: "Removed" } },
    errors: changeErrors,
  });
  app.openapi(removing, async (c) => {
    const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    await providers.remove(c.req.valid("param").word, by);
    return c.body(null, 204);
  });
}
