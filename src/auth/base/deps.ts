/** Dependencies of the auth center's logic; each part takes a subset. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import type { Outbox } from "../../records/outbox.ts";
import type { PasswordHasher } from "./hashing/password-hash.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { Store } from "../../store/store.ts";

export interface AuthDeps {
  readonly store: Store;
  /** Wall time for days and records. */
  readonly clock: Clock;
  /** Time for whatever expires: never goes back. */
  readonly expiry: Clock;
  readonly log: Log;
  readonly box: SecretBox;
  readonly hasher: PasswordHasher;
  /** Mails leave within a second of their transaction; never woken by it, or the time of an answer would tell of one. */
  readonly outbox: Outbox;
  /** Limits by address, counted with the other processes of the service. */
  readonly limits: LimitSource;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Where people reach the service, when it is known: links in mails lead there. */
  readonly publicUrl?: string;
  /** To other providers that people sign in by. */
  readonly outbound: Outbound;
  readonly isCommonPassword: (password: string) => boolean;
}
