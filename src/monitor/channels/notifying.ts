/** Channels and the outbox of notices, made together. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Store } from "../../store/store.ts";
import { type Channels, type ChannelsDeps, createChannels } from "./channels.ts";
import { type NoticeLog, type NoticeLogDeps, createNoticeLog } from "./notification-log.ts";
import { type SendingDeps, createSending } from "./sending.ts";

/** Dependencies of notifications: a key for the secrets of channels, HTTP, and mail. */
export interface NotifyDeps extends Pick<SendingDeps, "outbound" | "mail"> {
  readonly box: SecretBox;
  /** To public addresses alone, whatever the settings allow: for those that strangers choose. */
  readonly publicOutbound: SendingDeps["outbound"];
}

export interface Notifying {
  readonly channels: Channels;
  readonly notices: NoticeLog;
}

export function createNotifying(
  deps: NotifyDeps &
    Pick<NoticeLogDeps, "isSender"> & {
      readonly store: Store;
      readonly clock: Clock;
      readonly log: Log;
      readonly findRules: ChannelsDeps["findRules"];
    },
): Notifying {
  const sending = createSending(deps);
  return {
    channels: createChannels({ ...deps, sending }),
    notices: createNoticeLog({ ...deps, sending }),
  };
}
