/** Any provider of OpenID Connect: by its discovery, with ID tokens whose signature is checked (OpenID Connect Core 1.0). */
import type { ClientAuth } from "openid-client";
import { AppError } from "../../kit/errors.ts";
import { emailSchema } from "../accounts/schema.ts";
import { type ClientLibrary, type KindParts, type UpstreamKind, toText } from "./kind.ts";

const GOOGLE = "https://accounts.google.com";

/** By post where the provider names it, else by basic, which it must take (Discovery 1.0 section 3). */
function toClientAuth(library: ClientLibrary, secret: string | undefined): ClientAuth {
  if (secret === undefined) return library.None();
  const [post, basic] = [library.ClientSecretPost(secret), library.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const isPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true;
    return (isPost ? post : basic)(server, ...rest);
  };
}

async function configure({ library, upstream, fetch, skewSeconds }: KindParts) {
  const { issuer, clientId, secret } = upstream;
  const isPlain = issuer.startsWith("http:");
  return library.discovery(
    new URL(issuer),
    clientId,
    { [library.clockSkew]: skewSeconds, [library.clockTolerance]: 60 },
    toClientAuth(library, secret),
    {
      [library.customFetch]: fetch,
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    },
  );
}

type Claims = Readonly<Record<string, unknown>>;

/** Google verified its own addresses and those that a Workspace hosts; others were only verified once. */
function isProved({ email_verified: isVerified, hd }: Claims, issuer: string, email: string): boolean {
  if (isVerified !== true) return false;
  return issuer !== GOOGLE || email.toLowerCase().endsWith("@gmail.com") || typeof hd === "string";
}

/** Every provider of OpenID Connect. */
export const openid: UpstreamKind = {
  scopes: ["openid", "profile", "email"],
  hasIdTokens: true,
  configure,
  identify: async ({ library, config, upstream }, tokens) => {
    const claims = tokens.claims();
    if (claims === undefined) throw new AppError("unavailable", "The provider did not return an ID token");
    const { sub: subject, iss: issuer } = claims;
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
    const said: Claims =
      claims["email"] === undefined && hasUserInfo
        ? await library.fetchUserInfo(config, tokens.access_token, subject)
        : claims;
    const email = emailSchema.safeParse(said["email"]).data;
    return {
      upstreamId: upstream.id,
      issuer,
      subject,
      email,
      isEmailProved: email !== undefined && upstream.emailAuthoritative && isProved(said, issuer, email),
      username: toText(said["preferred_username"] ?? said["nickname"], 100),
      name: toText(said["name"], 80),
    };
  },
  probe: async (parts) => {
    const server = (await configure(parts)).serverMetadata();
    return {
      issuer: server.issuer,
      authorization_endpoint: server.authorization_endpoint ?? "",
      token_endpoint: server.token_endpoint ?? "",
      userinfo_endpoint: server.userinfo_endpoint ?? "",
    };
  },
};
