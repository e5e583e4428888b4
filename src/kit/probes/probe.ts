/** Probes of targets: a try, its result, and the interface of every kind. */
import type { z } from "zod";
import type { Refined } from "../fields/refine.ts";
import type { AddressRules } from "../outbound/allowed-networks.ts";

/** Why a target does not count as up; the texts of checks describe them. */
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
  /** A domain expires within the days that were set, has expired, or is lost. */
  "domain_ends",
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
  /** The target's response is not valid in its protocol. */
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
  /** A certificate of its chain that expires before it: then the chain is trusted no longer. */
  readonly chainEnd?: ChainEnd | undefined;
}

/** A certificate between that of the target and the authority. */
export interface ChainEnd {
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly validTo: number;
}

/** The registration of a domain, as its registry gave it. */
export interface SeenRegistration {
  /** The registrable domain, as registries write it. */
  readonly domain: string;
  /** When it expires, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A condition of a check after a check run. */
export interface ConditionResult {
  /** Such as `JSON $.state = "up"`. */
  readonly text: string;
  /** Undefined: it cannot be said. */
  readonly isMet: boolean | undefined;
  /** The actual value, in short. */
  readonly seen: string;
}

/** How one try ended. */
export interface ProbeResult {
  /** Undefined: the target is as expected. */
  readonly fault?: ProbeFault | undefined;
  /** From the beginning to the end of the answer that counts, milliseconds; absent where none came. */
  readonly latencyMs?: number | undefined;
  /** Result in one English line of at most 200 characters without secrets: "200 OK", "ECONNREFUSED". */
  readonly detail: string;
  readonly certificate?: SeenCertificate | undefined;
  readonly registration?: SeenRegistration | undefined;
  /** The conditions of the check, in their order; absent where no answer came. */
  readonly conditions?: readonly ConditionResult[] | undefined;
  /** Of which steps the time was made, milliseconds. */
  readonly phases?:
    | Readonly<Partial<Record<"dns" | "connect" | "tls" | "firstByte" | "body", number>>>
    | undefined;
}

/** Context of every try. */
export interface ProbeContext {
  /** Addresses that may be contacted. */
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
  /** Kinds that only the monitor itself checks; absent in agents. Never reject. */
  readonly probeDomain?: (target: DomainTarget, context: ProbeContext) => Promise<ProbeResult>;
}

/** Settings of kind `domain`. */
export interface DomainTarget {
  readonly domain: string;
  /** Instead of the server of the list; "": that one. */
  readonly server: string;
  /** Days before the end from which on the check fails; 0: once it has expired. */
  readonly days: number;
}

/** Settings of kind `container`. */
export interface ContainerTarget {
  readonly serverId: string;
  readonly container: string;
  readonly healthy: boolean;
}

/** Values of a shape. */
export type ValuesOf<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>;

/** A target's settings and secrets; a secret that is not set is "". */
export type TargetOf<S extends z.ZodRawShape, X extends z.ZodRawShape> = ValuesOf<S> & {
  readonly [Name in keyof X]: string;
};

/**
 * A kind of target, all of it in one file of `kinds/`. `S`: what is set and shown again; in a member `headers` the values
 * are secret. `X`: texts that are sealed and never shown again.
 */
export interface ProbeKind<
  S extends z.ZodRawShape = z.ZodRawShape,
  X extends z.ZodRawShape = Record<never, never>,
> {
  settings(): S;
  secrets(): X;
  /** One check run. Never rejects; ends when the time of `context` is over at the latest. */
  probe(target: TargetOf<S, X>, context: ProbeContext): Promise<ProbeResult>;
  /** For logs and notifications, without secrets: "GET example.org/health", "TLS example.org:443". */
  describe(target: TargetOf<S, X>): string;
  /** For lists and searches, without secrets: "https://example.org/health", "example.org:5432". */
  address(target: TargetOf<S, X>): string;
  /** Name or address of the machine; undefined where the target names none. */
  host(target: TargetOf<S, X>): string | undefined;
  /** Where secrets are sent: a stored secret is kept only while this stays the same. Without it, all settings must. */
  recipient?(target: TargetOf<S, X>): string;
  /** Error between settings and secrets, such as a key that does not match the certificate. */
  findFault?(target: TargetOf<S, X>): TargetFault | undefined;
  /** Whether the settings make use of a secret; without it, they always do. */
  usesSecret?(target: TargetOf<S, X>, name: string): boolean;
  /** Whether the monitor alone checks it: agents cannot, and the check has no other locations. */
  readonly isCentral?: boolean;
  /** False when a run may change something at the target, so that it runs no more often than its interval says. */
  isHarmless?(target: TargetOf<S, X>): boolean;
}

/** Error of one member of a target, with the fix. */
export interface TargetFault {
  readonly member: string;
  readonly message: string;
}

/** Of kinds without secrets. */
export const noSecrets = (): Record<never, never> => ({});

/** The form of a kind in the console. Its texts begin with "check.<kind>" (monitor-kinds.json). */
export interface ProbeForm<
  S extends z.ZodRawShape = z.ZodRawShape,
  X extends z.ZodRawShape = Record<never, never>,
> {
  /** One of web/ui/icons.tsx. */
  readonly icon: string;
  /** The name of a check that is given none, by fields in braces, such as "{host}:{port}"; of a URL its host. */
  readonly name: string;
  /** How often a new check runs, seconds; default: as every check. */
  readonly intervalSeconds?: number;
  /** Fields in their order, with what the schemas do not say of them. */
  readonly fields: { readonly [Name in keyof S | keyof X]: Refined };
}
