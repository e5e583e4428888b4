/** Payment providers one by one, for administrators: /api/admin/site/providers/{word}. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { describeField } from "../payments/provider-texts.ts";
import { listKinds } from "../payments/providers/kinds.ts";
import type { ProviderKind } from "../payments/providers/provider.ts";
import { providerSlugSchema } from "../site/schema.ts";
import type { SiteAdmin } from "./settings-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import {
  type ProviderDetails,
  type ProviderView,
  adminProviderDetailsSchema,
  providerFieldsSchema,
  providerListSchema,
  storedProviderSchema,
} from "./answer-schema.ts";
import {
  type ProviderKinds,
  providerKindsSchema,
  providerTestSchema,
} from "../payments/providers/answer-schema.ts";
import { toProviderForm } from "./provider-form.ts";
import { toProviderFields } from "./views.ts";
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
const exampleStored: ProviderView = {
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
  version: 3,
};
const exampleDetails: ProviderDetails = { ...exampleStored, waitingOrders: 3 };

const params = z.object({
  word: providerSlugSchema
    .refine((slug) => !(slug in Object.prototype), "must be a different name")
    .meta({ example: "bank" }),
});

/** The kinds with the fields of their forms. */
function toKinds(): ProviderKinds {
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
    form: toProviderForm(kind, rest),
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
    summary: "List the types of payment providers with their settings",
    responses: { 200: jsonResponse("The provider types", providerKindsSchema) },
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
    summary: "Set the display order of the payment providers",
    request: {
      headers: ifMatchHeader,
      body: jsonBody(orderSchema, { words: ["stripe", "generic", "demo"] }),
    },
    responses: { 204: { description: "The order was changed" } },
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
    summary: "Test a payment provider by starting a payment of the minimum amount",
    request: { params },
    responses: {
      200: jsonResponse("The result, with the response of the payment provider", providerTestSchema),
    },
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
    summary: "Get a payment provider, with its number of unpaid orders",
    request: { params },
    responses: {
      200: jsonResponse(
        "The payment provider, without its secret",
        adminProviderDetailsSchema,
        exampleDetails,
      ),
    },
  });
  app.openapi(route, async (c) => {
    const provider = await providers.read(c.req.valid("param").word);
    c.header("etag", `"${provider.version}"`);
    return c.json(provider, 200);
  });
}

function addAll(
  app: ServiceApp,
  { providers, guard }: { readonly providers: SiteAdmin["providers"]; readonly guard: AdminGuard },
): void {
  const list = createRoute({
    ...adminRoute("admin site", guard),
    method: "get",
    path: "/api/admin/site/providers",
    operationId: "adminListProviders",
    summary: "The payment providers, in the order in which buyers see them",
    responses: {
      200: jsonResponse("The providers; no secret is ever shown", providerListSchema, {
        items: [exampleStored],
      }),
    },
  });
  app.openapi(list, async (c) => c.json({ items: await providers.list() }, 200));
}

/** Adds the kinds of providers, all of them, and GET, PUT, PATCH, DELETE and the test of one. */
export function addAdminProviderRoutes(
  app: ServiceApp,
  providers: SiteAdmin["providers"],
  guard: AdminGuard,
): void {
  addKinds(app, guard);
  addAll(app, { providers, guard });
  addOrder(app, providers, guard);
  addTest(app, { providers, guard });
  addRead(app, { providers, guard });
  const route = { ...adminRoute("admin site", guard), path: PATH };
  const response = jsonResponse("The payment provider, without its secret", storedProviderSchema);

  const changes = [
    {
      method: "put",
      operationId: "adminPutProvider",
      summary: "Create or replace a payment provider. Other providers and the stored secret are kept",
      run: providers.put,
    },
    {
      method: "patch",
      operationId: "adminChangeProvider",
      summary: "Change some fields of a payment provider, for example to enable or disable it",
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
      const provider = await run(c.req.valid("param").word, fields, by);
      c.header("etag", `"${provider.version}"`);
      return c.json(provider, 200);
    });
  }

  const removing = createRoute({
    ...route,
    method: "delete",
    operationId: "adminRemoveProvider",
    summary: "Delete a payment provider with its secret. Its orders can be marked as paid manually",
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
