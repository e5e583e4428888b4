/** How alerts hand over what people are notified of; where it waits is a matter of `notification-log.ts`. */
import type { Tx } from "../../store/store.ts";
import type { Notice } from "./kinds/notice.ts";

/** A notice and whom it goes to. */
export interface AddressedNotice extends Notice {
  readonly channelIds: readonly string[];
  /** A natural id: for one key and one channel a notice is written once, even if asked for twice. */
  readonly key: string;
  /**
   * The thread of the notification, such as an incident: on one channel, notifications of a thread arrive in the order
   * of writing.
   */
  readonly thread?: string;
  /** Whether it announces an alert that is over already. */
  readonly isOver?: boolean;
  /** A notice of each alert, of one that is about several; asked for when a channel needs them. */
  readonly parts?: () => readonly AddressedNotice[];
}

/** Where alerts leave their notices. */
export interface Notices {
  /** Writes the notice for each channel within `tx`; a channel that is gone is left out. */
  enqueue(tx: Tx, notice: AddressedNotice): Promise<void>;
  /** Starts sending in the background; to be called after the commit. Never throws. */
  wake(): void;
}
