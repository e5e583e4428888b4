/** An authorization request at /oauth/authorize (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1). */
import { z } from "zod";
import type { ClientRecord } from "../applications/schema.ts";
import { type Acr, readAcrValues } from "../policy/assurance.ts";
import { readChallenge } from "./pkce.ts";
import type { ResourceNames, Target } from "../resources/target.ts";
import { toTarget } from "./scopes.ts";

const prompts = ["none", "login", "consent", "select_account"] as const;
export type Prompt = (typeof prompts)[number];

/** As long as a nonce or a state may be; they come back as they are. */
const MAX_TEXT = 1_000;
const MAX_SECONDS = 315_360_000;

export const RESOURCE = "resource";
/** Not of the protocol. */
export const CHOSEN = "chosen";

/** Scopes are words of these characters with spaces between them (RFC 6749 section 3.3). */
const SCOPE = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/u;

/** All that means something here; what a program sends besides is ignored (RFC 6749 section 3.1). */
const names: ReadonlySet<string> = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "prompt",
  "max_age",
  "id_token_hint",
  "login_hint",
  "ui_locales",
  "request",
  "request_uri",
  "registration",
  "acr_values",
  "claims",
  "resource",
  // Beside a request_uri: the person has chosen the account.
  CHOSEN,
]);

/** Parameters of a request; one without a value counts as omitted (RFC 6749 section 3.1). */
export interface SentParameters {
  readonly parameters: ReadonlyMap<string, string>;
  /** Parameters that occurred twice, which is never allowed; their values are omitted. */
  readonly repeated: ReadonlySet<string>;
}

/** Reads names and values as they came. */
export function readParameters(sent: Iterable<readonly [string, string]>): SentParameters {
  const parameters = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of sent) {
    if (!names.has(name)) continue;
    // The only one that may come several times (RFC 8707 section 2); spaces part its values from here on.
    if (seen.has(name) && name !== RESOURCE) repeated.add(name);
    seen.add(name);
    const before = name === RESOURCE ? parameters.get(name) : undefined;
    if (value !== "") parameters.set(name, before === undefined ? value : `${before} ${value}`);
  }
  for (const name of repeated) parameters.delete(name);
  return { parameters, repeated };
}

export interface AuthorizationRequest {
  /** The known scopes of the request, and resources. */
  readonly target: Target;
  readonly nonce: string | undefined;
  /** SHA-256 of the verifier, hex; undefined without PKCE. */
  readonly challengeHash: string | undefined;
  readonly prompts: readonly Prompt[];
  /** How long ago the person may have proved who they are, in milliseconds; undefined: as long as they like. */
  readonly maxAgeMs: number | undefined;
  /** The authentication context classes that the application wants, in its order of preference; any of them will do. */
  readonly acr: readonly Acr[];
  /** Whether it wants nothing else. */
  readonly isAcrEssential: boolean;
}

/** The error response to the application (RFC 6749 section 4.1.2.1). */
export interface RequestProblem {
  readonly error: string;
  readonly error_description: string;
}

function refuse(error: string, error_description: string): RequestProblem {
  return { error, error_description };
}

/** Unsupported features, which an application must know before it waits for them. */
function findUnserved(parameters: ReadonlyMap<string, string>): RequestProblem | undefined {
  if (!parameters.has("response_type")) return refuse("invalid_request", "response_type is missing");
  if (parameters.get("response_type") !== "code")
    return refuse("unsupported_response_type", "response_type must be code");
  if (!["query", "form_post"].includes(parameters.get("response_mode") ?? "query"))
    return refuse("invalid_request", "response_mode must be query or form_post");
  const isPosted = parameters.get("response_mode") === "form_post";
  if (isPosted && !/^https?:/iu.test(parameters.get("redirect_uri") ?? ""))
    return refuse("invalid_request", "response_mode=form_post requires an http or https redirect_uri");
  if (parameters.has("request"))
    return refuse("request_not_supported", "Send the authorization parameters directly, or use /oauth/par");
  if (parameters.has("request_uri"))
    return refuse(
      "request_uri_not_supported",
      "Send the authorization parameters directly, or use /oauth/par",
    );
  if (parameters.has("registration"))
    return refuse(
      "registration_not_supported",
      "Dynamic registration is not supported. Ask an administrator to register the application",
    );
  if (!SCOPE.test(parameters.get("scope") ?? "openid"))
    return refuse("invalid_scope", "scope must be a list of values separated by single spaces");
  for (const name of ["state", "nonce"])
    if ((parameters.get(name) ?? "").length > MAX_TEXT)
      return refuse("invalid_request", `${name} is longer than ${MAX_TEXT} characters`);
  return undefined;
}

