/** Scopes of applications at each service, granted by the user and an administrator. */
import { AppError } from "../../kit/errors.ts";

/** Scopes by service; the words differ from those of administrative scopes. */
export const applicationScopes = {
  auth: ["check-in"],
  shop: ["purchases:read", "purchases:write", "wishlist", "messages"],
  monitor: ["status:read"],
} as const;

export type ApplicationScope<S extends keyof typeof applicationScopes> =
  (typeof applicationScopes)[S][number];

/**
 * The scopes that an application's token needs at a route for people, with spaces between them; "" where any token of an
 * application will do, because the route concerns that very token. A route without it takes first-party sign-ins alone.
 */
export const APPLICATION_SCOPE = "x-application-scope";

/** The missing scope of an application's token (RFC 6750 section 3.1), and how to get it. */
export function insufficientScope(resource: string, scope: string): AppError {
  return new AppError(
    "insufficient_scope",
    `The access token does not have the scope "${scope}" for the resource "${resource}". The application must request resource=${resource} with that scope, and an administrator must allow it for the application`,
    { details: { scope } },
  );
}
