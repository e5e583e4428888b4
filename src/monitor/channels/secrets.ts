/**
 * The secrets of a channel: taken out of what an administrator sends, sealed, kept when they are left out, and shown
 * masked.
 */
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { isWebAddress } from "./receivers/receiver-schemas.ts";
import type { ChannelSecrets } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { ChannelRecord, ChannelTest, ChannelSettings } from "./schema.ts";

/** A channel that can be sent to. */
export interface OpenChannel {
  readonly settings: ChannelSettings;
  readonly secrets: ChannelSecrets;
}

const PURPOSE = "channel";
/** Shorter secrets show no character. */
const MIN_LENGTH_TO_HINT = 12;
const HINT_LENGTH = 4;

function invalid(pointer: string, message: string): AppError {
  const errors: FieldError[] = [{ pointer, code: "invalid", message }];
  return new AppError("invalid", "The channel is incomplete", { errors });
}

/** An input for one secret: a value, members with a value each, null for unchanged ones. */
type Given = string | Readonly<Record<string, string | null>> | undefined;

/** The secret and its members as they are after a change, and the names of what was given. */
function mergeSecret(
  name: string,
  value: Given,
  before: ChannelSecrets,
): { merged: ChannelSecrets; given: readonly string[] } {
  if (value === undefined) {
    const kept = Object.entries(before).filter(([key]) => key === name || key.startsWith(`${name}/`));
    return { merged: Object.fromEntries(kept), given: [] };
  }
  if (typeof value === "string")
    return value === "" ? { merged: {}, given: [] } : { merged: { [name]: value }, given: [name] };
  const merged: Record<string, string> = {};
  for (const [member, part] of Object.entries(value)) {
    const stored = part ?? before[`${name}/${member}`];
    if (stored === undefined) throw invalid(`/${name}/${member}`, "has no stored value. Set a value");
    merged[`${name}/${member}`] = stored;
  }
  const given = Object.keys(value).filter((member) => value[member] !== null);
  return { merged, given: given.map((member) => `${name}/${member}`) };
}

/** Where secrets go, unless the address is the secret. */
function toOrigin({ settings, secrets }: OpenChannel): string {
  const address = kindOf(settings).server?.(settings, secrets);
  return address === undefined ? "" : new URL(address).origin;
}

/** Changing the URL must not reveal the secret that was stored for another one. */
function assertSameServer(
  now: OpenChannel,
  { before, given }: { before: OpenChannel; given: readonly string[] },
): void {
  const kept = Object.keys(now.secrets).find((name) => !given.includes(name));
  if (kept !== undefined && toOrigin(before) !== toOrigin(now))
    throw invalid(`/${kept}`, "must be entered again, because the server has changed");
}

/**
 * A channel's secrets after a change: omitted ones are unchanged in a channel of the same type.
 * @throws AppError `invalid`
 */
export function mergeSecrets(
  input: ChannelTest,
  { settings, before }: { settings: ChannelSettings; before: OpenChannel | undefined },
): ChannelSecrets {
  const same = before?.settings.type === settings.type ? before : undefined;
  const kind = kindOf(settings);
  const secrets: Record<string, string> = {};
  const given: string[] = [];
  for (const name of Object.keys(kind.secrets())) {
    // `as`: the kind's schema has checked it; a secret is a text, or an object of them.
    const value = Reflect.get(input, name) as Given;
    const part = mergeSecret(name, value, same?.secrets ?? {});
    Object.assign(secrets, part.merged);
    given.push(...part.given);
    if (kind.needed.includes(name) && secrets[name] === undefined) throw invalid(`/${name}`, "is required");
  }
  const fault = kind.findFault?.(settings, secrets);
  if (fault !== undefined) throw invalid(fault.pointer, fault.message);
  if (same !== undefined) assertSameServer({ settings, secrets }, { before: same, given });
  return secrets;
}

/** Seals the secrets of a record. */
export function sealSecrets(box: SecretBox, secrets: ChannelSecrets): string {
  return box.seal(JSON.stringify(secrets), PURPOSE);
}

/** The channel of a record; undefined when its secrets were sealed with another secret key. */
export function openChannel(box: SecretBox, record: ChannelRecord): OpenChannel | undefined {
  try {
    // `as`: what seals them is sealSecrets.
    const secrets = JSON.parse(box.open(record.sealed, PURPOSE)) as ChannelSecrets;
    return { settings: record.settings, secrets };
  } catch {
    return undefined;
  }
}

/** Dots and the last characters of a long secret; of an address also its origin. */
export function toMasked(secret: string): string {
  const end = secret.length < MIN_LENGTH_TO_HINT ? "" : secret.slice(-HINT_LENGTH);
  const isAddress = isWebAddress(secret) && new URL(secret).pathname.length > HINT_LENGTH;
  return `${isAddress ? `${new URL(secret).origin}/` : ""}••••${end}`;
}
