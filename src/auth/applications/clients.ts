/** Registered applications: their secrets, addresses, and who may use them. */
import { createSecretCheck, hashSecret } from "../../kit/secrets/admin-token.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { assertGroups } from "../groups/groups.ts";
import { assertRequestable } from "../resources/resources.ts";
import { clients, origins } from "./records.ts";
import type { Assertions } from "../client-keys/assertions.ts";
import { mayUse } from "./may-use.ts";
import { dropRefusals } from "./kept-refusals.ts";
import { changePolicy } from "../policy/policy.ts";
import type { PolicyChange } from "../base/policy-schema.ts";
import type { ClientFields, ClientRecord } from "./schema.ts";

/** Replaces a missing or malformed name in the ledger; no application may have this name. */
const RESERVED: ReadonlySet<string> = new Set(["unknown", "invalid"]);
/** Compared with when there is no such application. */
const NO_HASH = "0".repeat(64);

/** Changes by an administrator; omitted members are unchanged. */
export interface ClientChange extends Partial<Omit<ClientFields, "policy">> {
  readonly enabled?: boolean;
  readonly policy?: PolicyChange | undefined;
}

export interface NewClient extends ClientFields {
  readonly id: string;
}

/** An application with its secret, which is shown this once. */
export interface ClientWithSecret {
  readonly client: ClientRecord;
  readonly secret: string;
}

/** An application that was just made; a public one has no secret. */
export interface MadeClient {
  readonly client: ClientRecord;
  readonly secret?: string;
}

async function getClient(tx: ReadTx, id: string): Promise<ClientRecord> {
  const client = await tx.get(clients, id);
  if (client === undefined) throw new AppError("not_found", `There is no application "${id}"`);
  return client;
}

/** Credentials of an application: its secret, or a signed assertion. */
export type ClientProof = string | { readonly assertion: string };

/** In constant time. A public application shows no secret; any that it shows counts for nothing. */
function findBySecret(
  client: ClientRecord | undefined,
  secret: string | undefined,
): ClientRecord | undefined {
  const isRight = createSecretCheck([client?.secretHash ?? NO_HASH, client?.olderSecretHash ?? NO_HASH])(
    secret ?? "",
  );
  const isBySecret = isRight && client?.tokenEndpointAuthMethod !== "private_key_jwt";
  const isProved = client?.clientType === "public" ? secret === undefined : isBySecret;
  return isProved && client?.enabled === true ? client : undefined;
}

/** A refusal of one address of a list. */
function refuseOrigin(index: number, message: string): AppError {
  return new AppError("invalid", `The URL ${message}`, {
    errors: [{ pointer: `/protectedOrigins/${index}`, code: "not_allowed", message }],
  });
}

/** Throws `invalid` for the center's origin and for another application's. */
async function assertOrigins(
  tx: ReadTx,
  client: Pick<ClientRecord, "id" | "protectedOrigins">,
  issuer: string,
): Promise<void> {
  for (const [index, origin] of client.protectedOrigins.entries()) {
    if (URL.canParse(issuer) && new URL(issuer).origin === origin)
      throw refuseOrigin(index, "is the origin of the auth center");
    const owner = await tx.get(origins, origin);
    if (owner !== undefined && owner.clientId !== client.id)
      throw refuseOrigin(index, `belongs to the application "${owner.clientId}"`);
  }
}

/** Assigns the origins to the application; they are free, or its own already. */
async function claimOrigins(
  tx: Tx,
  { id, protectedOrigins }: Pick<ClientRecord, "id" | "protectedOrigins">,
  before: readonly string[],
): Promise<void> {
  for (const origin of before) if (!protectedOrigins.includes(origin)) await tx.remove(origins, origin);
  for (const origin of new Set(protectedOrigins))
    if (!before.includes(origin)) await tx.insert(origins, { id: origin, clientId: id });
}

