/** GitHub: OAuth, with who came asked for at its interface (docs.github.com, "Authorizing OAuth apps", "REST API endpoints for users" and "for emails"). */
import type { Configuration } from "openid-client";
import { z } from "zod";
import { emailSchema } from "../accounts/schema.ts";
import { ProviderAwayError } from "./outbound-fetch.ts";
import { GITHUB_ISSUER } from "./schema.ts";
import { type KindParts, type UpstreamKind, toText } from "./kind.ts";

/** GitHub's issuer in its responses to the browser (RFC 9207). */
const OAUTH_ISSUER = "https://github.com/login/oauth";
const API = "https://api.github.com";
const headers = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

/** Logins change hands; the number stays. */
const userSchema = z.object({ id: z.int().min(1), login: z.string(), name: z.string().nullish() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

function configure({ library, upstream, fetch, skewSeconds }: KindParts): Configuration {
  const config = new library.Configuration(
    {
      issuer: OAUTH_ISSUER,
      authorization_endpoint: `${OAUTH_ISSUER}/authorize`,
      token_endpoint: `${OAUTH_ISSUER}/access_token`,
    },
    upstream.clientId,
    { [library.clockSkew]: skewSeconds },
    library.ClientSecretPost(upstream.secret ?? ""),
  );
  config[library.customFetch] = fetch;
  return config;
}

/** Throws ProviderAwayError for an answer of another form. */
async function read<T>(answer: Response, schema: z.ZodType<T>): Promise<T> {
  if (answer.status !== 200) throw new ProviderAwayError(`GitHub responded with status ${answer.status}`);
  return schema.parse(await answer.json());
}

/** GitHub itself; its copies for companies have other addresses and are not served. */
export const github: UpstreamKind = {
  scopes: ["read:user", "user:email"],
  hasIdTokens: false,
  configure: async (parts) => configure(parts),
  identify: async ({ library, config, upstream }, { access_token: token }) => {
    const ask = (path: string): Promise<Response> =>
      library.fetchProtectedResource(
        config,
        token,
        new URL(API + path),
        "GET",
        undefined,
        new Headers(headers),
      );
    const user = await read(await ask("/user"), userSchema);
    const emails = await read(await ask("/user/emails"), emailsSchema);
    const own = emails.find(({ primary, verified }) => primary && verified)?.email;
    const email = emailSchema.safeParse(own).data;
    return {
      upstreamId: upstream.id,
      issuer: GITHUB_ISSUER,
      subject: String(user.id),
      email,
      isEmailProved: email !== undefined && upstream.emailAuthoritative,
      username: toText(user.login, 100),
      name: toText(user.name, 80),
    };
  },
  probe: async ({ fetch }) => {
    const answer = await fetch(`${API}/meta`, {
      method: "GET",
      headers,
      body: undefined,
      redirect: "manual",
    });
    await read(answer, z.object({}));
    return { issuer: GITHUB_ISSUER, authorization_endpoint: `${OAUTH_ISSUER}/authorize` };
  },
};
