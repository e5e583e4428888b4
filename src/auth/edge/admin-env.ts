import { type AppEnv } from "../../kit/http/app.ts";
import { type PrincipalVariables } from "../../records/rights/principal.ts";
import { type Actor } from "../base/caller.ts";
import { type SecurityScheme } from "../../kit/http/docs.ts";

export interface AdminEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & PrincipalVariables & { actor: Actor };
}

export const adminSchemes = {
  adminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description: "The administrator token, shown once at the first start",
  },
  adminQuery: {
    type: "apiKey",
    in: "query",
    name: "token",
    description: "The administrator token in the query. Prefer the header, because URLs end up in proxy logs",
  },
  adminCookie: {
    type: "apiKey",
    in: "cookie",
    name: "trivet_console",
    description:
      'Session cookie from POST /api/console/session, or "trivet_session" of a signed-in administrator. Over https, both names start with "__Host-". The cookies are accepted only from pages of this site',
  },
} as const satisfies Record<string, SecurityScheme>;

/** Any of these will do; an API key comes as `bearer`. */
export const adminSecurity: Record<string, string[]>[] = [
  { adminToken: [] },
  { adminQuery: [] },
  { bearer: [] },
  { adminCookie: [] },
];

/** Errors of every admin route. */
export const adminErrors = [
  "unauthenticated",
  "token_invalid",
  "forbidden",
  "insufficient_scope",
  "origin_refused",
  "reauth_required",
  "rate_limited",
] as const;
