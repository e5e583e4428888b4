import { type TokenSet } from "./sessions.ts";

export type SecondFactorMethod = "totp" | "recovery";

export type OfferedMethod = SecondFactorMethod | "passkey";

export type SignedIn =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  | { readonly kind: "mfa"; readonly challengeId: string; readonly methods: OfferedMethod[] };
