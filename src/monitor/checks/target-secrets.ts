/**
 * Secrets of targets: header values, and what a kind declares as its secrets. They are sealed in the store, kept when a
 * request leaves them out, and opened for a check run.
 */
import { isJudged } from "./judged.ts";
import { AppError } from "../../kit/errors.ts";
import { kindOf } from "../../kit/probes/kinds/kinds.ts";
import { secretNames } from "../../kit/probes/targets.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { changedFields } from "../../kit/text/changes.ts";
import type { CheckRecord, CheckTarget } from "./schema.ts";
import type { CheckView, TargetInput } from "./view-schema.ts";

const PURPOSE = "check";

/** A target as the store keeps it: secrets apart, and sealed. */
type Sealed = Pick<CheckRecord, "target" | "sealed">;

interface Header {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Secrets by name; those of headers as "headers/" and the name in lower case. */
type Secrets = ReadonlyMap<string, string>;

const HEADER = "headers/";

function headersOf(target: object): readonly Header[] {
  // `as`: `headers` of every kind is such a list.
  return "headers" in target ? (target.headers as readonly Header[]) : [];
}

function toHeaderKey({ name }: Header): string {
  return `${HEADER}${name.toLowerCase()}`;
}

/** Whether a target has a use for a secret; what it has none for is not kept. */
function uses(target: CheckTarget, name: string): boolean {
  return !isJudged(target) && (kindOf(target).usesSecret?.(target, name) ?? true);
}

function namesOf(target: CheckTarget | TargetInput): readonly string[] {
  return isJudged(target) ? [] : secretNames(target);
}

/** The target with these secrets; those that are missing are "". */
function withSecrets(target: CheckTarget, secrets: Secrets): CheckTarget {
  const names = namesOf(target);
  const headers = headersOf(target);
  if (names.length === 0 && headers.length === 0) return target;
  const named = names.map((name) => [name, secrets.get(name) ?? ""] as const);
  const listed = headers.map((header) => ({
    name: header.name,
    value: secrets.get(toHeaderKey(header)) ?? "",
  }));
  return {
    ...target,
    ...Object.fromEntries(named),
    ...(headers.length > 0 && { headers: listed }),
  };
}

/** The sealed form of a record's secrets: a list of the header values, or by name where the kind declares secrets. */
function toSealed(target: CheckTarget): unknown {
  const names = namesOf(target);
  const values = headersOf(target).map(({ value = "" }) => value);
  if (names.length === 0) return values;
  const set = names
    .map((name) => [name, Reflect.get(target, name)] as const)
    .filter(([, value]) => value !== "");
  return { headers: values, ...Object.fromEntries(set) };
}

function fromSealed(target: CheckTarget, sealed: unknown): Secrets {
  // `as`: this is what toSealed makes.
  const { headers, ...named } = (Array.isArray(sealed) ? { headers: sealed } : sealed) as {
    readonly headers: readonly string[];
    readonly [name: string]: string | readonly string[];
  };
  const values = headersOf(target).map(
    (header, index) => [toHeaderKey(header), headers[index] ?? ""] as const,
  );
  return new Map([
    ...values,
    ...Object.entries(named).map(([name, value]) => [name, String(value)] as const),
  ]);
}

/** Undefined when the secrets were sealed with another secret key. */
function openSecrets(box: SecretBox, { target, sealed }: Sealed): Secrets | undefined {
  if (sealed === undefined) return new Map();
  try {
    return fromSealed(target, JSON.parse(box.open(sealed, PURPOSE)));
  } catch {
    return undefined;
  }
}

/** The target with secrets left out. */
function toSettings(target: CheckTarget): object {
  return withSecrets({ ...target }, new Map());
}

/** Changing the URL must not send the secret that was stored for another one there. */
function isSameRecipient(next: CheckTarget, before: CheckTarget): boolean {
  if (isJudged(next) || isJudged(before) || next.kind !== before.kind) return false;
  const { recipient } = kindOf(next);
  if (recipient === undefined) return changedFields(toSettings(before), toSettings(next)).length === 0;
  return recipient(next) === recipient(before);
}

function mustGive(member: string, message: string): AppError {
  const errors = [{ pointer: `/target/${member}`, code: "invalid", message }];
  return new AppError("invalid", "The check is incomplete", { errors });
}

/**
 * The target with its secrets: given ones, and those of `before` for what comes without a value; "" takes one away.
 * @throws AppError `invalid`
 */
export function mergeTarget(box: SecretBox, input: TargetInput, before: Sealed | undefined): CheckTarget {
  const target = mergeSecrets(box, input, before);
  assertFits(target);
  return target;
}

function mergeSecrets(box: SecretBox, input: TargetInput, before: Sealed | undefined): CheckTarget {
  // `as`: what lacks a value gets one below, or is said to.
  const target = input as CheckTarget;
  const names = namesOf(input);
  const headers = headersOf(input);
  const missing = [
    ...headers.flatMap((header, index) =>
      header.value === undefined
        ? [{ key: toHeaderKey(header), at: `headers/${index}/value`, isNeeded: true }]
        : [],
    ),
    ...names.flatMap((name) =>
      Reflect.get(input, name) === undefined && uses(target, name)
        ? [{ key: name, at: name, isNeeded: false }]
        : [],
    ),
  ];
  const given = new Map<string, string>([
    ...headers.flatMap((header) =>
      header.value === undefined ? [] : [[toHeaderKey(header), header.value] as const],
    ),
    ...names.map((name) => [name, String(Reflect.get(input, name) ?? "")] as const),
  ]);
  if (missing.length === 0) return withSecrets(target, given);
  const kept = before === undefined ? new Map<string, string>() : openSecrets(box, before);
  const stays = before !== undefined && isSameRecipient(target, before.target);
  for (const { key, at, isNeeded } of missing) {
    const value = kept?.get(key);
    if (value === undefined) {
      if (isNeeded) throw mustGive(at, "has no stored value. Set a value");
      continue;
    }
    if (!stays) throw mustGive(at, "must be entered again, because the URL has changed");
    given.set(key, value);
  }
  return withSecrets(target, given);
}

/** @throws AppError `invalid` for settings and secrets that do not fit together */
function assertFits(target: CheckTarget): void {
  if (isJudged(target)) return;
  const fault = kindOf(target).findFault?.(target);
  if (fault === undefined) return;
  const { member, message } = fault;
  const errors = [{ pointer: `/target/${member}`, code: "invalid", message }];
  throw new AppError("invalid", "The check is incomplete", { errors });
}

/** Moves the secrets of a target into a sealed value. */
export function sealTarget(box: SecretBox, target: CheckTarget): Sealed {
  const bare = withSecrets(target, new Map());
  const hasSecret = namesOf(target).some((name) => Reflect.get(target, name) !== "");
  if (headersOf(target).length === 0 && !hasSecret) return { target: bare };
  return { target: bare, sealed: box.seal(JSON.stringify(toSealed(target)), PURPOSE) };
}

/** The target of a record as it is checked; undefined when its secrets were sealed with another secret key. */
export function openTarget(box: SecretBox, record: Sealed): CheckTarget | undefined {
  const secrets = openSecrets(box, record);
  return secrets && withSecrets(record.target, secrets);
}

/** An administrator's fields of a stored target, without secrets: they are kept. */
export function withoutSecrets(target: CheckTarget): TargetInput {
  const names = namesOf(target);
  const kept = Object.entries(target).filter(([name]) => !names.includes(name));
  const headers = headersOf(target).map(({ name }) => ({ name }));
  // `as`: secrets may be left out of an input.
  return { ...Object.fromEntries(kept), ...("headers" in target && { headers }) } as unknown as TargetInput;
}

/** The target as it is shown: of secrets only whether one is stored and can be read. */
export function toTargetView(box: SecretBox, record: Sealed): CheckView["target"] {
  const { target } = record;
  const secrets = openSecrets(box, record);
  const named = namesOf(target).map((name) => [name, secrets?.has(name) === true] as const);
  const headers = headersOf(target).map(({ name }) => ({ name, valueSet: secrets !== undefined }));
  // `as`: a view has true or false in the place of a secret.
  return {
    ...target,
    ...Object.fromEntries(named),
    ...("headers" in target && { headers }),
  } as unknown as CheckView["target"];
}
