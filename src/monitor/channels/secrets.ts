/**
 * The secrets of a channel: taken out of what an administrator sends, sealed, kept when they are left out, and shown
 * masked.
 */
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { type ChannelInput, type ChannelRecord, type ChannelSettings, isWebAddress } from "./schema.ts";
import type { Notice } from "./notification.ts";
import { findAddressFault, findBodyFault, renderTemplate } from "./template.ts";

/** Secrets by name; a header's value under "headers/<name>". */
export type ChannelSecrets = Readonly<Record<string, string>>;

/** A channel that can be sent to. */
export interface OpenChannel {
  readonly settings: ChannelSettings;
  readonly secrets: ChannelSecrets;
}

const PURPOSE = "channel";
/** Shorter secrets show no character. */
const MIN_LENGTH_TO_HINT = 12;
const HINT_LENGTH = 4;
const HEADER = "headers/";

function invalid(pointer: string, message: string): AppError {
  const errors: FieldError[] = [{ pointer, code: "invalid", message }];
  return new AppError("invalid", "The channel is not complete", { errors });
}

/** What was given beside headers; undefined for what was left out. */
function toGiven(input: ChannelInput): { name: string; value: string | undefined; isNeeded: boolean }[] {
  switch (input.type) {
    case "email":
      return [];
    case "ntfy":
      return [{ name: "token", value: input.token, isNeeded: false }];
    case "gotify":
      return [{ name: "token", value: input.token, isNeeded: true }];
    case "telegram":
      return [{ name: "botToken", value: input.botToken, isNeeded: true }];
    case "discord":
    case "slack":
      return [{ name: "webhookUrl", value: input.webhookUrl, isNeeded: true }];
    case "http":
      return [{ name: "url", value: input.url, isNeeded: true }];
  }
}

/** The server that secrets go to, where it is not itself one of them. */
function toServer(settings: ChannelSettings): string {
  switch (settings.type) {
    case "ntfy":
    case "gotify":
      return new URL(settings.serverUrl).origin;
    case "telegram":
      return new URL(settings.apiUrl).origin;
    case "email":
    case "discord":
    case "slack":
    case "http":
      return "";
  }
}

const emptyNotice: Notice = { kind: "test", severity: "info", title: "", text: "", url: "" };

function checkHttp(url: string, settings: ChannelSettings): void {
  if (settings.type !== "http") return;
  const fault =
    findAddressFault(url) ??
    (isWebAddress(renderTemplate(url, emptyNotice))
      ? undefined
      : "must begin with http:// or https:// and hold no user and password");
  if (fault !== undefined) throw invalid("/url", fault);
  const bodyFault =
    settings.method === "GET" ? undefined : findBodyFault(settings.body, settings.contentType);
  if (bodyFault !== undefined) throw invalid("/body", bodyFault);
}

function mergeHeaders(
  given: Readonly<Record<string, string | null>> | undefined,
  before: ChannelSecrets,
): Record<string, string> {
  const kept = Object.entries(before).filter(([name]) => name.startsWith(HEADER));
  if (given === undefined) return Object.fromEntries(kept);
  const merged: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const stored = value ?? before[HEADER + name];
    if (stored === undefined)
      throw invalid(`/headers/${name}`, "has no stored value to keep; give it a value");
    merged[HEADER + name] = stored;
  }
  return merged;
}

/** Whoever may change an address must not learn by it what was stored for another one. */
function assertSameServer(
  { settings, secrets }: OpenChannel,
  { before, given }: { before: OpenChannel; given: ReadonlySet<string> },
): void {
  const kept = Object.keys(secrets).find((name) => !given.has(name) && name !== "url");
  if (kept === undefined) return;
  const originOf = (address: string | undefined): string =>
    address === undefined ? "" : new URL(renderTemplate(address, emptyNotice)).origin;
  const isSame =
    toServer(before.settings) === toServer(settings) &&
    originOf(before.secrets["url"]) === originOf(secrets["url"]);
  if (!isSame) throw invalid(`/${kept}`, "must be given again, because the server is another one");
}

/**
 * What a channel keeps secret after a change: what is left out stays as it was in a channel of the same type.
 * @throws AppError `invalid`
 */
export function mergeSecrets(
  input: ChannelInput,
  { settings, before }: { settings: ChannelSettings; before: OpenChannel | undefined },
): ChannelSecrets {
  const same = before?.settings.type === settings.type ? before : undefined;
  const merged: Record<string, string> = {};
  const given = new Set<string>();
  for (const { name, value, isNeeded } of toGiven(input)) {
    const secret = value ?? same?.secrets[name];
    if (isNeeded && secret === undefined) throw invalid(`/${name}`, "must be given");
    if (secret === undefined || secret === "") continue;
    merged[name] = secret;
    if (value !== undefined) given.add(name);
  }
  if (input.type === "http") {
    Object.assign(merged, mergeHeaders(input.headers, same?.secrets ?? {}));
    for (const [name, value] of Object.entries(input.headers ?? {}))
      if (value !== null) given.add(HEADER + name);
    checkHttp(merged["url"] ?? "", settings);
  }
  if (same !== undefined) assertSameServer({ settings, secrets: merged }, { before: same, given });
  return merged;
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

/** Headers as they are sent. */
export function toHeaders(secrets: ChannelSecrets): Record<string, string> {
  const headers = Object.entries(secrets).filter(([name]) => name.startsWith(HEADER));
  return Object.fromEntries(headers.map(([name, value]) => [name.slice(HEADER.length), value]));
}

/** Dots and the last characters of a long secret; of an address also its origin. */
export function toMasked(secret: string): string {
  const end = secret.length < MIN_LENGTH_TO_HINT ? "" : secret.slice(-HINT_LENGTH);
  const isAddress = isWebAddress(secret) && new URL(secret).pathname.length > HINT_LENGTH;
  return `${isAddress ? `${new URL(secret).origin}/` : ""}••••${end}`;
}
