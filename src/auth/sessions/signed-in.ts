import { type TokenSet } from "./sessions.ts";

/** What is typed. */
export type SecondFactorMethod = "totp" | "recovery";

/** What can be asked for. */
export type OfferedMethod = SecondFactorMethod | "passkey";

export type SignedIn =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  | { readonly kind: "mfa"; readonly challengeId: string; readonly methods: OfferedMethod[] };