/** Throws `already_exists`, and `invalid` for a reserved id, an unknown group, and an origin of another application. */
export async function assertNewClient(tx: ReadTx, fields: NewClient, issuer: string): Promise<void> {
  const { id } = fields;
  if (RESERVED.has(id)) {
    const message = "is reserved for applications without a client ID";
    throw new AppError("invalid", `The ID "${id}" ${message}`, {
      errors: [{ pointer: "/id", code: "reserved", message }],
    });
  }
  if ((await tx.get(clients, id)) !== undefined)
    throw new AppError("already_exists", `There is an application "${id}" already`);
  await assertGroups(tx, fields.allowedGroups, "/allowedGroups");
  await assertRequestable(tx, fields.resources, "/resources");
  await assertOrigins(tx, fields, issuer);
}

/** Stores an application that {@link assertNewClient} lets pass. */
export async function insertClient(
  tx: Tx,
  client: NewClient & Pick<ClientRecord, "secretHash" | "enabled" | "createdAt"> & { isOwn?: boolean },
): Promise<ClientRecord> {
  await claimOrigins(tx, client, []);
  return tx.insert(clients, { isOwn: false, ...client, editVersion: 1 });
}

type ClientDeps = Pick<AuthDeps, "store" | "clock"> & {
  readonly issuer: string;
  readonly assertions: Pick<Assertions, "check">;
};

function createChange({ store, clock, issuer }: ClientDeps) {
  return (
    id: string,
    { change: asked, version, actor }: { change: ClientChange; version?: number; actor: Actor },
  ): Promise<ClientRecord> =>
    store.transact(async (tx) => {
      const client = await getClient(tx, id);
      if (version !== undefined && version !== client.editVersion) {
        throw new AppError("stale_version", "Someone else changed the application. Reload it and try again", {
          details: { currentVersion: client.editVersion },
        });
      }
      const { policy: asksPolicy = {}, ...change } = asked;
      const policy = changePolicy(client.policy, asksPolicy);
      const next = { ...client, ...change, policy, editVersion: client.editVersion + 1 };
      if (change.allowedGroups !== undefined) await assertGroups(tx, change.allowedGroups, "/allowedGroups");
      if (change.resources !== undefined) await assertRequestable(tx, change.resources, "/resources");
      await assertOrigins(tx, next, issuer);
      await claimOrigins(tx, next, client.protectedOrigins);
      const changes = changedFields(client, next).filter((name) => name !== "editVersion");
      await writeAudit(tx, { actor, action: "client.change", target: id, changes }, clock);
      return tx.put(clients, next);
    });
}

function createCreate({ store, clock, issuer }: ClientDeps) {
  return (fields: NewClient, actor: Actor): Promise<MadeClient> =>
    store.transact(async (tx) => {
      await assertNewClient(tx, fields, issuer);
      // The secret of a public client is never shown: it gets a new one if it becomes confidential.
      const secret = newSecret("sec");
      const secretHash = hashSecret(secret);
      const client = await insertClient(tx, {
        ...fields,
        secretHash,
        enabled: true,
        createdAt: clock.now(),
      });
      await writeAudit(tx, { actor, action: "client.create", target: fields.id }, clock);
      return client.clientType === "public" ? { client } : { client, secret };
    });
}

