/** Payment providers as an administrator reads and changes them: one by one, or as the list of the site's settings. */
import { AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { kindNameOf, openCredentials } from "../payments/services/open-provider.ts";
import { type Provider, DEMO_SLUG, demoProvider, providerSchema } from "../site/schema.ts";
import { credentialsSchema, withKind } from "./provider-kind.ts";

/** A provider in a request, its secret in plain text; validated here by the provider's own schema. */
export type ProviderFields = Readonly<Record<string, unknown>>;

/** A provider as it is shown: which secrets it has, never what they are. */
export function toProviderView(box: SecretBox, provider: Provider) {
  const { secret: _secret, sealedCredentials: _sealed, ...rest } = provider;
  const credentialsSet = Object.keys(openCredentials(box, provider)).sort();
  return {
    ...rest,
    kind: kindNameOf(rest),
    options: rest.options ?? {},
    credentialsSet,
    // That of the demo provider is derived.
    secretSet: credentialsSet.length > 0,
    /** Where its notices go. */
    webhookPath: `/api/webhooks/${rest.word}-pay`,
  };
}

/**
 * A provider from what a request says of it; `before` is the stored one of this slug. What is left out gets its
 * default, except `enabled`, `kind`, `options` and secrets, which stay. The demo provider has its own defaults: it is
 * off until it is switched on.
 * @throws AppError `invalid`
 */
export function toProvider(
  box: SecretBox,
  { credentials, ...fields }: ProviderFields & { readonly word: string },
  { before, at }: { readonly before: Provider | undefined; readonly at: string },
): Provider {
  const defaults = fields.word === DEMO_SLUG ? demoProvider : undefined;
  const enabled = before?.enabled ?? defaults?.enabled;
  const given = { ...defaults, enabled, kind: before?.kind, options: before?.options, ...fields };
  const parsed = providerSchema.safeParse(given);
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return withKind(box, parsed.data, { before, at, credentials: credentialsSchema.parse(credentials) });
}

/** Throws `conflict` when a list leaves out a provider whose secret would be lost with it. */
export function assertNoneLost(after: readonly { word: string }[], before: readonly Provider[]): void {
  const slugs = new Set(after.map(({ word }) => word));
  const lost = before.find(
    ({ word, secret, sealedCredentials }) => (secret ?? sealedCredentials) !== undefined && !slugs.has(word),
  );
  if (lost === undefined) return;
  throw new AppError(
    "conflict",
    `The list does not include "${lost.word}", which has a stored secret. Include it, or delete it with DELETE /api/admin/site/providers/${lost.word}`,
  );
}

/** A provider by its slug; the demo provider is there even when no list names it. @throws AppError `not_found` */
export function getProvider(all: readonly Provider[], slug: string): Provider {
  const provider = all.find(({ word }) => word === slug) ?? (slug === DEMO_SLUG ? demoProvider : undefined);
  if (provider === undefined)
    throw new AppError("not_found", `The payment provider "${slug}" does not exist`);
  return provider;
}

/** The providers in the order of their slugs. @throws AppError `invalid` unless each is named once */
export function toArranged(all: readonly Provider[], slugs: readonly string[]): Provider[] {
  const bySlug = new Map(all.map((provider) => [provider.word, provider]));
  const arranged = [...new Set(slugs)].flatMap((slug) => bySlug.get(slug) ?? []);
  if (arranged.length === all.length && slugs.length === all.length) return arranged;
  const message = `must contain each of ${[...bySlug.keys()].join(", ")} once`;
  throw new AppError("invalid", "The order must contain every payment provider once", {
    errors: [{ pointer: "/words", code: "invalid", message }],
  });
}

/** The list with one provider in its place, or at the end. */
export function withProvider(all: readonly Provider[], provider: Provider): Provider[] {
  const isThere = all.some(({ word }) => word === provider.word);
  return isThere ? all.map((old) => (old.word === provider.word ? provider : old)) : [...all, provider];
}
