/** The providers that an administrator set up: their secrets are sealed, and never shown again. */
import { changedFields } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { state } from "../base/records.ts";
import { upstreams } from "./records.ts";
import { changeState } from "../base/state.ts";
import { UPSTREAM_SECRET } from "./connections.ts";
import { type Flows, FlowError, toRedirectUri } from "./flows.ts";
import { GITHUB_ISSUER, type UpstreamFields, type UpstreamRecord } from "./schema.ts";

/** More buttons would be too many to read. */
const MAX_UPSTREAMS = 20;

/** Changes by an administrator; omitted members are unchanged. */
export interface UpstreamChange extends Partial<UpstreamFields> {
  /** "" removes the stored one. */
  readonly secret?: string;
}

export interface NewUpstream extends UpstreamFields {
  readonly id: string;
  readonly secret?: string;
}

/** The result of a provider test. */
export type Probe =
  | { readonly status: "ok"; readonly says: Readonly<Record<string, string>> }
  | { readonly status: "failed"; readonly reason: string };

async function getUpstream(tx: ReadTx, id: string): Promise<UpstreamRecord> {
  const upstream = await tx.get(upstreams, id);
  if (upstream === undefined) throw new AppError("not_found", `There is no provider "${id}"`);
  return upstream;
}

function refuse(pointer: string, message: string): never {
  throw new AppError("invalid", `A field of the provider ${message}`, {
    errors: [{ pointer, code: "not_allowed", message }],
  });
}

/** The issuer as it counts: GitHub has one. */
function withIssuer<T extends UpstreamFields>(fields: T): T {
  if (fields.kind === "github") return { ...fields, issuer: GITHUB_ISSUER };
  if (fields.issuer === GITHUB_ISSUER)
    refuse("/issuer", "must be the issuer URL of the OpenID Connect provider");
  return fields;
}

/** Throws `invalid` if another provider has the issuer: its users would exist twice. */
async function assertIssuerFree(tx: ReadTx, { id, issuer }: { id: string; issuer: string }): Promise<void> {
  const other = await tx.by(upstreams, "byIssuer", [issuer]);
  if (other !== undefined && other.id !== id) refuse("/issuer", `belongs to the provider "${other.id}"`);
}

/** Every provider that people may use now, by title. */
export async function listEnabledUpstreams(tx: ReadTx): Promise<UpstreamRecord[]> {
  const all = await listEvery(tx, upstreams, { index: "id" });
  return all.filter(({ enabled }) => enabled).sort((one, other) => one.title.localeCompare(other.title));
}

async function readEdition(tx: ReadTx): Promise<number> {
  return (await tx.get(state, "state"))?.upstreamsEdition ?? 0;
}

/** Invalidates pages that show the providers. */
async function countChange(tx: Tx): Promise<void> {
  await changeState(tx, { upstreamsEdition: (await readEdition(tx)) + 1 });
}

type UpstreamDeps = Pick<AuthDeps, "store" | "clock" | "box"> & {
  readonly issuer: string;
  readonly flows: Flows;
};

function seal({ box }: UpstreamDeps, secret: string | undefined): string | undefined {
  return secret === undefined || secret === "" ? undefined : box.seal(secret, UPSTREAM_SECRET);
}

/** The secret to store: it is only sent to the issuer that it was entered for. Throws `invalid`. */
function toSealed(
  deps: UpstreamDeps,
  { before, after, given }: { before: UpstreamRecord; after: UpstreamRecord; given: string | undefined },
): string | undefined {
  const isSame = (["kind", "issuer", "clientId"] as const).every((key) => before[key] === after[key]);
  if (given !== undefined) return seal(deps, given);
  if (before.sealedSecret === undefined || isSame) return before.sealedSecret;
  const message =
    "must be sent again, because the stored secret belongs to another kind, issuer or client ID";
  throw new AppError("invalid", `The secret ${message}`, {
    errors: [{ pointer: "/secret", code: "required", message }],
  });
}

