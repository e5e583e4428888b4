/** The visitor of the monitor, and their rights. */

/** From least to most. */
export type Right = "nothing" | "view" | "administer";

/** The basis of a right; it may end while a socket is open. `id` is that of the record. */
export type Credential =
  | { readonly kind: "administrator-token" }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "access-token"; readonly id: string }
  /** An access token of the auth center; `id` is its hash. */
  | { readonly kind: "account-token"; readonly id: string; readonly token: string };

/** A stranger shows no credential. */
export interface Visitor {
  readonly right: Right;
  readonly credential?: Credential | undefined;
}

/** A text that tells credentials apart. */
export function credentialKey(credential: Credential | undefined): string {
  if (credential === undefined) return "";
  return credential.kind === "administrator-token" ? credential.kind : `${credential.kind} ${credential.id}`;
}

/** Returns the current right of a credential. */
export type RightOf = (credential: Credential | undefined) => Promise<Right>;
