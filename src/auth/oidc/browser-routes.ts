/** The two addresses that applications send browsers to: what the API's description says of them, and their forms. Their pages are in pages/oidc. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { problemResponses } from "../edge/create-route.ts";
import { FORM, readForm, resourceField } from "../applications/http/oauth-form.ts";

const text = z.string().optional();
const authorizeSchema = z.object({
  client_id: z.string(),
  redirect_uri: text.openapi({ description: "Exactly as registered; required unless request_uri is sent" }),
  response_type: z.literal("code").optional().openapi({ description: "Required unless request_uri is sent" }),
  response_mode: z.enum(["query", "form_post"]).optional(),
  scope: text.openapi({ example: "openid profile email" }),
  resource: resourceField,
  state: text,
  nonce: text,
  code_challenge: text,
  code_challenge_method: z.literal("S256").optional(),
  prompt: text.openapi({ description: "none, login, consent or select_account" }),
  max_age: text.openapi({ description: "Seconds since the person last signed in" }),
  acr_values: text.openapi({
    description:
      "Wanted authentication context classes, the preferred one first: aal1, aal2 (two factors), phr (a passkey), phrh (a passkey that stays in its device)",
    example: "phr aal2",
  }),
  claims: text.openapi({
    description:
      "JSON of which the ID token's acr is read, with value, values and essential (Core section 5.5.1.1)",
  }),
  id_token_hint: text,
  login_hint: text,
  ui_locales: text,
  request_uri: text.openapi({ description: "As answered by /oauth/par" }),
  chosen: text.openapi({
    description: "Beside request_uri, on the way back: the person has chosen the account",
  }),
});
const logoutSchema = z.object({
  id_token_hint: text,
  client_id: text,
  post_logout_redirect_uri: text.openapi({ description: "Exactly as registered" }),
  state: text,
});

interface BrowserRoute {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly schema: typeof authorizeSchema | typeof logoutSchema;
  /** Where the browser goes in the end. */
  readonly back: string;
}

const routes: readonly BrowserRoute[] = [
  {
    path: "/oauth/authorize",
    name: "oauthAuthorize",
    summary: "Send a person's browser here to sign in to an application (OpenID Connect Core 1.0)",
    schema: authorizeSchema,
    back: "Back to redirect_uri with `code` or `error`, `state` and `iss`; or on to the sign-in",
  },
  {
    path: "/oauth/logout",
    name: "oauthLogout",
    summary: "Send a person's browser here to sign out (OpenID Connect RP-Initiated Logout 1.0)",
    schema: logoutSchema,
    back: "Back to post_logout_redirect_uri with `state`, or on to a page of the auth center",
  },
];

/** GET has a page of its own. */
function describe(app: ServiceApp): void {
  for (const { path, name, summary, schema, back } of routes) {
    const shared = { tags: ["tokens"], "x-access": "public", security: [], path };
    app.openAPIRegistry.registerPath({
      ...shared,
      method: "get",
      operationId: name,
      summary,
      request: { query: schema },
      responses: {
        200: { description: "A page that asks the person, or a form that brings the answer back" },
        302: { description: back },
        303: { description: back },
        400: { description: "A page that says what is wrong with the request and who can fix it" },
        403: { description: "A page that says that the account may not use the application" },
        429: { description: "Too many requests from this address" },
        503: { description: "The store is unavailable" },
      },
    });
    app.openAPIRegistry.registerPath({
      ...shared,
      method: "post",
      operationId: `${name}Form`,
      summary: "The same parameters as a form",
      request: { body: { required: true, content: { [FORM]: { schema } } } },
      responses: {
        303: { description: "On to the same address with the fields as its query" },
        ...problemResponses("bad_request", "too_large"),
      },
    });
  }
}

/** Adds the forms of /oauth/authorize and /oauth/logout. */
export function addBrowserRoutes(app: ServiceApp): void {
  describe(app);
  // Browsers send no cookie with a form of another site: what it holds comes again as a query.
  for (const { path } of routes)
    app.post(path, async (c) => {
      const fields = await readForm(c);
      if (fields === undefined)
        throw new AppError("bad_request", `The body must be ${FORM}, each field once`);
      return c.redirect(`${path}?${new URLSearchParams([...fields]).toString()}`, 303);
    });
}
