/** Puts status pages together: what is stored of them, what is shown, and what follows changes. */
import type { CheckDirectory } from "../checks/standings.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Store } from "../../store/store.ts";
import { toAccentStyles } from "../../kit/brand/accent.ts";
import { type Logo, readLogo } from "../../kit/brand/logo.ts";
import {
  type ServerRecord,
  type ServerState,
  type SettingsRecord,
  settingsRecordSchema,
} from "../base/schema.ts";
import { toTimeZone } from "../site/settings.ts";
import { createBoard } from "./board.ts";
import { type ShownStatus, toCheckStatus, toServerStatus } from "./component-status.ts";
import { createStatusPages } from "./status-pages.ts";
import { type PlannedDeps, createPlanned } from "./planned.ts";
import { createPostSweep } from "./post-sweep.ts";
import { createPostEvents } from "./post-events.ts";
import { createPosts } from "./posts.ts";
import type { Component } from "./schema.ts";
import { type CheckHistory, type ServerUptime, createUptimeDays } from "./uptime-days.ts";

export interface StatusDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly checks: Pick<CheckDirectory, "findRecord" | "findStanding">;
  readonly servers: {
    findRecord(id: string): ServerRecord | undefined;
    stateOf(id: string): ServerState;
    days(record: ServerRecord, count: number): ServerUptime;
  };
  readonly history: CheckHistory;
  /** Whether planned maintenance covers what a component follows now. */
  readonly isInMaintenance: (component: Component) => boolean;
  /** Planned maintenance that covers what a component follows, with its open or next window. */
  readonly listWindows: PlannedDeps["listWindows"];
  /** Whether this process does what one alone has to do. */
  readonly isLeader: () => boolean;
}

/** Settings of the monitor for status pages. */
export interface SiteLook {
  /** Another one after each change. */
  readonly version: number;
  readonly theme: SettingsRecord["theme"];
  readonly timeZone: string;
  /** The accent as a style sheet; empty where it is the product's. */
  readonly styles: string;
  readonly logo: Logo | undefined;
}

function toLook(fields: SettingsRecord): SiteLook {
  const { version, theme, accent, logo } = fields;
  return {
    version,
    theme,
    timeZone: toTimeZone(fields),
    styles: toAccentStyles(accent),
    logo: readLogo(logo),
  };
}

/** Reads the current status of a component's source. */
function createSourceReader({ checks, servers }: Pick<StatusDeps, "checks" | "servers">) {
  return ({ source }: Component): ShownStatus => {
    switch (source.type) {
      case "check":
        return toCheckStatus(checks.findStanding(source.checkId));
      case "server": {
        const record = servers.findRecord(source.serverId);
        if (record === undefined || record.disabled) return "unknown";
        return toServerStatus(servers.stateOf(record.id));
      }
      case "manual":
        return source.status;
    }
  };
}

/** Creates it all over a store. Shows nothing until `reload` was called. */
export function createStatus(deps: StatusDeps) {
  const { store, clock, log, servers, history, isInMaintenance } = deps;
  const events = createPostEvents();
  const board = createBoard({ store, clock, readSource: createSourceReader(deps), isInMaintenance });
  const uptime = createUptimeDays({
    clock,
    history,
    pages: board.records,
    serverDays: (id, count) => {
      const record = servers.findRecord(id);
      return record === undefined ? undefined : servers.days(record, count);
    },
    checkSince: (id) => deps.checks.findRecord(id)?.createdAt,
    postsOf: ({ id }) => {
      const page = board.findById(id);
      return page === undefined ? [] : [...page.open, ...page.ended];
    },
  });
  const planned = createPlanned({ ...deps, events, board });
  let look = toLook(settingsRecordSchema.parse({ id: "settings", version: -1 }));
  /** Versions of the pages that bars were read for. */
  let readFor = "";

  return {
    board,
    uptime,
    events,
    pages: createStatusPages({ store, clock }),
    posts: createPosts({ store, clock, events }),
    /** Lets planned maintenance begin and end; call it every few seconds. Throws what the store throws. */
    tick: async (): Promise<void> => {
      if (deps.isLeader()) await planned.tick();
    },
    /** Removes posts of pages that are gone, in bounded steps; call it every minute. */
    sweep: createPostSweep(store),
    /** How the site looks, as of the last `reload`. */
    look: (): SiteLook => look,
    /**
     * Reloads stored pages and posts, and the settings; reads bars for new components. Throws what the store throws.
     */
    reload: async (fields: SettingsRecord): Promise<void> => {
      if (look.version !== fields.version) look = toLook(fields);
      await board.reload();
      const versions = board
        .records()
        .map(({ id, version }) => `${id}.${version}`)
        .join(" ");
      if (versions === readFor) return;
      readFor = versions;
      uptime.refresh().catch((error: unknown) => {
        readFor = "";
        log.warn("The uptime bars of status pages could not be read; retrying later", { error });
      });
    },
  };
}

export type Status = ReturnType<typeof createStatus>;
