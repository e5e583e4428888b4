/** Looks at targets of every kind. */
import { dnsKind } from "./dns-probe.ts";
import { httpKind } from "./http-probe.ts";
import { pingKind } from "./ping-probe.ts";
import type { ProbeContext, ProbeResult } from "./probe.ts";
import type { Target } from "./targets.ts";
import { tcpKind } from "./tcp-probe.ts";
import { tlsKind } from "./tls-probe.ts";

/**
 * One try at a target. Never rejects; ends when the time of `context` is over at the latest, and then holds no
 * connection and no program open. Reads 64 KiB of an answer at most.
 */
export function runProbe(target: Target, context: ProbeContext): Promise<ProbeResult> {
  switch (target.kind) {
    case "http":
      return httpKind.probe(target, context);
    case "tcp":
      return tcpKind.probe(target, context);
    case "tls":
      return tlsKind.probe(target, context);
    case "dns":
      return dnsKind.probe(target, context);
    case "ping":
      return pingKind.probe(target, context);
  }
}

const MAX_DESCRIPTION = 200;

function describeWhole(target: Target): string {
  switch (target.kind) {
    case "http":
      return httpKind.describe(target);
    case "tcp":
      return tcpKind.describe(target);
    case "tls":
      return tlsKind.describe(target);
    case "dns":
      return dnsKind.describe(target);
    case "ping":
      return pingKind.describe(target);
  }
}

/** A target in a few words, without secrets, 200 characters at most: "GET example.org/health", "example.org:5432". */
export function describeTarget(target: Target): string {
  const text = describeWhole(target);
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1)}…`;
}
