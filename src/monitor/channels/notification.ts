/**
 * What the monitor tells people, and how it is handed over: the words that alerts write and channels carry.
 * Hidden elsewhere: where a notice waits, who gets it, and in which form.
 */
import type { Tx } from "../../store/store.ts";

export const noticeKinds = ["firing", "resolved", "reminder", "digest", "test"] as const;
export const noticeSeverities = ["info", "warning", "critical"] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];
/** Characters of a notice's title and text, at most. */
export const MAX_NOTICE_TITLE = 200;
export const MAX_NOTICE_TEXT = 4_000;

/** One message to people. */
export interface Notice {
  readonly kind: (typeof noticeKinds)[number];
  readonly severity: NoticeSeverity;
  /** One line of at most 200 characters. */
  readonly title: string;
  /** Plain text of several lines, at most 4,000 characters. */
  readonly text: string;
  /** Where a person sees more; http or https. */
  readonly url?: string;
}

/** A notice and whom it goes to. */
export interface AddressedNotice extends Notice {
  readonly channelIds: readonly string[];
  /** A natural id: for one key and one channel a notice is written once, even if asked for twice. */
  readonly key: string;
  /** What the notice belongs to, such as an incident: on one channel, its notices arrive in the order of writing. */
  readonly thread?: string;
}

/** Where alerts leave their notices. */
export interface Notices {
  /** Writes the notice for each channel within `tx`; a channel that is gone is left out. */
  enqueue(tx: Tx, notice: AddressedNotice): Promise<void>;
  /** Starts sending in the background; to be called after the commit. Never throws. */
  wake(): void;
}
