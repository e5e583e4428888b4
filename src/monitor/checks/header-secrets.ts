/** Values of the headers of HTTP targets: sealed in the store, kept when they are left out, opened for a probe. */
import type { Target } from "../../kit/probes/targets.ts";
import { AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { CheckRecord, CheckTarget } from "./schema.ts";
import type { TargetInput } from "./view-schema.ts";

const PURPOSE = "check";

/** A target as the store keeps it: header values apart, and sealed. */
type Sealed = Pick<CheckRecord, "target" | "sealed">;

type HttpInput = Extract<TargetInput, { kind: "http" }>;

/** The values by the small letters of their names; undefined when they cannot be opened with this secret key. */
function openValues(box: SecretBox, { target, sealed }: Sealed): ReadonlyMap<string, string> | undefined {
  if (target.kind !== "http" || sealed === undefined) return new Map();
  try {
    // `as`: what seals them is sealTarget.
    const values = JSON.parse(box.open(sealed, PURPOSE)) as readonly string[];
    return new Map(target.headers.map(({ name }, index) => [name.toLowerCase(), values[index] ?? ""]));
  } catch {
    return undefined;
  }
}

/** Whoever may change an address must not send to it what was stored for another one. */
function isSameOrigin(input: HttpInput, before: CheckTarget): boolean {
  return before.kind === "http" && new URL(input.url).origin === new URL(before.url).origin;
}

function mustGive(index: number, message: string): AppError {
  const errors = [{ pointer: `/target/headers/${index}/value`, code: "invalid", message }];
  return new AppError("invalid", "The check is not complete", { errors });
}

function mergeHeaders(
  input: HttpInput,
  known: { readonly values: ReadonlyMap<string, string> | undefined; readonly isSameOrigin: boolean },
): Extract<Target, { kind: "http" }>["headers"] {
  return input.headers.map(({ name, value }, index) => {
    if (value !== undefined) return { name, value };
    const kept = known.values?.get(name.toLowerCase());
    if (kept === undefined) throw mustGive(index, "has no stored value to keep; give it a value");
    if (!known.isSameOrigin) throw mustGive(index, "must be given again, because the address is another one");
    return { name, value: kept };
  });
}

/**
 * The target with the values of its headers: given ones, and those of `before` for names that come without one.
 * @throws AppError `invalid`
 */
export function mergeTarget(box: SecretBox, input: TargetInput, before: Sealed | undefined): CheckTarget {
  if (input.kind !== "http") return input;
  const known =
    before === undefined
      ? { values: undefined, isSameOrigin: false }
      : { values: openValues(box, before), isSameOrigin: isSameOrigin(input, before.target) };
  return { ...input, headers: mergeHeaders(input, known) };
}

/** Takes the values of headers out of a target and seals them. */
export function sealTarget(box: SecretBox, target: CheckTarget): Sealed {
  if (target.kind !== "http" || target.headers.length === 0) return { target };
  const sealed = box.seal(JSON.stringify(target.headers.map(({ value }) => value)), PURPOSE);
  return { target: { ...target, headers: target.headers.map(({ name }) => ({ name, value: "" })) }, sealed };
}

/** The target of a record as it is asked; undefined when its secrets were sealed with another secret key. */
export function openTarget(box: SecretBox, record: Sealed): CheckTarget | undefined {
  const { target } = record;
  if (target.kind !== "http" || target.headers.length === 0) return target;
  const values = openValues(box, record);
  if (values === undefined) return undefined;
  const headers = target.headers.map(({ name }) => ({ name, value: values.get(name.toLowerCase()) ?? "" }));
  return { ...target, headers };
}
