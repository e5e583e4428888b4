/** Short names of what a check looks at, which the monitor and the agents compute alike. */
import { createHash } from "node:crypto";
import { type TargetKind, secretNames, targetKinds } from "../probes/targets.ts";
import type { FileCheck } from "./check-file.ts";

/** 64 bits: against mistakes, not against people. */
const HASH_CHARACTERS = 16;

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "" || value === 0 || value === false) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** In the order of its names, and without what is empty: a member that a later version adds changes no hash. */
function toCanonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, toCanonical(member)] as const);
  const kept = members.filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function hash(value: unknown): string {
  const text = JSON.stringify(toCanonical(value));
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARACTERS);
}

/** A check as far as hashes know it: header values and secrets may be anything, or elsewhere. */
export type HashedCheck = Pick<
  FileCheck,
  "id" | "intervalSeconds" | "timeoutSeconds" | "failures" | "retrySeconds" | "inverted"
> & { readonly target: object };

function isKind(kind: unknown): kind is TargetKind {
  return targetKinds.some((one) => one === kind);
}

function withoutSecrets(target: object): object {
  const kind: unknown = Reflect.get(target, "kind");
  const secrets = isKind(kind) ? secretNames({ kind }) : [];
  const kept = Object.fromEntries(Object.entries(target).filter(([name]) => !secrets.includes(name)));
  if (!("headers" in target) || !Array.isArray(target.headers)) return kept;
  const names = target.headers.map((header: { readonly name?: unknown }) =>
    String(header.name).toLowerCase(),
  );
  return { ...kept, headers: names };
}

/** Of what is looked at, and in what time; 16 hexadecimal digits. Header values and secrets are no part of it. */
export function hashDefinition({
  target,
  timeoutSeconds,
}: Pick<HashedCheck, "target" | "timeoutSeconds">): string {
  return hash({ target: withoutSecrets(target), timeoutSeconds });
}

/** Of all that a file makes an agent do, in whatever order; names are no part of it. */
export function hashChecks(checks: readonly HashedCheck[]): string {
  const all = checks.map((check) => {
    const { id, intervalSeconds, failures, retrySeconds, inverted } = check;
    return { id, intervalSeconds, failures, retrySeconds, inverted, definition: hashDefinition(check) };
  });
  return hash(all.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
}
