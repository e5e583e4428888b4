/** Another provider of OpenID Connect by which people come: slow, away, or with ID tokens that must not be believed. */
import { createPublicKey, createSign } from "node:crypto";
import { ownKey, ownPublicKey } from "../../shop/payments/gateways/rsa-pairs.ts";
import type { ClientParts } from "../world/client.ts";

const HOST = "login.example";
export const ISSUER = `https://${HOST}`;
export const CLIENT_ID = "center";
const KEY_ID = "key-1";

/** What is wrong with an ID token. */
const lies = ["nonce", "aud", "iss", "exp", "signature"] as const;
type Lie = (typeof lies)[number];

interface Grant {
  readonly subject: string;
  readonly nonce: string;
  readonly lie: Lie | undefined;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

export class IdentityProvider {
  readonly #parts: ClientParts;
  readonly #grants = new Map<string, Grant>();
  #count = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    parts.outside.serve(HOST, (request) => this.#answer(request));
  }

  /** A person signs in at the provider; the query of the way back, and whether the ID token will lie. */
  authorize(asked: URL, subject: string): { readonly query: string; readonly isLie: boolean } {
    const { random } = this.#parts;
    this.#count += 1;
    const code = `code-${this.#count}`;
    const { searchParams } = asked;
    const lie = random.chance(0.1) ? random.pick([...lies]) : undefined;
    this.#grants.set(code, { subject, nonce: searchParams.get("nonce") ?? "", lie });
    const query = new URLSearchParams({ code, state: searchParams.get("state") ?? "" });
    return { query: query.toString(), isLie: lie !== undefined };
  }

  async #answer(request: Request): Promise<Response> {
    const { random, kernel } = this.#parts;
    if (random.chance(0.04)) await kernel.sleep(random.wait(20_000));
    if (random.chance(0.04)) return new Response("busy", { status: 503 });
    const { pathname } = new URL(request.url);
    if (pathname === "/.well-known/openid-configuration") return Response.json(this.#describe());
    if (pathname === "/keys") {
      const key = createPublicKey(ownPublicKey).export({ format: "jwk" });
      return Response.json({ keys: [{ ...key, kid: KEY_ID, alg: "RS256", use: "sig" }] });
    }
    const form = new URLSearchParams(await request.text());
    const grant = this.#grants.get(form.get("code") ?? "");
    this.#grants.delete(form.get("code") ?? "");
    if (grant === undefined) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const tokens = { access_token: "at", token_type: "Bearer", expires_in: 600 };
    return Response.json({ ...tokens, id_token: this.#sign(grant) });
  }

  #describe(): object {
    return {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }

  #sign({ subject, nonce, lie }: Grant): string {
    const { kernel } = this.#parts;
    const nowSeconds = Math.floor((kernel.startMs + kernel.nowMs) / 1_000);
    const claims = {
      iss: lie === "iss" ? "https://other.example" : ISSUER,
      aud: lie === "aud" ? "other" : CLIENT_ID,
      sub: subject,
      nonce: lie === "nonce" ? "another" : nonce,
      iat: nowSeconds,
      exp: lie === "exp" ? nowSeconds - 3_600 : nowSeconds + 600,
      email: `${subject}@example.org`,
      email_verified: true,
    };
    const body = `${encode({ alg: "RS256", kid: KEY_ID })}.${encode(claims)}`;
    const text = lie === "signature" ? `${body} ` : body;
    return `${body}.${createSign("RSA-SHA256").update(text).sign(ownKey).toString("base64url")}`;
  }
}
