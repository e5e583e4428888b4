/** How notifications are written, and what they know of servers and checks. */
import type { Clock } from "../../kit/time/clock.ts";
import type { CheckRecord, CheckStanding } from "../checks/schema.ts";
import type { LatestSample, Live } from "../fleet/live.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { ServerRecord, SettingsRecord } from "../base/schema.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { toTimeZone } from "../site/settings.ts";
import type { Behind } from "./dependencies.ts";
import type { WatchedRef } from "./kinds/watched.ts";
import type { WatchedDirectory } from "./watched-directory.ts";

export interface WordsOptions {
  /** Where people reach the service, without a slash at its end; undefined: no link. */
  readonly publicUrl: string | undefined;
  readonly language: Language;
  readonly timeZone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Facts about a server; undefined if it was deleted. */
  readonly describe: (serverId: string) => ServerFacts | undefined;
  /** The same of a check. */
  readonly describeCheck: (checkId: string) => CheckFacts | undefined;
  /** How much depends on a server or check. */
  readonly countBehind: (ref: WatchedRef) => Behind;
}

/** A server in a notification. */
export interface ServerFacts {
  readonly record: Pick<ServerRecord, "name" | "group" | "region" | "provider" | "tags">;
  readonly latest: LatestSample | undefined;
}

/** A check in a notification. */
export interface CheckFacts {
  readonly record: Pick<CheckRecord, "group" | "tags" | "target">;
  readonly standing: CheckStanding | undefined;
}

/** How notifications are written now. */
export function toWordsOptions(
  settings: SettingsRecord,
  deps: {
    clock: Clock;
    watched: WatchedDirectory;
    live: Pick<Live, "get">;
    address?: Pick<PublicAddress, "publicUrl"> | undefined;
    countBehind: WordsOptions["countBehind"];
  },
): WordsOptions {
  const { clock, watched, live, address, countBehind } = deps;
  return {
    countBehind,
    publicUrl: address?.publicUrl,
    language: settings.language,
    timeZone: toTimeZone(settings),
    now: clock.now(),
    describe: (serverId) => {
      const record = watched.findServer(serverId);
      return record && { record, latest: live.get(serverId).latest };
    },
    describeCheck: (checkId) => {
      const record = watched.findCheck(checkId);
      return record && { record, standing: watched.findStanding(checkId) };
    },
  };
}
