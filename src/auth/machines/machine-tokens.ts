/** Tokens of machines: what an application may do in its own name, without a person, as far as an administrator lets it. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import {
  type AdminScope,
  type ScopedService,
  isAdminScope,
  opensAdminScope,
  scopeNouns,
} from "../../records/rights/scopes.ts";
import type { ClientRecord } from "../applications/schema.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { machineTokens } from "./records.ts";

const PREFIX = "mac";
/** Short, because an application can request another without a user. */
const LIFE_MS = 15 * 60_000;

/** A token that an application was given. */
export interface IssuedMachineToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly scopes: readonly AdminScope[];
}

/** An application that administers in its own name. */
export interface Machine {
  readonly client: ClientRecord;
  readonly scopes: readonly AdminScope[];
  /** Services that the scopes belong to. */
  readonly audience: readonly ScopedService[];
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Whether a token claims to be a machine's. */
export function looksLikeMachine(token: string): boolean {
  return token.startsWith(`${PREFIX}_`);
}

const services: readonly ScopedService[] = ["auth", "shop", "monitor"];

/** The service that a scope belongs to. */
function belongsTo(service: ScopedService, scope: AdminScope): boolean {
  return scopeNouns[service].some((noun) => scope.startsWith(`${noun}:`));
}

/** The scopes of these services alone. */
export function scopesAt(scopes: readonly AdminScope[], audience: readonly string[]): AdminScope[] {
  return scopes.filter((scope) =>
    services.some((service) => audience.includes(service) && belongsTo(service, scope)),
  );
}

/** Those of `asked` that an administrator lets the application have; writing includes reading. */
function selectAllowed({ machineScopes }: Pick<ClientRecord, "machineScopes">, asked: readonly string[]) {
  const held = new Set(machineScopes);
  return asked.filter((scope): scope is AdminScope => isAdminScope(scope) && opensAdminScope(held, scope));
}

export type MachineTokens = ReturnType<typeof createMachineTokens>;

/** Creates the logic. Callers have made sure of the application's credentials. */
export function createMachineTokens({ store, expiry }: Pick<AuthDeps, "store" | "expiry">) {
  return {
    /**
     * A token with these scopes, or with all that the application may have where none is named; "invalid_scope" where one
     * of them is not allowed, "invalid_target" where none belongs to the services that it is for.
     */
    issue: async (
      client: ClientRecord,
      { scopes, audience }: { scopes: readonly string[]; audience: readonly string[] | undefined },
    ): Promise<IssuedMachineToken | "invalid_scope" | "invalid_target"> => {
      const asked = scopes.length === 0 ? client.machineScopes : scopes;
      const allowed = selectAllowed(client, asked);
      if (allowed.length < asked.length) return "invalid_scope";
      const given = audience === undefined ? allowed : scopesAt(allowed, audience);
      if (given.length === 0) return "invalid_target";
      const accessToken = newSecret(PREFIX);
      const nowMs = expiry.now();
      await store.transact((tx) =>
        tx.insert(machineTokens, {
          id: hashSecret(accessToken),
          clientId: client.id,
          scopes: given,
          createdAt: nowMs,
          expiresAt: nowMs + LIFE_MS,
        }),
      );
      return { accessToken, expiresIn: LIFE_MS / 1_000, scopes: given };
    },
    /** The current rights of a token: none once the application was disabled or lost its scopes. */
    find: async (token: string): Promise<Machine | undefined> => {
      if (!looksLikeMachine(token)) return undefined;
      const [known, client] = await store.read(async (tx) => {
        const record = await tx.get(machineTokens, hashSecret(token));
        return [record, record && (await tx.get(clients, record.clientId))] as const;
      });
      if (known === undefined || known.expiresAt <= expiry.now() || client?.enabled !== true)
        return undefined;
      // An application that was created later under the same ID issued no such token.
      if (client.createdAt > known.createdAt || client.clientType === "public") return undefined;
      const scopes = selectAllowed(client, known.scopes);
      if (scopes.length === 0) return undefined;
      const audience = services.filter((service) => scopes.some((scope) => belongsTo(service, scope)));
      return { client, scopes, audience, issuedAt: known.createdAt, expiresAt: known.expiresAt };
    },
    /** Ends a token of the application; "foreign" for another's, undefined for none. */
    revoke: (clientId: string, token: string): Promise<"ended" | "foreign" | undefined> =>
      store.transact(async (tx) => {
        const known = looksLikeMachine(token) ? await tx.get(machineTokens, hashSecret(token)) : undefined;
        if (known === undefined) return undefined;
        if (known.clientId !== clientId) return "foreign";
        await tx.remove(machineTokens, known.id);
        return "ended";
      }),
  };
}
