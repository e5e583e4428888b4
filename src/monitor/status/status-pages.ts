/** Status pages: made, changed and deleted by administrators. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { type ReadTx, type Store, StoreError, type Tx } from "../../store/store.ts";
import { statusPages } from "./records.ts";
import {
  type Component,
  MAX_PAGES,
  type StatusPageFields,
  type StatusPageRecord,
  statusPageFieldsSchema,
} from "./schema.ts";

export interface PagesDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** All pages, the oldest first: the first is also at /status. */
export async function listPages(tx: ReadTx): Promise<readonly StatusPageRecord[]> {
  return (await tx.list(statusPages, "id", { limit: MAX_PAGES })).items;
}

/** @throws AppError `not_found` */
export async function getPage(tx: ReadTx, id: string): Promise<StatusPageRecord> {
  const record = await tx.get(statusPages, id);
  if (record === undefined) throw new AppError("not_found", `There is no status page "${id}"`);
  return record;
}

function refuse(pointer: string, message: string): AppError {
  const errors = [{ pointer, code: "invalid", message }];
  return new AppError("invalid", "The status page has invalid values", { errors });
}

/** Gives new IDs to components without one. @throws AppError `invalid` when two have the same */
function nameComponents(components: readonly Component[], now: number): Component[] {
  const seen = new Set<string>();
  return components.map((component, index) => {
    const id = component.id ?? newId("cmp", now);
    if (seen.has(id)) throw refuse(`/components/${index}/id`, "must be unique on the page");
    if (!/^[a-z]{3}_[0-9a-z]{1,58}$/u.test(id))
      throw refuse(`/components/${index}/id`, "must be the ID of an existing component, or omitted");
    seen.add(id);
    return { ...component, id };
  });
}

async function checkHost(tx: Tx, { host }: StatusPageFields, id: string): Promise<void> {
  if (host === "") return;
  const other = (await listPages(tx)).find((page) => page.host === host && page.id !== id);
  if (other !== undefined)
    throw new AppError(
      "conflict",
      `The host "${host}" is used by the status page "${other.slug}". Choose another host`,
    );
}

/** Creates the logic of pages on a store. */
export function createStatusPages({ store, clock }: PagesDeps) {
  async function change<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    try {
      return await store.transact(work);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "unique_violation") throw error;
      throw new AppError("conflict", "Another status page already uses this slug", { cause: error });
    }
  }

  async function put(
    tx: Tx,
    before: StatusPageRecord,
    { fields, actor }: { fields: StatusPageFields; actor: AuditActor },
  ): Promise<StatusPageRecord> {
    const now = clock.now();
    await checkHost(tx, fields, before.id);
    const named = { ...fields, components: nameComponents(fields.components, now) };
    const changes = changedFields(statusPageFieldsSchema.strip().parse(before), named);
    await writeAudit(tx, { actor, action: "status-page.replace", target: before.id, changes }, clock);
    return tx.put(statusPages, { ...before, ...named, updatedAt: now });
  }

  return {
    /** All, the oldest first. */
    list: (): Promise<readonly StatusPageRecord[]> => store.read(listPages),
    /** @throws AppError `not_found` */
    get: (id: string): Promise<StatusPageRecord> => store.read((tx) => getPage(tx, id)),
    /** @throws AppError `invalid`, and `conflict` for a slug or host that is taken, and when there are {@link MAX_PAGES} */
    create: (fields: StatusPageFields, actor: AuditActor): Promise<StatusPageRecord> =>
      change(async (tx) => {
        if ((await tx.count(statusPages)) >= MAX_PAGES)
          throw new AppError("conflict", `You can have up to ${MAX_PAGES} status pages. Delete one first`);
        const now = clock.now();
        const id = newId("stp", now);
        await checkHost(tx, fields, id);
        const entry = { actor, action: "status-page.create", target: id };
        await writeAudit(tx, { ...entry, changes: describeName(fields.title) }, clock);
        const components = nameComponents(fields.components, now);
        return tx.insert(statusPages, { ...fields, components, id, createdAt: now, updatedAt: now });
      }),
    /** @throws AppError `not_found`, `version_conflict`, `invalid`, `conflict` */
    replace: (id: string, given: ChangedBy & { fields: StatusPageFields }): Promise<StatusPageRecord> =>
      change(async (tx) => {
        const before = await getPage(tx, id);
        assertVersion(before.version, given, "status page");
        return put(tx, before, given);
      }),
    /** Changes some fields. @throws AppError `not_found`, `version_conflict`, `invalid`, `conflict` */
    change: (id: string, given: ChangedBy & { patch: SettingsPatch }): Promise<StatusPageRecord> =>
      change(async (tx) => {
        const before = await getPage(tx, id);
        assertVersion(before.version, given, "status page");
        const fields = applyPatch(statusPageFieldsSchema.strip(), before, given.patch);
        return put(tx, before, { fields, actor: given.actor });
      }),
    /** Its parts are deleted in steps. @throws AppError `not_found` */
    remove: (id: string, actor: AuditActor): Promise<void> =>
      change(async (tx) => {
        const { title } = await getPage(tx, id);
        const entry = { actor, action: "status-page.delete", target: id };
        await writeAudit(tx, { ...entry, changes: describeName(title) }, clock);
        await tx.remove(statusPages, id);
      }),
  };
}

export type StatusPages = ReturnType<typeof createStatusPages>;