/** The error for an application without PKCE. */
export const noPkce = refuse(
  "invalid_request",
  "PKCE is required: code_challenge with code_challenge_method=S256",
);

/** The error for an application with another method; "plain" is what a missing method means (RFC 7636 section 4.3). */
export const plainPkce = refuse(
  "invalid_request",
  'Send code_challenge_method=S256 with the code_challenge; "plain" is not supported',
);

/** The challenge's hash, or what is wrong with it. */
function readPkce(
  parameters: ReadonlyMap<string, string>,
  { clientType, requirePkce }: Pick<ClientRecord, "clientType" | "requirePkce">,
): { challengeHash: string | undefined } | RequestProblem {
  const challenge = parameters.get("code_challenge");
  if (challenge !== undefined && parameters.get("code_challenge_method") !== "S256") return plainPkce;
  if (challenge === undefined && !requirePkce && clientType === "confidential")
    return { challengeHash: undefined };
  const challengeHash = readChallenge(challenge ?? "");
  if (challengeHash !== undefined) return { challengeHash };
  return noPkce;
}

/** The supported part of the claims parameter (OpenID Connect Core 1.0 sections 5.5 and 5.5.1.1). */
const claimsSchema = z.looseObject({
  id_token: z
    .looseObject({
      acr: z
        .looseObject({
          essential: z.boolean().default(false),
          value: z.string().optional(),
          values: z.array(z.string()).default([]),
        })
        .nullish(),
    })
    .nullish(),
});

/** The classes of `acr_values`, or of the claim `acr` where the request lists values for it. */
function readAcr(
  parameters: ReadonlyMap<string, string>,
): Pick<AuthorizationRequest, "acr" | "isAcrEssential"> | RequestProblem {
  const values = (parameters.get("acr_values") ?? "").split(" ").filter((word) => word !== "");
  const text = parameters.get("claims");
  if (text === undefined) return { acr: readAcrValues(values), isAcrEssential: false };
  let claims: z.infer<typeof claimsSchema>;
  try {
    claims = claimsSchema.parse(JSON.parse(text));
  } catch {
    return refuse(
      "invalid_request",
      "claims must be a JSON object as in OpenID Connect Core 1.0 section 5.5",
    );
  }
  const claim = claims.id_token?.acr ?? undefined;
  const asked =
    claim === undefined ? [] : [...(claim.value === undefined ? [] : [claim.value]), ...claim.values];
  if (claim === undefined || asked.length === 0) return { acr: readAcrValues(values), isAcrEssential: false };
  const acr = readAcrValues(asked);
  if (claim.essential && acr.length === 0)
    return refuse(
      "unmet_authentication_requirements",
      `None of these authentication context classes is supported: ${asked.join(" ")}`,
    );
  return { acr, isAcrEssential: claim.essential };
}

function readPrompts(text: string): Prompt[] | RequestProblem {
  const asked = text.split(" ").filter((word) => word !== "");
  const known = prompts.filter((prompt) => asked.includes(prompt));
  if (known.length !== new Set(asked).size)
    return refuse("invalid_request", "prompt contains an unsupported value");
  if (known.includes("none") && known.length > 1)
    return refuse("invalid_request", "prompt=none cannot be combined with other values");
  return known;
}

/** Reads the parameters, whose application and address are known already. */
export function readAuthorizationRequest(
  { parameters, repeated }: SentParameters,
  client: Pick<ClientRecord, "id" | "resources" | "accessTokenFormat" | "clientType" | "requirePkce">,
  resourceNames: ResourceNames,
): AuthorizationRequest | RequestProblem {
  const [twice] = repeated;
  if (twice !== undefined)
    return refuse("invalid_request", "The request repeats a parameter. Send every parameter once");
  const unserved = findUnserved(parameters);
  if (unserved !== undefined) return unserved;
  const pkce = readPkce(parameters, client);
  if ("error" in pkce) return pkce;
  const asked = readPrompts(parameters.get("prompt") ?? "");
  if ("error" in asked) return asked;
  const acr = readAcr(parameters);
  if ("error" in acr) return acr;
  const maxAge = parameters.get("max_age");
  if (maxAge !== undefined && !/^\d{1,10}$/u.test(maxAge))
    return refuse("invalid_request", "max_age must be a whole number of seconds");
  const target = toTarget(parameters, client, resourceNames);
  if ("error" in target) return target;
  return {
    ...pkce,
    ...acr,
    target,
    nonce: parameters.get("nonce"),
    prompts: asked,
    maxAgeMs: maxAge === undefined ? undefined : Math.min(Number(maxAge), MAX_SECONDS) * 1_000,
  };
}
