/** PORT between what is published on status pages and those who pass it on: mails, feeds, webhooks. */
import type { Tx } from "../../store/store.ts";
import type { IncidentUpdate, PostRecord, StatusPageRecord } from "./schema.ts";

/** A change that followers of a page are notified about. Drafts cause none. */
export interface PostEvent {
  /** "ended" comes in the place of "updated" where an update ends a post. */
  readonly type: "published" | "updated" | "ended";
  readonly page: StatusPageRecord;
  /** As it is after the change. */
  readonly post: PostRecord;
  /** The update. */
  readonly update: IncidentUpdate;
  /** Whether followers are to be notified: who writes may say that this one is not worth a mail. */
  readonly notifies: boolean;
}

/** Follows events inside the transaction that makes them: what it stores comes with the change or not at all. It may run again, so it does no I/O. */
export type PostListener = (tx: Tx, event: PostEvent) => Promise<void>;

/** Creates the place where listeners meet events. */
export function createPostEvents() {
  const listeners: PostListener[] = [];
  return {
    /** Listens from now on. */
    follow: (listener: PostListener): void => {
      listeners.push(listener);
    },
    /** Calls all listeners, one after the other, in the running transaction. Throws what a listener throws. */
    announce: async (tx: Tx, event: PostEvent): Promise<void> => {
      for (const listener of listeners) await listener(tx, event);
    },
  };
}

export type PostEvents = ReturnType<typeof createPostEvents>;
