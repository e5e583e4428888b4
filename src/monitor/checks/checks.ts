/** Checks as an administrator keeps them: every change and its audit entry are one transaction. */
import { isJudged } from "./judged.ts";
import { AppError } from "../../kit/errors.ts";
import type { ProbeResult } from "../../kit/probes/probe.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { changedFields, describeName } from "../../kit/text/changes.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { type ReadTx, type Store, StoreError, type Tx } from "../../store/store.ts";
import type { Parents } from "../base/parents.ts";
import type { Prober } from "./prober.ts";
import { checkStandings, checks } from "./records.ts";
import { kindOf } from "../../kit/probes/kinds/kinds.ts";
import { type CheckRecord, type CheckTarget, MAX_CHECKS, type Places, placesSchema } from "./schema.ts";
import { mergeTarget, openTarget, sealTarget, withoutSecrets } from "./target-secrets.ts";
import { type CheckInput, checkInputSchema } from "./view-schema.ts";

/** Characters of the secret part of a heartbeat's addresses: 130 bits. */
const PING_KEY_CHARACTERS = 26;
/** Tests that run at once at most; each may take a minute. */
const MAX_TESTS = 10;

export interface ChecksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly probe: Prober;
  /** Called before checks are created, in the same transaction. */
  readonly onCreate?:
    | ((tx: Tx, by: { clock: Clock; actor: AuditActor; targets: readonly CheckTarget[] }) => Promise<void>)
    | undefined;
  readonly parents?: Parents | undefined;
}

/** Some of what an administrator sets; null takes `mute` away. */
export type CheckPatch = SettingsPatch;

/** A bulk action on checks. */
export type BulkAction =
  | { readonly action: "pause" | "resume" | "show" | "hide" | "delete" }
  | { readonly action: "group"; readonly group: string };

const bulkPatches = {
  pause: { paused: true },
  resume: { paused: false },
  show: { public: true },
  hide: { public: false },
} as const;

async function getRecord(tx: ReadTx, id: string): Promise<CheckRecord> {
  const record = await tx.get(checks, id);
  if (record === undefined) throw new AppError("not_found", `There is no check "${id}"`);
  return record;
}

