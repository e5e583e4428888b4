/** Who is at an admin route, as the guards of all services know them. */
import type { HeldScopes } from "./scopes.ts";

export interface Principal {
  readonly kind: "token" | "console" | "person" | "key" | "machine";
  /** As the audit names them. */
  readonly name: string;
  readonly scopes: HeldScopes;
  /** What a person's roles allow in all services, where the auth center says so. */
  readonly adminScopes?: readonly string[] | undefined;
  /** Of a person at shop and monitor; the auth center knows its own sessions. */
  readonly proof?: Proof | undefined;
}

/** That a person proved who they are. */
export interface Proof {
  /** Epoch ms; undefined: unknown. */
  readonly provedAt: number | undefined;
  /** Whether they can do so again at the auth center; otherwise they signed in here with a password. */
  readonly hasCenter: boolean;
}

/** The scopes as the start data of a console tells them; absent: everything. */
export function showScopes(scopes: HeldScopes): { readonly scopes?: string[] } {
  return scopes === "all" ? {} : { scopes: [...scopes] };
}

/** What guards put in the context of a request. */
export interface PrincipalVariables {
  readonly principal: Principal;
}

/** Finds the application of a token from `client_credentials`, with its granted scopes. */
export type FindMachine = (token: string) => Promise<Principal | undefined>;
