/** Dependencies of the parts about followers. */
import type { LimitSource } from "../../../bus/shared-limit.ts";
import type { Outbound } from "../../../kit/outbound/outbound.ts";
import type { Log } from "../../../kit/observe/log.ts";
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Outbox } from "../../../records/outbox.ts";
import type { Store } from "../../../store/store.ts";
import type { NoticeMail } from "../../channels/sending.ts";
import type { PublicAddress } from "../../base/public-url.ts";
import type { Settings } from "../../site/settings.ts";

/** External dependencies of followers. */
export interface FollowersDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly box: SecretBox;
  readonly limits: LimitSource;
  readonly settings: Pick<Settings, "read">;
  readonly address: PublicAddress;
  readonly mail: NoticeMail | undefined;
  /** Whether a mail server is set. Throws what the store throws. */
  readonly findMailServer: () => Promise<boolean>;
  /** To public addresses alone, whatever the settings allow: strangers choose them. */
  readonly outbound: Outbound;
}

/** The same for parts that write mails. */
export type MailingDeps = FollowersDeps & { readonly outbox: Outbox };
