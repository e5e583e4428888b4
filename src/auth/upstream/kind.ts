/** What a kind of provider knows: how to send requests to it, and what it reports about a user. */
import type * as library from "openid-client";
import type { Identity, UpstreamFields } from "./schema.ts";

/** The client library, which is loaded when the first person comes by a provider. */
export type ClientLibrary = typeof library;

/** A provider with its secret in clear. */
export type OpenedUpstream = Pick<UpstreamFields, "issuer" | "clientId" | "emailAuthoritative" | "scopes"> & {
  readonly id: string;
  readonly secret: string | undefined;
};

/** Parts of a connection to a provider. */
export interface KindParts {
  readonly library: ClientLibrary;
  readonly upstream: OpenedUpstream;
  readonly fetch: library.CustomFetch;
  /** Seconds that this center's clock is ahead of the machine's. */
  readonly skewSeconds: number;
}

/** The tokens for a code. */
export type Tokens = Awaited<ReturnType<ClientLibrary["authorizationCodeGrant"]>>;

export interface UpstreamKind {
  /** The requested scopes by default. */
  readonly scopes: readonly string[];
  /** Whether it gives ID tokens, which hold a nonce. */
  readonly hasIdTokens: boolean;
  /** Reads what has to be known of the provider. Throws what the library throws. */
  configure(parts: KindParts): Promise<library.Configuration>;
  /** The identity. Throws what the library throws. */
  identify(parts: KindParts & { readonly config: library.Configuration }, tokens: Tokens): Promise<Identity>;
  /** Checks whether the provider responds; resolves with its metadata. */
  probe(parts: KindParts): Promise<Readonly<Record<string, string>>>;
}

/** Text of a provider of at most so many characters; undefined for anything else. */
export function toText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const plain = value.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/gu, " ").trim();
  return plain === "" ? undefined : Array.from(plain).slice(0, maxLength).join("");
}
