/** The two addresses that applications send browsers to: what the API's description says of them, and their forms. Their pages are in pages/oidc. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { problemResponses } from "../edge/create-route.ts";
import { FORM, readForm, resourceField } from "../applications/http/oauth-form.ts";

const text = z.string().optional();
const authorizeSchema = z.object({
  client_id: z.string(),
  redirect_uri: text.openapi({
    description:
      "One of the registered redirect URIs, exactly as registered. Required unless request_uri is sent",
  }),
  response_type: z.literal("code").optional().openapi({ description: "Required unless request_uri is sent" }),
  response_mode: z.enum(["query", "form_post"]).optional(),
  scope: text.openapi({ example: "openid profile email" }),
  resource: resourceField,
  state: text,
  nonce: text,
  code_challenge: text,
  code_challenge_method: z.literal("S256").optional(),
  prompt: text.openapi({ description: "none, login, consent or select_account" }),
  max_age: text.openapi({ description: "Maximum age of the sign-in in seconds" }),
  acr_values: text.openapi({
    description:
      "Requested authentication context classes in order of preference: aal1, aal2 (two factors), phr (passkey), phrh (device-bound passkey)",
    example: "phr aal2",
  }),
  claims: text.openapi({
    description:
      "Claims request as JSON. Only acr of the ID token is used, with value, values and essential (OpenID Connect Core section 5.5.1.1)",
  }),
  id_token_hint: text,
  login_hint: text,
  ui_locales: text,
  request_uri: text.openapi({ description: "The request_uri from /oauth/par" }),
  chosen: text.openapi({
    description: "Sent with request_uri after the user has chosen an account",
  }),
});
const logoutSchema = z.object({
  id_token_hint: text,
  client_id: text,
  post_logout_redirect_uri: text.openapi({
    description: "One of the registered post-logout redirect URIs, exactly as registered",
  }),
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
    summary:
      "Authorization endpoint: redirect the user's browser here to sign in to an application (OpenID Connect Core 1.0)",
    schema: authorizeSchema,
    back: "Redirect to redirect_uri with `code` or `error`, `state` and `iss`, or to the sign-in page",
  },
  {
    path: "/oauth/logout",
    name: "oauthLogout",
    summary:
      "End session endpoint: redirect the user's browser here to sign out (OpenID Connect RP-Initiated Logout 1.0)",
    schema: logoutSchema,
    back: "Redirect to post_logout_redirect_uri with `state`, or to a page of the auth center",
  },
];

/** GET returns a page. */
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
        200: {
          description: "A page that asks the user, or a form that posts the response to the application",
        },
        302: { description: back },
        303: { description: back },
        400: {
          description:
            "An error page that explains what is wrong with the request and who can fix the problem",
        },
        403: { description: "An error page: the account may not use the application" },
        429: { description: "Too many requests from this address" },
        503: { description: "The database is unavailable" },
      },
    });
    app.openAPIRegistry.registerPath({
      ...shared,
      method: "post",
      operationId: `${name}Form`,
      summary: "Same as GET, with the parameters as a form",
      request: { body: { required: true, content: { [FORM]: { schema } } } },
      responses: {
        303: { description: "Redirect to the same URL with the fields in the query" },
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
        throw new AppError("bad_request", `The body must be ${FORM} without repeated fields`);
      return c.redirect(`${path}?${new URLSearchParams([...fields]).toString()}`, 303);
    });
}
