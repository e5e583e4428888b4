/** Those who follow status pages: the parts, wired together. */
import type { MailSender } from "../../../kit/mail/mail.ts";
import { createOutbox } from "../../../records/outbox.ts";
import type { MailServers } from "../../channels/mail-server.ts";
import type { NotifyDeps } from "../../channels/notifying.ts";
import { listEvery } from "../../../store/every-page.ts";
import type { SettingsRecord } from "../../base/schema.ts";
import type { PostEvents } from "../post-events.ts";
import { statusPages } from "../records.ts";
import type { StatusPageRecord } from "../schema.ts";
import { createFollowerListener, createTelling } from "./announcing.ts";
import { type FollowFault, createAsking, findFollowFault } from "./asking.ts";
import type { FollowersDeps } from "./deps.ts";
import { createDraftLayout } from "./drafts.ts";
import { createHookDelivery } from "./hooks.ts";
import { createSubscriptionQuota } from "./quota.ts";
import { announcements, subscribers } from "./records.ts";
import type { SubscriptionWay } from "./schema.ts";
import { createSiteLook } from "./site-look.ts";
import { createSubscriberAdmin } from "./subscriber-admin.ts";
import { createSubscriptions, endSubscriber } from "./subscribers.ts";

const SWEPT_AT_ONCE = 200;
/** Subscribers that are looked at in one pass for pages that are gone. */
const LOOKED_AT_ONCE = 500;

/** Removes what is over, in bounded steps; each pass looks at further subscribers for pages that were deleted. */
function createSweep({ store, clock }: Pick<FollowersDeps, "store" | "clock">): () => Promise<void> {
  let cursor: string | undefined;
  return async () => {
    await store.transact(async (tx) => {
      const range = { to: [clock.now() + 1], limit: SWEPT_AT_ONCE };
      for (const record of (await tx.list(subscribers, "byExpiresAt", range)).items)
        await endSubscriber(tx, record);
      for (const { id } of (await tx.list(announcements, "byKeepUntil", range)).items)
        await tx.remove(announcements, id);
    });
    cursor = await store.transact(async (tx) => {
      const pages = await listEvery(tx, statusPages, { index: "id" });
      const present = new Set(pages.map(({ id }) => id));
      const { items, nextCursor } = await tx.list(subscribers, "id", { limit: LOOKED_AT_ONCE, cursor });
      for (const record of items) if (!present.has(record.pageId)) await endSubscriber(tx, record);
      return nextCursor;
    });
  };
}

export type Followers = ReturnType<typeof createFollowers>;

/** Creates them; nothing is under way. */
export function createFollowers(deps: FollowersDeps) {
  const { store, clock, log, box, mail, findMailServer } = deps;
  const look = createSiteLook();
  let hasServer = false;
  const sender: MailSender = {
    send: async (message) =>
      mail === undefined
        ? { status: "temporary", reason: "No mail server is configured" }
        : mail.send(message),
    close: () => undefined,
  };
  const outbox = createOutbox({
    store,
    clock,
    log,
    box,
    sender: () => (mail === undefined || !hasServer ? undefined : sender),
    layOut: createDraftLayout({ ...deps, look }),
  });
  const mailing = { ...deps, outbox };
  const hooks = createHookDelivery(deps);
  const tell = createTelling(mailing);
  const sweep = createSweep(deps);

  async function lookAtServer(): Promise<void> {
    hasServer = mail !== undefined && (await findMailServer());
  }

  /** Starts sending in the background; to be called after a commit. Never throws. */
  function wake(): void {
    tell().then(
      () => {
        outbox.wake();
        hooks.wake();
      },
      (error: unknown) => log.warn("Subscribers could not be notified; retrying", { error }),
    );
  }

  const quota = createSubscriptionQuota(deps.limits);
  return {
    outbox,
    /** A keyed hash, for the tokens of forms. */
    mac: box.mac,
    /** Listens to published posts, within their transaction. */
    listener: createFollowerListener(deps),
    asking: createAsking({ ...mailing, quota, look, wake }),
    subscriptions: createSubscriptions(deps),
    admin: createSubscriberAdmin(deps),
    /** Why a page cannot be followed this way now; undefined if it can. */
    findFault: (page: StatusPageRecord, way: SubscriptionWay): Promise<FollowFault | undefined> =>
      findFollowFault(deps, page, way),
    /** Applies the current settings. */
    take: (settings: SettingsRecord): void => look.take(settings),
    wake,
    /** Writes and sends everything that is due; call it every second. Throws what the store throws. */
    tick: async (): Promise<void> => {
      await lookAtServer();
      await tell();
      outbox.wake();
      hooks.wake();
    },
    /** Writes everything that is due and sends up to 20 emails and 20 requests; resolves when they were sent. */
    deliver: async (): Promise<void> => {
      await lookAtServer();
      await tell();
      await Promise.all([outbox.deliver(), hooks.deliver()]);
    },
    /** Removes what is over; call it every minute. */
    sweep: async (): Promise<void> => {
      await sweep();
      await outbox.sweep();
    },
    /** Begins no further sending, and resolves when none is on its way. */
    close: async (): Promise<void> => {
      await Promise.all([outbox.close(), hooks.close()]);
    },
  };
}

/** Creates them over the parts of the monitor, and lets them hear what is published. */
export function createFollowerParts(
  {
    notify,
    ...deps
  }: Pick<FollowersDeps, "store" | "clock" | "log" | "limits"> & { readonly notify: NotifyDeps },
  parts: Pick<FollowersDeps, "settings" | "address"> & {
    readonly mailServers: Pick<MailServers, "read">;
    readonly status: { readonly events: PostEvents };
  },
): Followers {
  const { settings, address, mailServers, status } = parts;
  const { box, mail, publicOutbound: outbound } = notify;
  const findMailServer = async (): Promise<boolean> =>
    mail !== undefined && (await mailServers.read()).source !== "none";
  const followers = createFollowers({ ...deps, settings, address, box, mail, outbound, findMailServer });
  status.events.follow(followers.listener);
  return followers;
}
