/** Responses of the auth center, checked by hand: the client has no dependency. */

/**
 * The person whose token it is. Of a token that an application got with scopes, what these do not open is "", false
 * and empty: names want `profile`, emailVerified `email`, role and groups `groups`.
 */
export interface AuthUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
  readonly role: string;
  /** Groups that administrators put the account into. */
  readonly groups: readonly string[];
}

/** A token that the center knows. Frozen. */
export interface ValidAuth {
  readonly status: "valid";
  readonly user: AuthUser;
  readonly sessionId: string;
  readonly clientId: string;
  /** Epoch milliseconds by the center's clock. */
  readonly expiresAt: number;
  /** When the person last proved who they are, as this sign-in knows; undefined at a center that does not say. Epoch milliseconds. */
  readonly authenticatedAt: number | undefined;
  /** How the person signed in (RFC 8176 names). */
  readonly amr: readonly string[];
  /** Authenticator assurance level: 1, or 2 with a second factor. */
  readonly aal: number;
  /** Whether the person administers the center's own services; false: they would with a second factor; undefined: no. */
  readonly administers: boolean | undefined;
  /** Scopes of the user's roles, such as "orders:write"; undefined at a center without roles. */
  readonly adminScopes: readonly string[] | undefined;
  /** The resources that an application's token is for; undefined for a first-party sign-in. */
  readonly audience: readonly string[] | undefined;
  /** Scopes of an application's token here; undefined for a first-party sign-in. */
  readonly scopes: readonly string[] | undefined;
  /** The administrator who acts in the account: show no secrets, and do nothing in the person's name. */
  readonly impersonatedBy?: string;
}

/** The center's response to a code or a refresh token. */
export interface TokenAnswer {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly refreshExpiresInSeconds: number;
}

const MAX_BODY_BYTES = 64 * 1_024;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isSeconds = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

/** The JSON of a body; undefined when it is too large, not UTF-8 or not JSON. Rejects when the connection fails. */
export async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  const bytes = await new Blob(chunks).arrayBuffer();
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function parseUser(value: unknown): AuthUser | undefined {
  if (!isObject(value)) return undefined;
  const { id, username = "", displayName = "", emailVerified = false, role = "", groups = [] } = value;
  if (!isText(id) || typeof username !== "string" || typeof role !== "string") return undefined;
  if (!isTexts(groups) || typeof displayName !== "string" || typeof emailVerified !== "boolean")
    return undefined;
  return Object.freeze({ id, username, displayName, emailVerified, role, groups: Object.freeze(groups) });
}

/** The user; undefined for any other response. Members that a later center adds are left out. */
export function parseValid(value: unknown): ValidAuth | undefined {
  if (!isObject(value) || value["valid"] !== true) return undefined;
  const { sessionId, clientId, expiresAt, amr, aal, administers, impersonatedBy } = value;
  const { audience, scope, adminScopes, authenticatedAt } = value;
  const user = parseUser(value["user"]);
  if (user === undefined || !isText(sessionId) || typeof clientId !== "string") return undefined;
  if (!isTexts(amr) || typeof aal !== "number" || !Number.isInteger(aal)) return undefined;
  if (typeof expiresAt !== "string" || !ISO_TIME.test(expiresAt)) return undefined;
  const endsAt = Date.parse(expiresAt);
  if (Number.isNaN(endsAt)) return undefined;
  const provedAt = typeof authenticatedAt === "string" ? Date.parse(authenticatedAt) : Number.NaN;
  if (impersonatedBy !== undefined && typeof impersonatedBy !== "string") return undefined;
  if (audience !== undefined && !isTexts(audience)) return undefined;
  if (scope !== undefined && typeof scope !== "string") return undefined;
  if (adminScopes !== undefined && !isTexts(adminScopes)) return undefined;
  return Object.freeze({
    status: "valid",
    user,
    sessionId,
    clientId,
    expiresAt: endsAt,
    amr: Object.freeze(amr),
    aal,
    authenticatedAt: Number.isNaN(provedAt) ? undefined : provedAt,
    administers: typeof administers === "boolean" ? administers : undefined,
    adminScopes: adminScopes && Object.freeze(adminScopes),
    audience: audience && Object.freeze(audience),
    scopes: audience && Object.freeze((scope ?? "").split(" ").filter((word) => word !== "")),
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
  });
}

/** Whether it is the center itself that refuses the token. */
export function isRefusal(value: unknown): boolean {
  return isObject(value) && (value["code"] === "token_invalid" || value["code"] === "unauthenticated");
}

/** Tokens (RFC 6749 section 5.1); undefined for any other answer. */
export function parseTokens(value: unknown): TokenAnswer | undefined {
  if (!isObject(value)) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSeconds } = value;
  const { refresh_expires_in: refreshExpiresInSeconds } = value;
  if (!isText(accessToken) || !isText(refreshToken)) return undefined;
  if (!isSeconds(expiresInSeconds) || !isSeconds(refreshExpiresInSeconds)) return undefined;
  return { accessToken, refreshToken, expiresInSeconds, refreshExpiresInSeconds };
}

/** The code of a refusal (RFC 6749 section 5.2), "" for any other answer. */
export function parseOauthError(value: unknown): string {
  const error = isObject(value) ? value["error"] : undefined;
  return typeof error === "string" ? error : "";
}
