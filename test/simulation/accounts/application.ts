/** An application that people sign in to with OpenID Connect: what it sends, and what it remembers of a sign-in. */
import { z } from "zod";
import { type Answer, Client, type ClientParts, Violation } from "../world/client.ts";
import { AUTH_PORT } from "./people.ts";

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  id_token: z.string(),
});
const claimsSchema = z.object({ sub: z.string(), aud: z.string(), nonce: z.string().optional() });
type Tokens = z.infer<typeof tokensSchema>;

export type Claims = z.infer<typeof claimsSchema>;

/** Reads a token without its signature. */
export function readClaims(token: string): Claims {
  const [, payload = ""] = token.split(".");
  return claimsSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
}

/** Tokens of one sign-in: each refresh token has one successor. */
export class Family {
  /** Refresh tokens, the current one last. */
  readonly refreshTokens: string[];
  accessToken: string;
  /** Its end was acknowledged. */
  isOver = false;
  /** Something happened without an answer, or at the same moment: it may have ended. */
  isDoubtful = false;

  constructor({ refresh_token: refreshToken, access_token: accessToken }: Tokens) {
    this.refreshTokens = [refreshToken];
    this.accessToken = accessToken;
  }

  get current(): string {
    return this.refreshTokens.at(-1) ?? "";
  }

  /** Takes the successor of a refresh token. @throws Violation when it has another one */
  take(spent: string, { refresh_token: next, access_token: accessToken }: Tokens): void {
    const at = this.refreshTokens.indexOf(spent);
    const known = this.refreshTokens[at + 1];
    if (known !== undefined && known !== next) throw new Violation("A refresh token has two successors");
    if (known !== undefined) return;
    this.refreshTokens.push(next);
    this.accessToken = accessToken;
  }
}

/** How a request at the token endpoint ended: with tokens, refused, or without an answer. */
export type Granted = Tokens | "refused" | undefined;

export class Application {
  readonly id: string;
  readonly redirectUri: string;
  readonly #client: Client;
  readonly #secret: string;

  constructor(
    parts: ClientParts,
    { id, secret }: { readonly id: string; readonly secret: string },
    number: number,
  ) {
    this.id = id;
    this.#secret = secret;
    this.redirectUri = `https://${id}.example/callback`;
    this.#client = new Client(parts, { name: id, port: AUTH_PORT, from: `10.6.0.${number}` });
  }

  /** Sends a form with the application's secret, once. */
  post(path: string, form: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    const authorization = `Basic ${btoa(`${this.id}:${this.#secret}`)}`;
    return this.#client.insist(path, { method: "POST", headers: { authorization }, form }, 1);
  }

  async #ask(form: Readonly<Record<string, string>>): Promise<Granted> {
    const answer = await this.post("/oauth/token", form);
    if (answer === undefined) return undefined;
    if (answer.status === 200) return tokensSchema.parse(answer.json);
    if (answer.status === 400 && JSON.stringify(answer.json).includes('"invalid_grant"')) return "refused";
    throw new Violation(`${this.id}: ${form["grant_type"]} → ${JSON.stringify(answer)}`);
  }

  redeem(code: string, verifier: string): Promise<Granted> {
    const { redirectUri } = this;
    return this.#ask({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  }

  refresh(refreshToken: string): Promise<Granted> {
    return this.#ask({ grant_type: "refresh_token", refresh_token: refreshToken });
  }

  /** Whether an access token opens the claims of its account; undefined without an answer. */
  async isOpen(accessToken: string): Promise<boolean | undefined> {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await this.#client.insist("/oauth/userinfo", { headers }, 4);
    return answer === undefined ? undefined : answer.status === 200;
  }

  /** Ends the tokens of a sign-in; whether that was acknowledged. */
  async revoke(refreshToken: string): Promise<boolean> {
    return (await this.post("/oauth/revoke", { token: refreshToken }))?.status === 200;
  }
}
