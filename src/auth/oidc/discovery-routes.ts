/**
 * The center's metadata for applications that sign users in (OpenID Connect Discovery 1.0 section 4, RFC 8414 section
 * 3).
 */
import { languages } from "../../kit/text/languages.ts";
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { RESOURCE_METADATA_PATH } from "../../kit/http/security-headers.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { builtInResources } from "../resources/schema.ts";
import { assertionAlgorithms } from "../client-keys/assertions.ts";
import { signingAlgorithms } from "../applications/schema.ts";
import { acrValues } from "../policy/assurance.ts";
import { DEVICE_AUTHORIZATION_PATH } from "./device-routes.ts";
import { DEVICE_GRANT } from "./devices.ts";
import { claimTable } from "./claim-table.ts";
import { scopes } from "./scopes.ts";

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  end_session_endpoint: z.string(),
  introspection_endpoint: z.string(),
  revocation_endpoint: z.string(),
  pushed_authorization_request_endpoint: z.string(),
  require_pushed_authorization_requests: z.boolean(),
  jwks_uri: z.string(),
  device_authorization_endpoint: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  introspection_endpoint_auth_methods_supported: z.array(z.string()),
  token_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
  revocation_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
  introspection_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  prompt_values_supported: z.array(z.string()),
  acr_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
  claims_parameter_supported: z.boolean(),
  request_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean(),
  backchannel_logout_supported: z.boolean(),
  backchannel_logout_session_supported: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  ui_locales_supported: z.array(z.string()),
});

/** Paths that pages of every origin may request: they use no cookies. */
export const openPaths: readonly string[] = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  RESOURCE_METADATA_PATH,
  "/api/auth/jwks",
  "/oauth/token",
  "/oauth/userinfo",
  DEVICE_AUTHORIZATION_PATH,
  "/oauth/revoke",
  "/oauth/par",
];

const authMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"];
const tokenClaims = ["iss", "aud", "exp", "iat", "auth_time", "nonce", "amr", "acr", "at_hash", "sid"];

function toMetadata(issuer: string): z.infer<typeof metadataSchema> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    introspection_endpoint: `${issuer}/api/auth/introspect`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    require_pushed_authorization_requests: false,
    jwks_uri: `${issuer}/api/auth/jwks`,
    device_authorization_endpoint: issuer + DEVICE_AUTHORIZATION_PATH,
    scopes_supported: [...scopes, ...Object.values(builtInResources).flat()],
    response_types_supported: ["code"],
    response_modes_supported: ["query", "form_post"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT, "client_credentials"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...signingAlgorithms],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods.slice(0, 3),
    token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    revocation_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    introspection_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    acr_values_supported: [...acrValues],
    claims_supported: ["sub", ...Object.keys(claimTable), ...tokenClaims],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: [...languages],
  };
}

const CACHED = "public, max-age=300";
const METADATA_PATH = "/.well-known/oauth-authorization-server";

/** Where the metadata is besides, on an issuer with a path: between the host and the path (RFC 8414 section 3.1). */
export function findMetadataPath(issuer: string): string | undefined {
  const { pathname } = URL.canParse(issuer) ? new URL(issuer) : { pathname: "/" };
  return pathname === "/" ? undefined : METADATA_PATH + pathname;
}

/** Adds all addresses of the metadata. */
export function addDiscoveryRoutes(app: ServiceApp, { issuer }: { readonly issuer: string }): void {
  const inserted = findMetadataPath(issuer);
  if (inserted !== undefined)
    app.get(inserted, (c) => c.json(toMetadata(issuer), 200, { "cache-control": CACHED }));
  const places = [
    ["openid-configuration", "getOpenidConfiguration", "OpenID Connect discovery document"],
    ["oauth-authorization-server", "getOauthMetadata", "OAuth authorization server metadata (RFC 8414)"],
  ] as const;
  for (const [name, operationId, summary] of places) {
    const path = `/.well-known/${name}`;
    app.openapi(
      createRoute({
        tags: ["tokens"],
        "x-access": "public",
        security: [],
        method: "get",
        path,
        operationId,
        summary,
        responses: {
          200: jsonResponse("The metadata", metadataSchema, toMetadata("https://auth.example.org")),
        },
      }),
      (c) => {
        c.header("cache-control", CACHED);
        return c.json(toMetadata(issuer), 200);
      },
    );
  }
}
