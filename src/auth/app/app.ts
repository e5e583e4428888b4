/** The auth center's HTTP application: every route in one place, its descriptor and its OpenAPI document. */
import { z } from "@hono/zod-openapi";
import { addConsoleRoutes } from "../console/routes.ts";
import type { ConsolePlace } from "../../kit/outbound/consoles.ts";
import { createConsoleSessions } from "../../records/console-sessions.ts";
import { createAdminTokenCheck } from "../../records/admin-token-check.ts";
import { type CommonAppOptions, type ServiceApp, createServiceApp } from "../../kit/http/app.ts";
import { addDescriptorRoutes } from "../../kit/http/descriptor-routes.ts";
import { addDocs, listRoutes } from "../../kit/http/docs.ts";
import type { ConsoleAssets, PageAssets } from "../../kit/http/web-assets.ts";
import { addDoctorRoute } from "../../kit/doctor/doctor-route.ts";
import { applicationScopes } from "../../records/rights/application-scopes.ts";
import { addProtectedResourceRoute } from "../../kit/resource/metadata-route.ts";
import { addHealthRoute } from "../../kit/http/health-route.ts";
import { addMetricsRoute } from "../../kit/http/metrics-route.ts";
import type { Auth } from "./auth.ts";
import { problemResponses } from "../edge/create-route.ts";
import { adminErrors, adminSchemes, adminSecurity } from "../edge/admin-env.ts";
import { createAdminGuard } from "../administrators/http/admin-guard.ts";
import { createFreshProofCheck } from "../../records/rights/fresh-proof.ts";
import { createProtection } from "./protection.ts";
import { addAdminBulkRoutes } from "../admin/bulk-routes.ts";
import { addAdminOperationRoutes } from "../admin/operation-routes.ts";
import { addAdminUserActionRoutes } from "../admin/user-action-routes.ts";
import { addAdminUserActivityRoutes } from "../admin/user-activity-routes.ts";
import { addAdminUserRoutes } from "../admin/user-routes.ts";
import { addRefusalRoutes } from "../refusals/routes.ts";
import { addResourceRoutes } from "../resources/routes.ts";
import { scopesAt } from "../machines/machine-tokens.ts";
import { addAdminClientRoutes } from "../applications/routes.ts";
import { addAdminRoleRoutes } from "../roles/routes.ts";
import { addAdminGroupRoutes } from "../groups/routes.ts";
import { addAdminUpstreamRoutes } from "../upstream/routes.ts";
import { addAdminLinkRoutes } from "../upstream/link-routes.ts";
import { addAdminInviteRoutes } from "../registration/invite-routes.ts";
import { addAdminSettingsRoutes } from "../settings/routes.ts";
import { addAdminTransferRoutes } from "../transfer/routes.ts";
import { bearerScheme, createBearerGuard } from "../sessions/http/bearer-guard.ts";
import { addCheckInRoutes } from "../check-in/routes.ts";
import { addAdminEmailRoutes } from "../emails/admin-routes.ts";
import { addEmailRoutes } from "../emails/routes.ts";
import { addConsolePage } from "../../html/console-page.ts";
import { readRevokedBefore } from "../base/state.ts";
import { authGroups, authNouns } from "../edge/groups.ts";
import { createApiKeys } from "../../records/rights/api-keys.ts";
import { addApiKeyRoutes } from "../../records/rights/key-routes.ts";
import { createRouteScopes } from "../../records/rights/route-scopes.ts";
import { addIntrospectionRoutes } from "../sessions/introspection-routes.ts";
import { addAdminMailRoutes } from "../mails/routes.ts";
import { addDeviceRoutes } from "../oidc/device-routes.ts";
import { addDiscoveryRoutes, findMetadataPath, openPaths } from "../oidc/discovery-routes.ts";
import { addOauthRoutes } from "../oidc/routes.ts";
import { addPushedRequestRoutes } from "../oidc/pushed-request-routes.ts";
import { addRevocationRoutes } from "../oidc/revocation-routes.ts";
import { addTrialRoutes } from "../oidc/trial-routes.ts";
import { addUserinfoRoutes } from "../oidc/userinfo-routes.ts";
import { addAdminPasskeyRoutes } from "../passkeys/admin-routes.ts";
import { addMyPasskeyRoutes } from "../passkeys/me-routes.ts";
import { addPasskeyRoutes } from "../passkeys/routes.ts";
import { addMeRoutes } from "../me/routes.ts";
import { addPasswordRoutes } from "../passwords/routes.ts";
import { addRegistrationRoutes } from "../registration/routes.ts";
import { addSecondFactorRoutes } from "../second-factor/routes.ts";
import { addSessionRoutes } from "../sessions/routes.ts";
import { addSigningKeyRoutes } from "../signing-keys/routes.ts";
import { addSignInRoutes } from "../sign-in/routes.ts";
import { addTokenRoutes } from "../sessions/token-routes.ts";
import { addPersonPages, createAuthErrorPage } from "./person-pages.ts";
import { addAdminProfileRoutes } from "../people/admin-routes.ts";
import { createSiteReader } from "../pages/visit.tsx";
import { addProfileRoutes } from "../people/profile-routes.ts";
import { addPublicRoutes } from "../people/routes.ts";

