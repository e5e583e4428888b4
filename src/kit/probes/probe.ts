/** What looking at a target from here is: one try, its outcome, and what every kind of it keeps to. */
import type { z } from "zod";
import type { AddressRules } from "../outbound/allowed-networks.ts";

/** Why a target does not count as up; what people read of it stands in the words of checks. */
export const probeFaults = [
  /** No answer in time. */
  "timeout",
  /** The target or the way to it refused the connection. */
  "refused",
  /** The target or the way to it broke the connection off. */
  "reset",
  /** There is no way to the target. */
  "unreachable",
  /** The name has no address, or the answer is not the expected one. */
  "dns",
  /** The certificate is not trusted, of another name, or over. */
  "certificate",
  /** The certificate ends within the days that were set. */
  "certificate_ends",
  /** TLS did not come about. */
  "tls",
  /** Another status than expected. */
  "status",
  /** The content is not the expected one. */
  "content",
  /** It took longer than allowed. */
  "slow",
  /** More redirects than allowed, or one in a circle. */
  "redirects",
  /** The target is not allowed: a private network, for one. */
  "forbidden",
  /** What the target says cannot be understood. */
  "protocol",
  /** The place that looked has what it needs not: no `ping` program, for one. */
  "unsupported",
  /** The target answered, and whether its content is the expected one cannot be said: not all of it was read. */
  "not_judged",
] as const;
export type ProbeFault = (typeof probeFaults)[number];

/** A certificate as the target showed it. */
export interface SeenCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses that it is for, 20 at most. */
  readonly names: readonly string[];
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds. */
  readonly validTo: number;
  /** Whether its chain ends at an authority that this place trusts, for the name that was asked for. */
  readonly isTrusted: boolean;
}

/** How one try ended. */
export interface ProbeResult {
  /** Undefined: the target is as expected. */
  readonly fault?: ProbeFault | undefined;
  /** From the beginning to the end of the answer that counts, milliseconds; absent where none came. */
  readonly latencyMs?: number | undefined;
  /** What was found, in one line of at most 200 characters without secrets, in English: "200 OK", "ECONNREFUSED". */
  readonly detail: string;
  readonly certificate?: SeenCertificate | undefined;
  /** Of which steps the time was made, milliseconds. */
  readonly phases?:
    | Readonly<Partial<Record<"dns" | "connect" | "tls" | "firstByte" | "body", number>>>
    | undefined;
}

/** What every try has to do with. */
export interface ProbeContext {
  /** Which addresses may be asked. */
  readonly rules: AddressRules;
  /** The User-Agent header. */
  readonly userAgent: string;
  /** For all of a try, milliseconds. */
  readonly timeoutMs: number;
  /** Ends it early: the place stops. */
  readonly signal: AbortSignal;
  /** Monotonic and wall time. */
  readonly clock: { now(): number; monotonic(): number };
  /** Default: what the system says. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** Authorities (PEM) to trust instead of the well-known ones; for tests. */
  readonly ca?: string;
}

/** A kind of target. `P`: the schema of what is set of it. */
export interface ProbeKind<P extends z.ZodRawShape = z.ZodRawShape> {
  /** Made when asked for. */
  parameters(): P;
  /** One try. Never rejects; ends when the time of `context` is over at the latest. */
  probe(target: z.infer<z.ZodObject<P>>, context: ProbeContext): Promise<ProbeResult>;
  /** The target in a few words, without secrets: "GET example.org/health", "example.org:5432". */
  describe(target: z.infer<z.ZodObject<P>>): string;
}