/** Every check, in no order. */
export async function listChecks(tx: ReadTx): Promise<readonly CheckRecord[]> {
  const found: CheckRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await tx.list(checks, "id", { limit: 1_000, cursor });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** An administrator's fields of a record, without secrets. */
function toInput(record: CheckRecord): CheckInput {
  const { sealed: _sealed, ...rest } = record;
  return checkInputSchema.strip().parse({ ...rest, target: withoutSecrets(record.target) });
}

function applyTo(before: CheckRecord, { target, mute, ...patch }: CheckPatch): CheckInput {
  const present = toInput(before);
  const kept = {
    ...present,
    // Members of one kind say nothing of another: a target is taken as a whole.
    target: target ?? present.target,
    mute: mute === undefined ? present.mute : (mute ?? undefined),
  };
  return applyPatch(checkInputSchema, kept, patch);
}

/** Whether earlier results no longer apply. */
function isOtherDefinition(before: CheckRecord, after: { target: CheckTarget; inverted: boolean }): boolean {
  if (before.target.kind === "heartbeat" && after.target.kind === "heartbeat") return false;
  return changedFields({ target: before.target, inverted: before.inverted }, after).length > 0;
}

/** What only the monitor itself checks has no other locations: those that are given are ignored. */
function toLocations({ target, places }: Pick<CheckInput, "target" | "places">): Places {
  const isCentral = !isJudged(target) && kindOf(target).isCentral === true;
  return isCentral ? placesSchema.parse({}) : places;
}

/** A heartbeat keeps its addresses; what is none has no use for them. */
function toPingKey(target: CheckTarget, known: string | undefined): { pingKey?: string } {
  return target.kind === "heartbeat" ? { pingKey: known ?? newCodeText(PING_KEY_CHARACTERS) } : {};
}

/** Checks on a store. */
export class Checks {
  readonly #deps: ChecksDeps;
  #tests = 0;

  constructor(deps: ChecksDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `not_found` */
  get(id: string): Promise<CheckRecord> {
    return this.#deps.store.read((tx) => getRecord(tx, id));
  }

  /**
   * `pingKey`: of a heartbeat that keeps the addresses that it has elsewhere.
   * @throws AppError `invalid`, `conflict` when there are {@link MAX_CHECKS} or the key is taken
   */
  async create(
    input: CheckInput,
    { actor, pingKey }: { actor: AuditActor; pingKey?: string | undefined },
  ): Promise<CheckRecord> {
    const [record] = await this.createAll([{ input, pingKey }], actor);
    if (record === undefined) throw new AppError("internal", "No check was created");
    return record;
  }

  /** Creates all checks, or none. Throws what `create` throws. */
  async createAll(
    all: readonly { readonly input: CheckInput; readonly pingKey?: string | undefined }[],
    actor: AuditActor,
  ): Promise<readonly CheckRecord[]> {
    const { store, clock, box, onCreate, parents } = this.#deps;
    const given = all.map(({ input, pingKey }) => ({
      fields: {
        ...input,
        places: toLocations(input),
        ...sealTarget(box, mergeTarget(box, input.target, undefined)),
      },
      pingKey,
    }));
    return store.transact(async (tx) => {
      const known = await tx.count(checks);
      if (known + given.length > MAX_CHECKS)
        throw new AppError("conflict", `You can have up to ${MAX_CHECKS} checks. Delete some first`);
      const now = clock.now();
      await onCreate?.(tx, { clock, actor, targets: given.map(({ fields }) => fields.target) });
      const records: CheckRecord[] = [];
      for (const { fields, pingKey } of given) {
        const id = newId("chk", now);
        const times = { createdAt: now, updatedAt: now };
        const keys = toPingKey(fields.target, pingKey);
        await parents?.assert(tx, { ...fields, id });
        records.push(await insert(tx, { ...fields, ...keys, id, revision: 1, ...times }));
        const changes = [...describeName(fields.name), fields.target.kind];
        await writeAudit(tx, { actor, action: "check.create", target: id, changes }, clock);
      }
      return records;
    });
  }

  /** Header values that are left out stay. @throws AppError `not_found`, `invalid`, `version_conflict` */
  replace(id: string, change: ChangedBy & { input: CheckInput }): Promise<CheckRecord> {
    return this.#change(id, { ...change, toInput: () => change.input });
  }

  /** Changes some of it. Throws what `replace` throws. */
  change(id: string, change: ChangedBy & { patch: CheckPatch }): Promise<CheckRecord> {
    const { patch } = change;
    return this.#change(id, {
      ...change,
      toInput: (before) => applyTo(before, patch),
      keepsTarget: patch["target"] === undefined,
    });
  }

  /** @throws AppError `not_found` */
  async remove(id: string, actor: AuditActor): Promise<void> {
    const { store, parents } = this.#deps;
    await store.transact(async (tx) => {
      await this.#remove(tx, await getRecord(tx, id), actor);
      await parents?.drop(tx, new Set([id]));
    });
  }

  /** Does the same with all that there are of `ids`, or with none; gives the ids of those that were changed. */
  bulk(ids: readonly string[], what: BulkAction & { actor: AuditActor }): Promise<readonly string[]> {
    return this.#deps.store.transact(async (tx) => {
      const touched: string[] = [];
      for (const id of new Set(ids)) {
        const record = await tx.get(checks, id);
        if (record !== undefined && (await this.#applyBulk(tx, record, what))) touched.push(id);
      }
      if (what.action === "delete") await this.#deps.parents?.drop(tx, new Set(touched));
      return touched;
    });
  }

  /** Tries a stored check now. @throws AppError `not_found`, `invalid` of a heartbeat, `rate_limited` */
  async test(id: string, actor: AuditActor): Promise<{ result: ProbeResult; inverted: boolean }> {
    const { store, clock, box } = this.#deps;
    const record = await store.transact(async (tx) => {
      const found = await getRecord(tx, id);
      await writeAudit(tx, { actor, action: "check.test", target: id }, clock);
      return found;
    });
    const target = openTarget(box, record);
    if (target === undefined)
      throw new AppError("conflict", "The header values were sealed with another secret. Enter them again");
    return this.#try(target, record);
  }

  /** The same of one that is not stored; header values that it leaves out are those of `id`. */
  async testInput(
    input: CheckInput,
    { id, actor }: { id: string | undefined; actor: AuditActor },
  ): Promise<{ result: ProbeResult; inverted: boolean }> {
    const { store, clock, box } = this.#deps;
    const target = await store.transact(async (tx) => {
      const before = id === undefined ? undefined : await getRecord(tx, id);
      await writeAudit(tx, { actor, action: "check.test", target: id ?? input.target.kind }, clock);
      return mergeTarget(box, input.target, before);
    });
    return this.#try(target, input);
  }

  async #try(
    target: CheckTarget,
    { inverted, timeoutSeconds }: Pick<CheckInput, "inverted" | "timeoutSeconds">,
  ): Promise<{ result: ProbeResult; inverted: boolean }> {
    if (isJudged(target))
      throw new AppError(
        "invalid",
        "Heartbeats and groups cannot be tested: they have no target to connect to",
      );
    if (this.#tests >= MAX_TESTS)
      throw new AppError("rate_limited", "Too many tests are running. Try again soon", {
        retryAfterSeconds: 5,
      });
    this.#tests += 1;
    try {
      const { signal } = new AbortController();
      return {
        result: await this.#deps.probe(target, { timeoutMs: timeoutSeconds * 1_000, signal }),
        inverted,
      };
    } finally {
      this.#tests -= 1;
    }
  }

  #change(
    id: string,
    change: ChangedBy & { toInput: (before: CheckRecord) => CheckInput; keepsTarget?: boolean },
  ): Promise<CheckRecord> {
    return this.#deps.store.transact(async (tx) => {
      const before = await getRecord(tx, id);
      assertVersion(before.version, change, "check");
      return this.#put(tx, before, { ...change, input: change.toInput(before) });
    });
  }

  async #put(
    tx: Tx,
    before: CheckRecord,
    { input, actor, keepsTarget = false }: { input: CheckInput; actor: AuditActor; keepsTarget?: boolean },
  ): Promise<CheckRecord> {
    const { clock, box } = this.#deps;
    const sealed = keepsTarget
      ? { target: before.target, ...(before.sealed === undefined ? {} : { sealed: before.sealed }) }
      : sealTarget(box, mergeTarget(box, input.target, before));
    const isOther =
      isOtherDefinition(before, { target: sealed.target, inverted: input.inverted }) ||
      (!keepsTarget && hasOtherValues(box, before, sealed));
    const { id, version, createdAt, pingKey } = before;
    if (changedFields({ dependsOn: before.dependsOn }, { dependsOn: input.dependsOn }).length > 0)
      await this.#deps.parents?.assert(tx, { ...input, id });
    const after = await tx.put(checks, {
      ...input,
      places: toLocations(input),
      ...sealed,
      ...toPingKey(sealed.target, pingKey),
      id,
      version,
      createdAt,
      revision: before.revision + (isOther ? 1 : 0),
      updatedAt: clock.now(),
    });
    const changes = changedFields({ ...before, revision: 0, version: 0, updatedAt: 0 }, after);
    const named = changes.filter((name) => !["version", "revision", "updatedAt", "sealed"].includes(name));
    await writeAudit(tx, { actor, action: "check.replace", target: id, changes: named }, clock);
    return after;
  }

  async #remove(tx: Tx, { id, name }: CheckRecord, actor: AuditActor): Promise<void> {
    await tx.remove(checks, id);
    await tx.remove(checkStandings, id);
    const changes = describeName(name);
    await writeAudit(tx, { actor, action: "check.delete", target: id, changes }, this.#deps.clock);
  }

  /** Whether there was something to do. */
  async #applyBulk(
    tx: Tx,
    record: CheckRecord,
    { actor, ...what }: BulkAction & { actor: AuditActor },
  ): Promise<boolean> {
    if (what.action === "delete") {
      await this.#remove(tx, record, actor);
      return true;
    }
    const patch = what.action === "group" ? { group: what.group } : bulkPatches[what.action];
    if (changedFields(record, patch).length === 0) return false;
    await this.#put(tx, record, { input: applyTo(record, patch), actor, keepsTarget: true });
    return true;
  }
}

/** Results with other header values do not apply. */
function hasOtherValues(
  box: SecretBox,
  before: CheckRecord,
  after: Pick<CheckRecord, "target" | "sealed">,
): boolean {
  return JSON.stringify(openTarget(box, before)) !== JSON.stringify(openTarget(box, after));
}

async function insert(tx: Tx, record: Omit<CheckRecord, "version">): Promise<CheckRecord> {
  try {
    return await tx.insert(checks, record);
  } catch (error) {
    if (!(error instanceof StoreError) || error.details.constraint !== "pingKey") throw error;
    throw new AppError("conflict", "Another heartbeat already uses this key");
  }
}