const TITLE = "Trivet auth center";
const DESCRIPTION =
  "Single sign-on for your applications: registration, sign-in, tokens, profiles and daily check-in.";

/** Bodies of accounts are small; a picture and an import are not. */
const BODY_BYTES = 65_536;
const AVATAR_BYTES = 524_288;
/** A logo in base64 and style rules. */
const BRANDING_BYTES = 196_608;
const IMPORT_BYTES = 16_777_216;
const BODY_LIMITS = {
  "/api/auth/profile/avatar": AVATAR_BYTES,
  "/account/profile/picture": AVATAR_BYTES + BODY_BYTES,
  "/api/admin/settings/branding": BRANDING_BYTES,
  "/api/admin/users/import": IMPORT_BYTES,
};

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
  /** For the pages for people. */
  readonly assets: PageAssets;
  readonly consoleAssets: ConsoleAssets;
  /** Consoles of this install, for the switch between them. */
  readonly consoles: readonly ConsolePlace[];
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

/** The service descriptor. */
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

type Parts = Auth & {
  readonly publicUrl: string | undefined;
  readonly bearer: ReturnType<typeof createBearerGuard>;
  readonly admin: ReturnType<typeof createAdminGuard>;
  readonly checkToken: ReturnType<typeof createAdminTokenCheck>;
  readonly onMailSettings: () => Promise<void>;
};

/** The API's routes; each noun takes what it names of the parts. */
function addNouns(app: ServiceApp, parts: Parts): void {
  addRegistrationRoutes(app, parts);
  addSignInRoutes(app, parts);
  addTokenRoutes(app, parts);
  addIntrospectionRoutes(app, parts);
  addSigningKeyRoutes(app, parts);
  addOauthRoutes(app, parts);
  addDeviceRoutes(app, parts);
  addRevocationRoutes(app, parts);
  addPushedRequestRoutes(app, parts);
  addUserinfoRoutes(app, parts);
  addDiscoveryRoutes(app, parts);
  addPasswordRoutes(app, parts);
  addSecondFactorRoutes(app, parts);
  addPasskeyRoutes(app, parts);
  addMyPasskeyRoutes(app, parts);
  addMeRoutes(app, parts);
  addSessionRoutes(app, parts);
  addEmailRoutes(app, parts);
  addProfileRoutes(app, parts);
  addCheckInRoutes(app, parts);
  addPublicRoutes(app, parts);
  addAdminTransferRoutes(app, parts);
  addAdminUserRoutes(app, parts);
  addAdminUserActionRoutes(app, parts);
  addAdminBulkRoutes(app, parts);
  addAdminUserActivityRoutes(app, parts);
  addAdminPasskeyRoutes(app, parts);
  addAdminProfileRoutes(app, parts);
  addAdminEmailRoutes(app, parts);
  addAdminSettingsRoutes(app, parts);
  addAdminInviteRoutes(app, parts);
  addAdminClientRoutes(app, parts);
  addResourceRoutes(app, parts);
  addRefusalRoutes(app, parts);
  addTrialRoutes(app, parts);
  addAdminGroupRoutes(app, parts);
  addAdminRoleRoutes(app, parts);
  addAdminUpstreamRoutes(app, parts);
  addAdminLinkRoutes(app, parts);
  addAdminOperationRoutes(app, parts);
  addAdminMailRoutes(app, parts);
}

