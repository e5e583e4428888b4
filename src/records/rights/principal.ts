/** The principal of an admin route, as set by the guards of all services. */
import type { HeldScopes } from "./scopes.ts";

export interface Principal {
  readonly kind: "token" | "console" | "person" | "key" | "machine";
  /** As the audit names them. */
  readonly name: string;
  readonly scopes: HeldScopes;
  /** Scopes of a person's roles in all services, from the auth center. */
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

/** Set in the context of a request by guards. */
export interface PrincipalVariables {
  readonly principal: Principal;
}

/** Finds the application of a token from `client_credentials`, with its granted scopes. */
export type FindMachine = (token: string) => Promise<Principal | undefined>;
