import { type AppEnv } from "../../kit/http/app.ts";
import { type PrincipalVariables } from "../../records/rights/principal.ts";
import { type AuditActor } from "../../records/audit.ts";
import { SESSION_COOKIE } from "./cookies.ts";
import { type SecurityScheme } from "../../kit/http/docs.ts";

export interface GuardEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] &
    PrincipalVariables & {
      actor: AuditActor;
      /** The session token that was shown; undefined with the administrator token. */
      sessionToken: string | undefined;
      /** When that session ends, epoch ms. */
      sessionExpiresAt: number | undefined;
    };
}

/** The security schemes themselves, for the OpenAPI document. */
export const adminSchemes = {
  adminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description: "The administrator token, shown once at the first start",
  },
  adminSession: {
    type: "http",
    scheme: "bearer",
    description:
      "A session from POST /api/admin/auth, an API key (`key_…`) from POST /api/admin/api-keys with the scope of the route, or the administrator token",
  },
  adminCookie: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: `Session cookie from POST /api/admin/auth. Requires an Origin header of this site. "__Host-${SESSION_COOKIE}" where PUBLIC_URL has https`,
  },
} as const satisfies Record<string, SecurityScheme>;

/** Errors of every admin route. */
export const adminErrors = [
  "unauthenticated",
  "insufficient_scope",
  "reauth_required",
  "origin_refused",
  "rate_limited",
  "unavailable",
] as const;

/** Security schemes of admin routes, any of which will do. */
export const adminSecurity: Record<string, string[]>[] = [
  { adminToken: [] },
  { adminSession: [] },
  { adminCookie: [] },
];