/** The guard of admin routes, and what it is made from. */
function createGuarding(app: ServiceApp, auth: Auth, options: AuthAppOptions) {
  const { tokenHashes, onTokenUse: onFirstUse, publicUrl } = options;
  const checkToken = createAdminTokenCheck({ limits: auth.limits, tokenHashes, onFirstUse });
  const consoleSessions = createConsoleSessions({ ...auth, tokenHashes, readRevokedBefore });
  const scopes = createRouteScopes(app, authNouns);
  const apiKeys = createApiKeys(auth);
  const admin = createAdminGuard({
    ...auth,
    checkToken,
    consoleSessions,
    apiKeys,
    publicUrl,
    tokenInQuery: options.adminTokenInQuery ?? true,
    needsFreshProof: createFreshProofCheck(app),
    protect: createProtection(auth),
    findMachine: async (token) => {
      const machine = await auth.machineTokens.find(token);
      const scopes = machine && scopesAt(machine.scopes, ["auth"]);
      if (machine === undefined || scopes === undefined) return undefined;
      return { kind: "machine", name: `application ${machine.client.id}`, scopes: new Set(scopes) };
    },
    scopes,
    now: () => auth.expiry.now(),
    log: options.log,
  });
  return { checkToken, consoleSessions, scopes, apiKeys, admin };
}

/** Creates the application over an auth center. */
export function createAuthApp(auth: Auth, options: AuthAppOptions): ServiceApp {
  const { assets, consoleAssets, consoles, publicUrl } = options;
  const metadataPath = findMetadataPath(auth.issuer);
  const pageOptions = { assets, consoleAssets, publicUrl };
  const app = createServiceApp({
    ...options,
    name: "auth",
    title: TITLE,
    description: DESCRIPTION,
    bodyLimitBytes: BODY_BYTES,
    bodyLimits: BODY_LIMITS,
    isProtectedResource: true,
    openPaths: metadataPath === undefined ? openPaths : [...openPaths, metadataPath],
    errorPage: createAuthErrorPage(auth, pageOptions),
  });
  const bearer = createBearerGuard(auth, app);
  const { scopes, ...guarding } = createGuarding(app, auth, options);
  const { admin } = guarding;
  const onMailSettings = options.onMailSettings ?? (async () => undefined);
  const parts = { ...auth, ...guarding, publicUrl, bearer, onMailSettings };
  addPersonPages(app, auth, pageOptions);
  const readSite = createSiteReader(auth.store);
  addConsolePage(app, {
    readLook: async () => {
      const { settings, brand } = await readSite();
      return { title: settings.siteName, brand };
    },
    assets: consoleAssets,
  });
  addConsoleRoutes(app, { ...parts, consoles });
  addDescriptorRoutes(app, { schema: descriptorSchema, describe: () => describe(app, options.version) });
  addHealthRoute(app, options.health);
  addProtectedResourceRoute(app, () => {
    const { issuer } = auth;
    if (issuer === "") return undefined;
    const scopes = ["profile", "email", ...applicationScopes.auth];
    return { resource: issuer, authorizationServer: issuer, scopes, name: "Auth center" };
  });
  addNouns(app, parts);
  const access = {
    guard: admin,
    security: adminSecurity,
    refusals: problemResponses(...adminErrors),
    scope: "auth-settings:read",
  };
  addApiKeyRoutes(app, { ...access, service: "auth", tag: "api keys", keys: parts.apiKeys });
  addDoctorRoute(app, options.examine, { ...access, tag: "operation" });
  addMetricsRoute(app, options.metrics, { ...access, isPublic: options.metricsPublic });
  addDocs(app, {
    groups: authGroups,
    scopeOf: scopes.find,
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