function createCreate(deps: UpstreamDeps) {
  const { store, clock } = deps;
  return ({ secret, ...given }: NewUpstream, actor: Actor): Promise<UpstreamRecord> =>
    store.transact(async (tx) => {
      const fields = withIssuer(given);
      const { id } = fields;
      if ((await tx.get(upstreams, id)) !== undefined)
        throw new AppError("already_exists", `There is a provider "${id}" already`);
      if ((await tx.count(upstreams)) >= MAX_UPSTREAMS)
        throw new AppError(
          "conflict",
          `You can have up to ${MAX_UPSTREAMS} identity providers. Delete one first`,
        );
      await assertIssuerFree(tx, fields);
      const record = { ...fields, sealedSecret: seal(deps, secret), createdAt: clock.now(), editVersion: 1 };
      await writeAudit(tx, { actor, action: "upstream.create", target: id }, clock);
      await countChange(tx);
      return tx.insert(upstreams, record);
    });
}

function createChange(deps: UpstreamDeps) {
  const { store, clock } = deps;
  return (
    id: string,
    options: { change: UpstreamChange; version?: number; actor: Actor },
  ): Promise<UpstreamRecord> =>
    store.transact(async (tx) => {
      const { change, version, actor } = options;
      const { secret, ...fields } = change;
      const before = await getUpstream(tx, id);
      const { editVersion } = before;
      if (version !== undefined && version !== editVersion)
        throw new AppError("stale_version", "Someone else changed the provider. Reload it and try again", {
          details: { currentVersion: editVersion },
        });
      const after = withIssuer({ ...before, ...fields, editVersion: editVersion + 1 });
      const sealedSecret = toSealed(deps, { before, after, given: secret });
      await assertIssuerFree(tx, after);
      const changes = changedFields(before, after).filter((name) => name !== "editVersion");
      if (secret !== undefined) changes.push("secret");
      await writeAudit(tx, { actor, action: "upstream.change", target: id, changes }, clock);
      await countChange(tx);
      return tx.put(upstreams, { ...after, sealedSecret });
    });
}

export type Upstreams = ReturnType<typeof createUpstreams>;

export function createUpstreams(deps: UpstreamDeps) {
  const { store, clock, issuer, flows } = deps;
  return {
    /** Where this provider must send people back to. */
    redirectUriOf: (id: string): string => toRedirectUri(issuer, id),
    /** By id. Throws `bad_cursor`. */
    list: ({ limit, cursor }: { limit: number; cursor?: string }): Promise<Page<UpstreamRecord>> =>
      store.read((tx) => tx.list(upstreams, "id", { limit, cursor })),
    /** Throws `not_found`. */
    get: (id: string): Promise<UpstreamRecord> => store.read((tx) => getUpstream(tx, id)),
    listEnabled: (): Promise<UpstreamRecord[]> => store.read(listEnabledUpstreams),
    /** Another text after each change of any. */
    readVersion: async (): Promise<string> => String(await store.read(readEdition)),
    /** The provider, when people may use it now. */
    findEnabled: async (id: string): Promise<UpstreamRecord | undefined> => {
      const upstream = await store.read((tx) => tx.get(upstreams, id));
      return upstream?.enabled === true ? upstream : undefined;
    },
    /** Throws `already_exists`, `conflict` for too many, and `invalid` for an issuer that another one has. */
    create: createCreate(deps),
    /** Throws `not_found`, `stale_version`, and `invalid` for an issuer that another one has, or a secret that must be sent again. */
    change: createChange(deps),
    /** Links to it stay, and open nothing until it is set up again. Throws `not_found`. */
    remove: (id: string, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        await getUpstream(tx, id);
        await tx.remove(upstreams, id);
        await writeAudit(tx, { actor, action: "upstream.delete", target: id }, clock);
        await countChange(tx);
      }),
    /** Loads the provider's metadata. Throws `not_found`. */
    test: async (id: string): Promise<Probe> => {
      const upstream = await store.read((tx) => getUpstream(tx, id));
      try {
        return { status: "ok", says: await flows.probe(upstream) };
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        return { status: "failed", reason: error.reason };
      }
    },
  };
}
