/** What a change of an administrator brings about before it resolves: here, and on the other nodes. */
import type { Channels } from "./channels/channels.ts";
import type { PublicSnapshot } from "./fleet/snapshot.ts";
import type { Enrolments } from "./ingest/enrolments.ts";
import type { Servers } from "./fleet/servers.ts";
import type { Settings } from "./site/settings.ts";

/** What follows a change before it resolves: this process takes the records anew, and others hear of it. */
export interface AfterChange {
  refresh(): Promise<void>;
  signalChange(): void;
}

/** Lets what was changed be known here and on the other nodes. */
export async function settleChange({ refresh, signalChange }: AfterChange): Promise<void> {
  signalChange();
  await refresh();
}

async function settle<R>(change: Promise<R>, afterChange: AfterChange): Promise<R> {
  const result = await change;
  await settleChange(afterChange);
  return result;
}

/** Servers whose changes are followed by `refresh` before they resolve. */
export function withRefresh(
  servers: Servers,
  {
    publicSnapshot,
    ...afterChange
  }: AfterChange & { readonly publicSnapshot: Pick<PublicSnapshot, "findRecord"> },
): Servers {
  const { refresh } = afterChange;
  const after = <R>(change: Promise<R>): Promise<R> => settle(change, afterChange);
  return {
    listAll: () => servers.listAll(),
    find: async (id) => {
      const record = await servers.find(id);
      // An agent may connect with a key that another process made a moment ago.
      if (record !== undefined && publicSnapshot.findRecord(id)?.version !== record.version) await refresh();
      return record;
    },
    create: (fields, options) => after(servers.create(fields, options)),
    replace: (id, change) => after(servers.replace(id, change)),
    change: (id, change) => after(servers.change(id, change)),
    correctTraffic: (id, change) => after(servers.correctTraffic(id, change)),
    remove: (id, actor) => after(servers.remove(id, actor)),
    reorder: (ids, actor) => after(servers.reorder(ids, actor)),
    rotateKey: (id, options) => after(servers.rotateKey(id, options)),
    // Others look for it by themselves: agents that come back all at once must not make everybody read everything.
    noteFacts: async (id, facts) => {
      const result = await servers.noteFacts(id, facts);
      await refresh();
      return result;
    },
  };
}

/** Settings whose changes are followed by `refresh` before they resolve. */
export function withFollowers(settings: Settings, afterChange: AfterChange): Settings {
  return {
    read: () => settings.read(),
    change: (change) => settle(settings.change(change), afterChange),
  };
}

/** Channels whose coming and going is followed by `refresh`, since rules may notify all that there are. */
export function withChannelFollowers(channels: Channels, afterChange: AfterChange): Channels {
  return {
    ...channels,
    create: (input, actor) => settle(channels.create(input, actor), afterChange),
    remove: (id, actor) => settle(channels.remove(id, actor), afterChange),
  };
}

/** Enrolments whose new servers and keys are known before they resolve. */
export function withRefreshAfter(
  enrolments: Enrolments,
  afterChange: AfterChange,
): Pick<Enrolments, "create" | "list" | "remove" | "redeem"> {
  return {
    create: (input) => enrolments.create(input),
    list: () => enrolments.list(),
    remove: (id, actor) => enrolments.remove(id, actor),
    redeem: (input) => settle(enrolments.redeem(input), afterChange),
  };
}
