/** Who asks: what an edge knows of a request, in the form that logic and records use. */
import type { Language } from "../kit/text/languages.ts";
import type { SessionRecord } from "./sessions/schema.ts";
import type { ProfileRecord, UserRecord } from "./accounts/schema.ts";

/** A request's origin. */
export interface Caller {
  /** From `X-Auth-Client`, in one form: "unknown" when it names none (seed: never a failure). */
  readonly clientId: string;
  /** The address that limits count by; kept nowhere but as a keyed hash. */
  readonly clientAddress: string;
  /** The part of the address that is kept: IPv4 /24, IPv6 /48. */
  readonly ipPrefix: string;
  /** At most 200 characters. */
  readonly userAgent: string;
  readonly requestId: string;
  /** In which language the request would be answered, when it says so. */
  readonly language?: Language | undefined;
  /** What a device shows that signed in before. */
  readonly device?: string;
}

/** A signed-in person. */
export interface Subject {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  readonly displayName: string;
  /** Absent while an account has none. */
  readonly profile?: ProfileRecord | undefined;
}

/** Whether a sign-in opens what a scope names; an application that asked for no scopes is not held to any. */
export function opensScope({ scope }: Pick<SessionRecord, "scope">, name: string): boolean {
  return scope === undefined || scope.split(" ").includes(name);
}

/** Who administers: "token", or "user <username>". */
export interface Actor {
  readonly name: string;
  readonly clientId: string;
  readonly requestId: string;
  /** Set when it is a user. */
  readonly userId?: string;
}
