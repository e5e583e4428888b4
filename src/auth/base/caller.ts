/** The caller of a request, in the form that logic and records use. */
import type { Language } from "../../kit/text/languages.ts";

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
  /** Whether a sign-in may open a session for nothing but the setting up of a second factor, where that is due. */
  readonly mayEnrol?: boolean;
  /** Token of a device that signed in before. */
  readonly device?: string;
}

/** An administrator: "token", or "user <username>". */
export interface Actor {
  readonly name: string;
  readonly clientId: string;
  readonly requestId: string;
  /** The part of the address that is kept: IPv4 /24, IPv6 /48. */
  readonly network?: string;
  /** Set when it is a user. */
  readonly userId?: string;
}
