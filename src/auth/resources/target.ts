/** Requests by `resource` and `scope`, and the names of resources in tokens (RFC 8707, RFC 9068 section 3). */
import { type BuiltInResource, type Requestable, accountScopes } from "./schema.ts";

/** Addresses at which the install's own services are reached, the one that tokens name first. */
export type ResourcePlaces = Partial<Readonly<Record<BuiltInResource, readonly string[]>>>;

export interface Target {
  /** Resources: "auth", "shop", "monitor", or identifiers of registered ones. */
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
}

/** Why a request for tokens is refused (RFC 6749 section 5.2, RFC 8707 section 2). */
export interface TargetProblem {
  readonly error: "invalid_target" | "invalid_scope";
  readonly error_description: string;
}

/** Scopes of OpenID Connect that mean nothing here and that programs ask for by habit. */
const ignored: ReadonlySet<string> = new Set(["address", "phone"]);

const toWords = (text: string): string[] => text.split(" ").filter((word) => word !== "");
/** Programs write an address without a path with a slash, or without. */
const trim = (text: string): string => text.replace(/\/$/u, "");

export type ResourceNames = ReturnType<typeof createResourceNames>;

/** Creates what translates between the names of resources. */
export function createResourceNames(places: ResourcePlaces) {
  const ids = new Map<string, string>();
  const addresses = new Map<string, string>();
  for (const [id, urls] of Object.entries(places))
    for (const url of urls) {
      ids.set(trim(url), id);
      if (!addresses.has(id)) addresses.set(id, url);
    }
  return {
    /** The resource that a `resource` parameter names: by its address or short name, or as it is. */
    resolve: (text: string, { resources }: { readonly resources: Requestable }): string =>
      ids.get(trim(text)) ?? resources.find(({ id }) => id === text || trim(id) === trim(text))?.id ?? text,
    /** The `aud` claim: the URL of a service, if known. */
    toAud: (id: string): string => addresses.get(id) ?? id,
  };
}

interface Asking {
  readonly id: string;
  readonly resources: Requestable;
  readonly accessTokenFormat: "opaque" | "jwt";
}

const isAccountScope = (word: string): boolean => accountScopes.some((scope) => scope === word);

function refuseTarget(error_description: string): TargetProblem {
  return { error: "invalid_target", error_description };
}

/** The granted part of `resource` and `scope`. */
export function readTarget(
  asked: { readonly resource: string | undefined; readonly scope: string | undefined },
  client: Asking,
  names: ResourceNames,
): Target | TargetProblem {
  const { id: clientId, resources } = client;
  const named = toWords(asked.resource ?? "");
  const audience = [...new Set(named.map((text) => names.resolve(text, client)))];
  const other = audience.findIndex((id) => !resources.some((one) => one.id === id));
  if (other !== -1)
    return refuseTarget(
      `The application "${clientId}" may not request the resource "${audience[other]}". An administrator must add it to the resources of the application`,
    );
  const words = [...new Set(toWords(asked.scope ?? ""))];
  const foreign = words.filter((word) => !isAccountScope(word) && !ignored.has(word));
  const allowedAt = audience.map((id) => selectScopes(foreign.join(" "), id, resources));
  const granted = foreign.filter((word) => allowedAt.some((scopes) => scopes.includes(word)));
  const excess = audience.length === 0 ? undefined : foreign.find((word) => !granted.includes(word));
  if (excess !== undefined)
    return {
      error: "invalid_scope",
      error_description: `The application "${clientId}" may not request the scope "${excess}" at ${audience.join(" and ")}. An administrator must add it to the resources of the application`,
    };
  // Anyone who reads a JWT cannot tell where a scope counts (RFC 9068 section 5).
  const isClear = allowedAt.every((scopes) => scopes.length === granted.length);
  if (client.accessTokenFormat === "jwt" && !isClear)
    return refuseTarget(
      "The application uses JWT access tokens, which are for one resource. Send a single `resource`",
    );
  return { audience, scopes: [...accountScopes.filter((word) => words.includes(word)), ...granted] };
}

/** The part of the grant that is requested again, or why not: nothing is ever widened (RFC 6749 section 6). */
export function narrowTarget(
  asked: { readonly resource: string | undefined; readonly scope: string | undefined },
  granted: Target & { readonly resources: Requestable },
  names: ResourceNames,
): Partial<Target> | TargetProblem {
  const audience = toWords(asked.resource ?? "").map((text) => names.resolve(text, granted));
  const other = audience.find((id) => !granted.audience.includes(id));
  if (other !== undefined)
    return {
      error: "invalid_target",
      error_description: `The resource "${other}" was not granted. Send it to /oauth/authorize first`,
    };
  const scopes = toWords(asked.scope ?? "");
  const excess = scopes.find((word) => !granted.scopes.includes(word));
  if (excess !== undefined)
    return {
      error: "invalid_scope",
      error_description: `The scope "${excess}" was not granted. A refresh can only narrow the scope`,
    };
  return {
    ...(audience.length > 0 && { audience: [...new Set(audience)] }),
    ...(scopes.length > 0 && { scopes: granted.scopes.filter((word) => scopes.includes(word)) }),
  };
}

/** The scopes of a token without those of resources that it is not for. */
export function limitScope(scope: string, audience: readonly string[], resources: Requestable): string {
  const words = toWords(scope);
  if (words.every(isAccountScope)) return scope;
  const open = new Set(audience.flatMap((id) => selectScopes(scope, id, resources)));
  return words.filter((word) => isAccountScope(word) || open.has(word)).join(" ");
}

/** Those of a token's scopes that count at a resource: what the application may ask for there. */
export function selectScopes(scope: string, resource: string, resources: Requestable): readonly string[] {
  const allowed = resources.find(({ id }) => id === resource)?.scopes ?? [];
  return toWords(scope).filter((word) => allowed.includes(word));
}
