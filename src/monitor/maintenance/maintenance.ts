/** Planned maintenance as an administrator keeps it, and which servers and checks are in it now. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { type Scoped, isInScope } from "../alerts/evaluate.ts";
import { type Settings, toTimeZone } from "../site/settings.ts";
import { maintenances } from "./records.ts";
import {
  type MaintenanceFields,
  type MaintenanceRecord,
  type MaintenanceView,
  maintenanceFieldsSchema,
} from "./schema.ts";
import { type MaintenanceWindow, findNextWindow, findWindowEnd } from "./windows.ts";

const MAX_MAINTENANCES = 100;

export interface MaintenanceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "read">;
}

/** A window that is open now. */
interface OpenWindow {
  readonly scope: MaintenanceRecord["scope"];
  /** Epoch milliseconds. */
  readonly until: number;
}

async function listAll(tx: ReadTx): Promise<readonly MaintenanceRecord[]> {
  return (await tx.list(maintenances, "id", { limit: MAX_MAINTENANCES })).items;
}

async function getRecord(tx: ReadTx, id: string): Promise<MaintenanceRecord> {
  const record = await tx.get(maintenances, id);
  if (record === undefined) throw new AppError("not_found", `There is no maintenance "${id}"`);
  return record;
}

export class Maintenance {
  readonly #deps: MaintenanceDeps;
  #records: readonly MaintenanceRecord[] = [];
  #timeZone = "UTC";
  /** Windows that are open in this second: servers are looked up with every report. */
  #open: { readonly second: number; readonly windows: readonly OpenWindow[] } | undefined;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
  }

  /** Reads windows and time zone from the store. */
  async reload(): Promise<void> {
    const { store, settings } = this.#deps;
    this.#records = await store.read(listAll);
    this.#timeZone = toTimeZone(await settings.read());
    this.#open = undefined;
  }

  /** When the maintenance that a server or check is in ends, epoch milliseconds; undefined when it is in none now. */
  findEnd(record: Scoped | undefined): number | undefined {
    if (record === undefined) return undefined;
    const ends = this.#listOpen().flatMap(({ scope, until }) => (isInScope(scope, record) ? [until] : []));
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** What covers a server or check, with the window that is open or the next one. */
  listWindows(
    record: Scoped,
  ): readonly { readonly maintenance: MaintenanceRecord; readonly window: MaintenanceWindow }[] {
    const at = { now: this.#deps.clock.now(), timeZone: this.#timeZone };
    return this.#records.flatMap((maintenance) => {
      const window = isInScope(maintenance.scope, record)
        ? findNextWindow(maintenance.schedule, at)
        : undefined;
      return window === undefined ? [] : [{ maintenance, window }];
    });
  }

  /** All, the oldest first. */
  list(): readonly MaintenanceView[] {
    return this.#records.map((record) => this.#toView(record));
  }

  /** @throws AppError `not_found` */
  async get(id: string): Promise<MaintenanceView> {
    return this.#toView(await this.#deps.store.read((tx) => getRecord(tx, id)));
  }

  /** @throws AppError `conflict` when there are 100 */
  create(fields: MaintenanceFields, actor: AuditActor): Promise<MaintenanceView> {
    const { clock } = this.#deps;
    return this.#change(async (tx) => {
      if ((await tx.count(maintenances)) >= MAX_MAINTENANCES)
        throw new AppError("conflict", `There are ${MAX_MAINTENANCES} at most; delete one first`);
      const now = clock.now();
      const id = newId("mnt", now);
      const changes = describeName(fields.name);
      await writeAudit(tx, { actor, action: "maintenance.create", target: id, changes }, clock);
      return tx.insert(maintenances, { ...fields, id, createdAt: now, updatedAt: now });
    });
  }

  /** @throws AppError `not_found`, and `version_conflict` when `version` is given and is not the present one */
  replace(
    id: string,
    change: { fields: MaintenanceFields; version: number | undefined; actor: AuditActor },
  ): Promise<MaintenanceView> {
    return this.change(id, { ...change, patch: change.fields });
  }

  /** Changes some fields. Throws what `replace` throws, and `invalid`. */
  change(
    id: string,
    change: { patch: SettingsPatch; version: number | undefined; actor: AuditActor },
  ): Promise<MaintenanceView> {
    const { clock } = this.#deps;
    const { patch, version, actor } = change;
    return this.#change(async (tx) => {
      const before = await getRecord(tx, id);
      if (version !== undefined && version !== before.version) {
        const details = { currentVersion: before.version };
        const message = "Someone changed the maintenance in the meantime; read it again";
        throw new AppError("version_conflict", message, { details });
      }
      // Scope and schedule are taken as a whole: the members of one kind say nothing of another.
      const present = maintenanceFieldsSchema.strip().parse(before);
      const fields = applyPatch(maintenanceFieldsSchema, { ...present, ...patch }, {});
      const changes = changedFields(present, fields);
      await writeAudit(tx, { actor, action: "maintenance.replace", target: id, changes }, clock);
      return tx.put(maintenances, { ...before, ...fields, updatedAt: clock.now() });
    });
  }

  /** @throws AppError `not_found` */
  async remove(id: string, actor: AuditActor): Promise<void> {
    const { clock } = this.#deps;
    await this.#change(async (tx) => {
      const record = await getRecord(tx, id);
      await tx.remove(maintenances, id);
      const changes = describeName(record.name);
      await writeAudit(tx, { actor, action: "maintenance.delete", target: id, changes }, clock);
      return record;
    });
  }

  async #change(work: (tx: Tx) => Promise<MaintenanceRecord>): Promise<MaintenanceView> {
    return this.#toView(await this.#deps.store.transact(work));
  }

  #listOpen(): readonly OpenWindow[] {
    const second = Math.floor(this.#deps.clock.now() / 1_000);
    if (this.#open?.second !== second) {
      const windows = this.#records.flatMap((record) => {
        const until = this.#findEnd(record);
        return until === undefined ? [] : [{ scope: record.scope, until }];
      });
      this.#open = { second, windows };
    }
    return this.#open.windows;
  }

  #findEnd({ schedule }: MaintenanceRecord): number | undefined {
    return findWindowEnd(schedule, { now: this.#deps.clock.now(), timeZone: this.#timeZone });
  }

  #toView(record: MaintenanceRecord): MaintenanceView {
    return {
      ...record,
      activeUntil: toIsoTimeIfAny(this.#findEnd(record)),
      createdAt: toIsoTime(record.createdAt),
      updatedAt: toIsoTime(record.updatedAt),
    };
  }
}
