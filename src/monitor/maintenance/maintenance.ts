/** Planned maintenance as an administrator keeps it, and which servers and checks are in it now. */
import { describeName } from "../../kit/text/changes.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { AuditActor } from "../../records/audit.ts";
import { createResource } from "../../records/resource.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import type { ReadTx, Store } from "../../store/store.ts";
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

/** Administration of the records. */
function createMaintenances(deps: Pick<MaintenanceDeps, "store" | "clock">) {
  return createResource(deps, {
    collection: maintenances,
    noun: "maintenance",
    idPrefix: "mnt",
    auditName: "maintenance",
    changeVerb: "replace",
    atMost: MAX_MAINTENANCES,
    orders: {},
    create: (fields: MaintenanceFields, { id, nowMs }) => ({
      ...fields,
      id,
      version: 0,
      createdAt: nowMs,
      updatedAt: nowMs,
    }),
    change: (before, patch: SettingsPatch) => {
      // Scope and schedule are taken as a whole: the members of one kind say nothing of another.
      const present = maintenanceFieldsSchema.strip().parse(before);
      return { ...before, ...applyPatch(maintenanceFieldsSchema, { ...present, ...patch }, {}) };
    },
    describe: ({ name }) => describeName(name),
  });
}

export class Maintenance {
  readonly #deps: MaintenanceDeps;
  #records: readonly MaintenanceRecord[] = [];
  #timeZone = "UTC";
  /** Windows that are open in this second: servers are looked up with every report. */
  #open: { readonly second: number; readonly windows: readonly OpenWindow[] } | undefined;

  readonly records: ReturnType<typeof createMaintenances>;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
    this.records = createMaintenances(deps);
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

  /** Windows that cover a server or check: the open one or the next one. */
  listWindows(
    record: Scoped,
  ): readonly { readonly maintenance: MaintenanceRecord; readonly window: MaintenanceWindow }[] {
    const at = this.#at();
    return this.#records.flatMap((maintenance) => {
      const window = isInScope(maintenance.scope, record)
        ? findNextWindow(maintenance.schedule, at)
        : undefined;
      return window === undefined ? [] : [{ maintenance, window }];
    });
  }

  /** The oldest first. */
  list(): readonly MaintenanceRecord[] {
    return this.#records;
  }

  /** @throws AppError `conflict` when there are 100 */
  create(fields: MaintenanceFields, actor: AuditActor): Promise<MaintenanceRecord> {
    return this.records.create(fields, { actor });
  }

  /** The record with the end of the window that is open now. */
  toView(record: MaintenanceRecord): MaintenanceView {
    const next = findNextWindow(record.schedule, this.#at());
    return {
      ...record,
      nextFrom: toIsoTimeIfAny(next?.from),
      nextTo: toIsoTimeIfAny(next?.to),
      activeUntil: toIsoTimeIfAny(this.#findEnd(record)),
      createdAt: toIsoTime(record.createdAt),
      updatedAt: toIsoTime(record.updatedAt),
    };
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
    return findWindowEnd(schedule, this.#at());
  }

  #at(): { readonly now: number; readonly timeZone: string } {
    return { now: this.#deps.clock.now(), timeZone: this.#timeZone };
  }
}
