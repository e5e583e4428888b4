/**
 * Planned maintenance on status pages: the monitor's windows become posts of the pages whose components they cover, and
 * every planned post begins and ends by itself.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import type { MaintenanceRecord } from "../maintenance/schema.ts";
import type { MaintenanceWindow } from "../maintenance/windows.ts";
import type { Board } from "./board.ts";
import { getPage } from "./status-pages.ts";
import { statusTexts } from "./status-texts.ts";
import type { PostEvents } from "./post-events.ts";
import { insertPost, insertUpdate } from "./post-writing.ts";
import { posts } from "./records.ts";
import type { Component, ComponentStatus, PostRecord, StatusPageRecord } from "./schema.ts";

const DAY_MS = 86_400_000;
/** How long before they begin, windows are published: the more often they come, the later. */
const AHEAD_MS = { once: 30 * DAY_MS, monthly: 7 * DAY_MS, weekly: 3 * DAY_MS, cron: DAY_MS } as const;
/** Names who did it, in the audit. */
const actor: AuditActor = { name: "monitor", requestId: "" };

/** A window as shown on one page. */
interface Wanted {
  readonly page: StatusPageRecord;
  readonly maintenance: MaintenanceRecord;
  readonly window: MaintenanceWindow;
  readonly components: Readonly<Record<string, ComponentStatus>>;
}

export interface PlannedDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PostEvents;
  readonly board: Pick<Board, "records" | "findById">;
  /** Windows that cover what a component follows. */
  readonly listWindows: (
    component: Component,
  ) => readonly { readonly maintenance: MaintenanceRecord; readonly window: MaintenanceWindow }[];
}

/** One post for each page and time of a maintenance, whichever process makes it. */
function toPostId({ page, maintenance, window }: Wanted): string {
  return `mnt_${page.id.slice(4)}_${maintenance.id.slice(4)}_${window.from}`;
}

/** The changes that plans make of posts. */
function createMoves(deps: Pick<PlannedDeps, "store" | "clock" | "events">) {
  const { store, clock, events } = deps;

  /** Creates a post unless one exists. */
  function make(id: string, { page, maintenance, window, components }: Wanted): Promise<void> {
    return store.transact(async (tx) => {
      if ((await tx.get(posts, id)) !== undefined) return;
      await insertPost(tx, deps, {
        page,
        actor,
        id,
        maintenanceId: maintenance.id,
        fields: {
          type: "maintenance",
          title: maintenance.name,
          isDraft: false,
          notifies: true,
          alertIncidentIds: [],
          plannedFrom: window.from,
          plannedTo: window.to,
          update: { step: "scheduled", text: statusTexts(page.language)("planned.scheduled"), components },
        },
      });
    });
  }

  /** Moves a post to a step that it has not reached yet. */
  function move({ id, pageId }: PostRecord, step: "in_progress" | "completed"): Promise<void> {
    return store.transact(async (tx) => {
      const before = await tx.get(posts, id);
      if (before?.state !== "open" || before.step === step) return;
      const page = await getPage(tx, pageId);
      const text = statusTexts(page.language)(`planned.${step}`);
      await insertUpdate(
        tx,
        { clock, events },
        { page, before, actor, fields: { step, text, notifies: true } },
      );
    });
  }

  /** Withdraws what is no longer planned. */
  function withdraw({ id }: PostRecord): Promise<void> {
    return store.transact(async (tx) => {
      if ((await tx.get(posts, id))?.step !== "scheduled") return;
      await writeAudit(tx, { actor, action: "status-post.delete", target: id }, clock);
      await tx.remove(posts, id);
    });
  }

  return { make, move, withdraw };
}

/** Creates what brings posts and plans together. */
export function createPlanned(deps: PlannedDeps) {
  const { clock, log, board, listWindows } = deps;
  const { make, move, withdraw } = createMoves(deps);

  function listWanted(page: StatusPageRecord): Map<string, Wanted> {
    const wanted = new Map<string, Wanted>();
    if (!page.showsMaintenance || !page.published) return wanted;
    const now = clock.now();
    for (const component of page.components)
      for (const { maintenance, window } of listWindows(component)) {
        if (window.from > now + AHEAD_MS[maintenance.schedule.type]) continue;
        const one: Wanted = { page, maintenance, window, components: {} };
        const id = toPostId(one);
        const before = wanted.get(id) ?? one;
        const components = { ...before.components, [component.id ?? ""]: "under_maintenance" as const };
        wanted.set(id, { ...before, components });
      }
    return wanted;
  }

  /** Pending work of a page. */
  function listWork(record: StatusPageRecord): (() => Promise<void>)[] {
    const now = clock.now();
    const page = board.findById(record.id);
    const wanted = listWanted(record);
    const known = new Set([...(page?.open ?? []), ...(page?.ended ?? [])].map(({ id }) => id));
    const isNew = ([id]: [string, Wanted]): boolean => !known.has(id);
    const work = [...wanted].filter(isNew).map(
      ([id, each]) =>
        () =>
          make(id, each),
    );
    for (const post of page?.open ?? []) {
      const { type, step, plannedFrom, plannedTo, maintenanceId, id } = post;
      if (type !== "maintenance" || plannedFrom === undefined || plannedTo === undefined) continue;
      const isWithdrawn = maintenanceId !== undefined && !wanted.has(id) && plannedTo > now;
      if (isWithdrawn && step === "scheduled") work.push(() => withdraw(post));
      else if (isWithdrawn || plannedTo <= now) work.push(() => move(post, "completed"));
      else if (step === "scheduled" && plannedFrom <= now) work.push(() => move(post, "in_progress"));
    }
    return work;
  }

  return {
    /** Does what is due; call it every few seconds, in one process. Throws what the store throws. */
    tick: async (): Promise<void> => {
      const work = board.records().flatMap(listWork);
      for (const each of work)
        await each().catch((error: unknown) =>
          log.warn("Planned maintenance could not be posted yet; retrying later", { error }),
        );
    },
  };
}
