/**
 * Rules of a payment provider's kind for its settings: its options, its credentials, and that none of them goes
 * elsewhere.
 */
import { z } from "zod";
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { PROVIDER_PURPOSE } from "../payments/notice-proof.ts";
import { findKind, listKinds } from "../payments/providers/kinds.ts";
import type { ProviderKind } from "../payments/providers/provider.ts";
import { kindNameOf, openCredentials, sealCredentials } from "../payments/services/open-provider.ts";
import { type Provider, DEMO_SLUG } from "../site/schema.ts";

/** Credentials that a request gives by name; "" removes one. */
export const credentialsSchema = z.record(z.string(), z.string()).default({});
type Credentials = Readonly<Record<string, string>>;

interface Change {
  readonly before: Provider | undefined;
  /** The pointer of the provider in the request's body. */
  readonly at: string;
  readonly credentials: Credentials;
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw new AppError("invalid", "The settings of the payment provider are invalid", { errors });
}

type Problem = readonly [pointer: string, message: string, code?: string];

function toErrors(at: string, problems: readonly Problem[]): FieldError[] {
  return problems.map(([pointer, message, code = "invalid"]) => ({
    pointer: `${at}${pointer}`,
    code,
    message,
  }));
}

function getKind(provider: Provider, { before, at }: Change): ProviderKind {
  const name = kindNameOf(provider);
  const kind = findKind(name);
  if (kind === undefined || (name === "demo") !== (provider.word === DEMO_SLUG)) {
    const names = listKinds().flatMap(([each]) => (each === "demo" ? [] : [each]));
    refuse(toErrors(at, [["/kind", `must be one of ${names.join(", ")}`]]));
  }
  if (kind === undefined) throw new AppError("internal", "A kind is missing");
  const isOther = before !== undefined && kindNameOf(before) !== name;
  if (isOther && (before.secret ?? before.sealedCredentials) !== undefined)
    refuse(
      toErrors(at, [
        [
          "/kind",
          "cannot be changed while credentials are stored. Add another provider, or delete this one first",
        ],
      ]),
    );
  return kind;
}

/** Members of the provider that a kind of the shop's own has instead of options. */
function hasOwnMembers(provider: Provider): boolean {
  return ["generic", "demo"].includes(kindNameOf(provider));
}

function readOptions(provider: Provider, kind: ProviderKind, at: string): Record<string, unknown> {
  const shape = hasOwnMembers(provider) ? {} : kind.options;
  const parsed = z.strictObject(shape).safeParse(provider.options ?? {});
  if (parsed.success) return parsed.data;
  refuse(
    parsed.error.issues.map(({ path, code, message }) => ({
      pointer: `${at}/options${path.map((part) => `/${String(part)}`).join("")}`,
      code,
      message,
    })),
  );
  throw new AppError("internal", "The options were not refused");
}

/** Errors of credentials as entered. */
function checkTyped(
  kind: ProviderKind,
  { credentials, at, isOwn }: { credentials: Credentials; at: string; isOwn: boolean },
): void {
  const place = isOwn ? "" : "/credentials";
  const known = new Map(Object.entries(kind.credentials));
  const problems = Object.entries(credentials).flatMap(([name, value]): [string, string][] => {
    const schema = known.get(name)?.schema;
    if (schema === undefined)
      return [
        [
          `/credentials/${name}`,
          `is not supported by this provider type. Supported: ${[...known.keys()].join(", ") || "none"}`,
        ],
      ];
    const parsed = value === "" ? undefined : schema.safeParse(value);
    return parsed?.success === false
      ? [[`${place}/${name}`, parsed.error.issues[0]?.message ?? "is invalid"]]
      : [];
  });
  refuse(toErrors(at, problems));
}

/** No stored credential is sent to a host that was not set when it was entered. */
function assertTypedAgain(
  kind: ProviderKind,
  {
    stored,
    options,
    before,
    at,
    credentials,
  }: Change & { stored: Credentials; options: Record<string, unknown> },
): void {
  const old = before === undefined ? [] : originsOf(kind, before.options ?? {});
  if (originsOf(kind, options).every((origin) => old.includes(origin))) return;
  const kept = Object.keys(stored).filter((name) => credentials[name] === undefined);
  const message =
    "must be entered again, because the URL has changed and credentials are not sent to another host automatically";
  refuse(
    toErrors(
      at,
      kept.map((name) => [`/credentials/${name}`, message, "type_again"]),
    ),
  );
}

/** Origins of options as they are stored; none if the kind can no longer read them. */
function originsOf(kind: ProviderKind, options: Record<string, unknown>): readonly string[] {
  const parsed = z.object(kind.options).safeParse(options);
  return parsed.success ? kind.origins(parsed.data) : [];
}

function assertUsable(
  kind: ProviderKind,
  { provider, credentials, at }: { provider: Provider; credentials: Credentials; at: string },
): void {
  if (!provider.enabled || hasOwnMembers(provider)) return;
  const missing = Object.entries(kind.credentials).filter(
    ([name, { needed }]) => needed && credentials[name] === undefined,
  );
  const message = "is required to enable the provider";
  refuse(
    toErrors(
      at,
      missing.map(([name]) => [`/credentials/${name}`, message, "required"]),
    ),
  );
  const setup = { word: provider.word, options: provider.options ?? {}, credentials };
  const fault = kind.findFault?.(setup);
  if (fault !== undefined) refuse(toErrors(at, [[fault.pointer, fault.message]]));
}

/** Earlier versions stored the secret of the shop's own notifications separately, and so does this one. */
function withOwnSecret(box: SecretBox, provider: Provider, secret: string | undefined): Provider {
  const { secret: _secret, ...rest } = provider;
  return secret === undefined ? rest : { ...rest, secret: box.seal(secret, PROVIDER_PURPOSE) };
}

/**
 * Checks a provider by its kind and seals what is secret of it; what is left out of the credentials stays.
 * @throws AppError `invalid` with the member that is wrong
 */
export function withKind(box: SecretBox, given: Provider, change: Change): Provider {
  const { before, at } = change;
  const { secret: typed, sealedCredentials: _sealed, ...provider } = given;
  const kind = getKind(provider, change);
  const options = readOptions(provider, kind, at);
  const isDemo = provider.word === DEMO_SLUG;
  if (typed !== undefined && (isDemo || !hasOwnMembers(provider)))
    refuse(
      toErrors(at, [
        [
          "/secret",
          isDemo
            ? "must be omitted: the demo provider creates its own secret"
            : "must be omitted: this provider type uses credentials",
        ],
      ]),
    );
  const credentials = typed === undefined ? change.credentials : { ...change.credentials, secret: typed };
  checkTyped(kind, { credentials, at, isOwn: typed !== undefined });
  const stored = before === undefined || isDemo ? {} : openCredentials(box, before);
  assertTypedAgain(kind, { ...change, credentials, stored, options });
  const all = Object.fromEntries(
    Object.entries({ ...stored, ...credentials }).filter(([, value]) => value !== ""),
  );
  if (isDemo) return { ...provider, options: undefined, kind: undefined };
  const checked = { ...provider, options: hasOwnMembers(provider) ? undefined : options };
  assertUsable(kind, { provider: checked, credentials: all, at });
  if (!hasOwnMembers(provider)) return { ...checked, sealedCredentials: sealCredentials(box, all) };
  const isSame = before?.secret !== undefined && credentials["secret"] === undefined;
  return isSame ? { ...checked, secret: before.secret } : withOwnSecret(box, checked, all["secret"]);
}
