/** The auth center's HTTP application: every route in one place, its descriptor and its OpenAPI document. */
import { z } from "@hono/zod-openapi";
import { createAdminTokenCheck } from "../../records/admin-token-check.ts";
import { type CommonAppOptions, type ServiceApp, createServiceApp } from "../../kit/http/app.ts";
import { addDescriptorRoutes } from "../../kit/http/descriptor-routes.ts";
import { addDocs, listRoutes } from "../../kit/http/docs.ts";
import { addHealthRoute } from "../../kit/http/health-route.ts";
import { addMetricsRoute } from "../../kit/http/metrics-route.ts";
import type { Auth } from "../auth.ts";
import { problemResponses } from "./problems.ts";
import { adminErrors, adminSchemes, adminSecurity, createAdminGuard } from "./admin-guard.ts";
import { addAdminOperationRoutes } from "../admin/operation-routes.ts";
import { addAdminUserActionRoutes } from "../admin/user-action-routes.ts";
import { addAdminUserRoutes } from "../admin/user-routes.ts";
import { addAdminClientRoutes } from "../applications/routes.ts";
import { addAdminInviteRoutes } from "../registration/invite-routes.ts";
import { addAdminSettingsRoutes } from "../settings/routes.ts";
import { addAdminTransferRoutes } from "../transfer/routes.ts";
import { bearerScheme, createBearerGuard } from "./bearer-guard.ts";
import { addCheckInRoutes } from "../check-in/routes.ts";
import { addEmailRoutes } from "../emails/routes.ts";
import { authGroups } from "./groups.ts";
import { addIntrospectionRoutes } from "../sessions/introspection-routes.ts";
import { addMeRoutes } from "../me/routes.ts";
import { addPasswordRoutes } from "../passwords/routes.ts";
import { addRegistrationRoutes } from "../registration/routes.ts";
import { addSecondFactorRoutes } from "../second-factor/routes.ts";
import { addSessionRoutes } from "../sessions/routes.ts";
import { addSignInRoutes } from "../sign-in/routes.ts";
import { addTokenRoutes } from "../sessions/token-routes.ts";
import { addProfileRoutes } from "../people/profile-routes.ts";
import { addPublicRoutes } from "../people/routes.ts";

const TITLE = "Trivet auth center";
const DESCRIPTION =
  "One account for all of an owner's applications: registration, sign-in, tokens, profiles, daily check-in.";

/** Bodies of accounts are small; a picture and an import are not. */
const BODY_BYTES = 65_536;
const AVATAR_BYTES = 524_288;
const IMPORT_BYTES = 16_777_216;

export interface AuthAppOptions extends CommonAppOptions {
  /** SHA-256 of the administrator tokens that count, hex. */
  readonly tokenHashes: readonly string[];
  /** Called when a right token came for the first time since the start. */
  readonly onTokenUse?: () => void;
  /** Whether the administrator token may come as query parameter; default true. */
  readonly adminTokenInQuery?: boolean;
  /** Called when the settings of mails were changed. */
  readonly onMailSettings?: () => Promise<void>;
  /** Where people reach the service; undefined: as the request says. */
  readonly publicUrl?: string;
}

const descriptorSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  links: z.object({ docs: z.string(), health: z.string() }),
  routePrefixes: z.array(z.string()),
});

const credentials: Readonly<Record<string, string>> = {
  public: "no credential",
  admin: "administrator token",
};

/** Each prefix of the API with the groups of its routes and, where all routes agree, what opens them. */
function listPrefixes(app: ServiceApp): string[] {
  const prefixes = new Map<string, { groups: Set<string>; access: Set<string> }>();
  for (const { path, group, access } of listRoutes(app)) {
    const prefix = /^\/api\/[^/]+(?=\/)/u.exec(path)?.[0];
    if (prefix === undefined) continue;
    const known = prefixes.get(prefix) ?? { groups: new Set(), access: new Set() };
    prefixes.set(prefix, known);
    known.groups.add(group);
    known.access.add(access);
  }
  return Array.from(prefixes, ([prefix, { groups, access }]) => {
    const [only = ""] = access.size === 1 ? access : [];
    const credential = credentials[only];
    return `${prefix}: ${[...groups].join(", ")}${credential === undefined ? "" : `; ${credential}`}`;
  });
}

/** What the service says of itself. */
function describe(app: ServiceApp, version: string): z.infer<typeof descriptorSchema> {
  return {
    name: "auth",
    title: TITLE,
    description: DESCRIPTION,
    version,
    links: { docs: "/swagger/index.html", health: "/api/health" },
    routePrefixes: listPrefixes(app),
  };
}

/** Makes the application over an auth center. */
export function createAuthApp(auth: Auth, options: AuthAppOptions): ServiceApp {
  const app = createServiceApp({
    ...options,
    name: "auth",
    title: TITLE,
    description: DESCRIPTION,
    bodyLimitBytes: BODY_BYTES,
    bodyLimits: { "/api/auth/profile/avatar": AVATAR_BYTES, "/api/admin/users/import": IMPORT_BYTES },
  });
  const bearer = createBearerGuard(auth);
  const checkToken = createAdminTokenCheck({
    limits: auth.limits,
    tokenHashes: options.tokenHashes,
    onFirstUse: options.onTokenUse,
  });
  const admin = createAdminGuard({
    checkToken,
    sessions: auth.sessions,
    tokenInQuery: options.adminTokenInQuery ?? true,
    now: () => auth.expiry.now(),
    log: options.log,
  });
  const onMailSettings = options.onMailSettings ?? (async () => undefined);
  // Each noun takes what it names of these.
  const parts = { ...auth, bearer, checkToken, admin, onMailSettings };
  addDescriptorRoutes(app, { schema: descriptorSchema, describe: () => describe(app, options.version) });
  addHealthRoute(app, options.health);
  addRegistrationRoutes(app, parts);
  addSignInRoutes(app, parts);
  addTokenRoutes(app, parts);
  addIntrospectionRoutes(app, parts);
  addPasswordRoutes(app, parts);
  addSecondFactorRoutes(app, parts);
  addMeRoutes(app, parts);
  addSessionRoutes(app, parts);
  addEmailRoutes(app, parts);
  addProfileRoutes(app, parts);
  addCheckInRoutes(app, parts);
  addPublicRoutes(app, parts);
  addAdminTransferRoutes(app, parts);
  addAdminUserRoutes(app, parts);
  addAdminUserActionRoutes(app, parts);
  addAdminSettingsRoutes(app, parts);
  addAdminInviteRoutes(app, parts);
  addAdminClientRoutes(app, parts);
  addAdminOperationRoutes(app, parts);
  addMetricsRoute(app, options.metrics, {
    guard: admin,
    security: adminSecurity,
    refusals: problemResponses(...adminErrors),
    isPublic: options.metricsPublic,
  });
  addDocs(app, {
    groups: authGroups,
    securitySchemes: { ...bearerScheme, ...adminSchemes },
    headers: [
      {
        under: "/api/auth/",
        name: "X-Auth-Client",
        description:
          'Which application asks, such as "shop", for the list of applications that used an account',
      },
    ],
  });
  return app;
}