function createGiveSecret({ store, clock }: ClientDeps) {
  return (
    id: string,
    parts: { actor: Actor; action: string; toOlder: (client: ClientRecord) => string | undefined },
  ): Promise<ClientWithSecret> =>
    store.transact(async (tx) => {
      const { actor, action, toOlder } = parts;
      const before = await getClient(tx, id);
      if (before.clientType === "public")
        throw new AppError(
          "conflict",
          "Public applications have no secret. Make the application confidential first",
        );
      const secret = newSecret("sec");
      const client = await tx.put(clients, {
        ...before,
        secretHash: hashSecret(secret),
        olderSecretHash: toOlder(before),
        editVersion: before.editVersion + 1,
      });
      await writeAudit(tx, { actor, action, target: id }, clock);
      return { client, secret };
    });
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(deps: ClientDeps) {
  const { store, clock, assertions } = deps;
  const giveSecret = createGiveSecret(deps);
  return {
    /** By id. Throws `bad_cursor`. */
    list: ({ limit, cursor }: { limit: number; cursor?: string }): Promise<Page<ClientRecord>> =>
      store.read((tx) => tx.list(clients, "id", { limit, cursor })),
    /** Throws `not_found`. */
    get: (id: string): Promise<ClientRecord> => store.read((tx) => getClient(tx, id)),
    /** Undefined when there is none. */
    find: (id: string): Promise<ClientRecord | undefined> => store.read((tx) => tx.get(clients, id)),
    /** Those with an address to open them at that the account may use, by name. */
    listLaunchable: (user: UserRecord): Promise<ClientRecord[]> =>
      store.read(async (tx) => {
        const all = await listEvery(tx, clients, { index: "id" });
        return all
          .filter((client) => client.launchUrl !== "" && mayUse(client, user))
          .sort((one, other) => one.name.localeCompare(other.name));
      }),
    /**
     * The application that shows this secret, in constant time, or none where it is public, or that has signed an
     * assertion; undefined unless that is right and it is switched on.
     */
    authenticate: async (id: string, proof: ClientProof | undefined): Promise<ClientRecord | undefined> => {
      const client = await store.read((tx) => tx.get(clients, id));
      if (typeof proof !== "object") return findBySecret(client, proof);
      const hasKeys =
        client?.clientType === "confidential" && client.tokenEndpointAuthMethod === "private_key_jwt";
      if (!hasKeys || !client.enabled) return undefined;
      return (await assertions.check(client, proof.assertion)) ? client : undefined;
    },
    /** Throws `already_exists`, and `invalid` for a reserved id, an unknown group, and an origin of another one. */
    create: createCreate(deps),
    /** Throws `not_found`, `stale_version`, and `invalid` for an unknown group and an origin of another one. */
    change: createChange(deps),
    /** Creates a new secret; earlier ones are invalid at once. Throws `not_found`, `conflict` for a public client. */
    rotateSecret: (id: string, actor: Actor): Promise<ClientWithSecret> =>
      giveSecret(id, { actor, action: "client.rotate-secret", toOlder: () => undefined }),
    /**
     * Creates a second secret; both are valid until {@link retireSecret}. Throws `not_found`, `conflict` when there
     * are two and for a public client.
     */
    addSecret: (id: string, actor: Actor): Promise<ClientWithSecret> =>
      giveSecret(id, {
        actor,
        action: "client.add-secret",
        toOlder: ({ secretHash, olderSecretHash }) => {
          if (olderSecretHash === undefined) return secretHash;
          throw new AppError(
            "conflict",
            "The application already has two secrets. Retire the older one first",
          );
        },
      }),
    /** Ends the older of two secrets. Throws `not_found`, `conflict` when there is only one. */
    retireSecret: (id: string, actor: Actor): Promise<ClientRecord> =>
      store.transact(async (tx) => {
        const { olderSecretHash, ...kept } = await getClient(tx, id);
        if (olderSecretHash === undefined)
          throw new AppError("conflict", "The application has only one secret, which cannot be retired");
        await writeAudit(tx, { actor, action: "client.retire-secret", target: id }, clock);
        return tx.put(clients, { ...kept, editVersion: kept.editVersion + 1 });
      }),
    /** Throws `not_found`. */
    remove: (id: string, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        const { protectedOrigins } = await getClient(tx, id);
        for (const origin of protectedOrigins) await tx.remove(origins, origin);
        await dropRefusals(tx, id);
        await tx.remove(clients, id);
        await writeAudit(tx, { actor, action: "client.delete", target: id }, clock);
      }),
  };
}
