/** Dependencies of the shop's logic; each part takes a subset. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import type { Outbox } from "../../records/outbox.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { SmtpRules } from "../../kit/mail/smtp-rules.ts";
import type { Store } from "../../store/store.ts";
import type { ImageSizePlace } from "./resize.ts";
import type { Blobs } from "./blobs.ts";

export interface ShopDeps {
  readonly store: Store;
  /** Other processes may work on the same database; false by default. */
  readonly isShared?: boolean;
  /** Whether people can have accounts: an auth center belongs to the install; true by default. */
  readonly hasAccounts?: boolean;
  /** Joins the processes that serve this shop; without it each polls the database each second. */
  readonly bus?: Bus;
  /** Never goes back while the process runs: nothing expires twice. */
  readonly clock: Clock;
  readonly log: Log;
  readonly box: SecretBox;
  /** Mails leave by a timer, within a second of their transaction. */
  readonly outbox: Outbox;
  /** Limits by address or user, counted with the other processes of the shop. */
  readonly limits: LimitSource;
  /** Which mail servers an administrator may name. */
  readonly smtpRules: SmtpRules;
  /** Sends to webhooks of others; without it their events wait. */
  readonly webhookOutbound?: Outbound | undefined;
  /** Sends requests to payment providers. */
  readonly paymentOutbound: Pick<Outbound, "send">;
  /** Downloads pictures for imports; private addresses are refused. */
  readonly pictureOutbound: Pick<Outbound, "send">;
  /** Pictures. */
  readonly blobs: Blobs;
  /** The same place past the cache: chunks of files, which would leave no room for pictures there. */
  readonly fileBlobs: Blobs;
  /** Where pictures in smaller sizes are kept, and what makes them; without it only originals are served. */
  readonly sizes?: ImageSizePlace;
  /** Where people reach the shop, without a slash at its end; "" leaves addresses relative. */
  readonly publicUrl: string;
}
