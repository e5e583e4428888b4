/** Payment providers as an administrator reads and changes them: one by one, or as the list of the site's settings. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { PROVIDER_PURPOSE } from "../payments/notice-proof.ts";
import { type Provider, DEMO_SLUG, demoProvider, providerSchema } from "../site/schema.ts";
import { findSecretProblem } from "../payments/webhook-signature.ts";

/** What a request says of a provider, its secret in plain text; checked here by the provider's own schema. */
export type ProviderFields = Readonly<Record<string, unknown>>;

/** A provider as it is shown: whether it has a secret, never which. */
export function toProviderView({ secret, ...rest }: Provider) {
  return {
    ...rest,
    // That of the demo provider is derived.
    secretSet: secret !== undefined || rest.word === DEMO_SLUG,
    /** Where its notices go. */
    webhookPath: `/api/webhooks/${rest.word}-pay`,
  };
}

function refuseSecret(pointer: string, message: string): never {
  const errors: FieldError[] = [{ pointer, code: "invalid", message }];
  throw new AppError("invalid", "The secret cannot be used", { errors });
}

/** Seals a new secret; left out, the stored one stays; "" removes it. */
function withSealed(
  box: SecretBox,
  provider: Provider,
  { before, pointer }: { before: Provider | undefined; pointer: string },
): Provider {
  const { secret, ...rest } = provider;
  if (secret === "") return rest;
  if (secret === undefined) return { ...rest, secret: before?.secret };
  if (rest.word === DEMO_SLUG) refuseSecret(pointer, "must be left out: the demo provider makes its own");
  const problem = findSecretProblem(secret);
  if (problem !== undefined) refuseSecret(pointer, problem);
  return { ...rest, secret: box.seal(secret, PROVIDER_PURPOSE) };
}

/**
 * A provider from what a request says of it; `before` is the stored one of this slug. What is left out gets its
 * default, except `enabled`, which stays. The demo provider has its own defaults: it is off until somebody switches it on.
 * @throws AppError `invalid`
 */
export function toProvider(
  box: SecretBox,
  fields: ProviderFields & { readonly word: string },
  { before, at }: { readonly before: Provider | undefined; readonly at: string },
): Provider {
  const defaults = fields.word === DEMO_SLUG ? demoProvider : undefined;
  const enabled = before?.enabled ?? defaults?.enabled;
  const parsed = providerSchema.safeParse({ ...defaults, enabled, ...fields });
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return withSealed(box, parsed.data, { before, pointer: `${at}/secret` });
}

/** Throws `conflict` when a list leaves out a provider whose secret would be lost with it. */
export function assertNoneLost(after: readonly { word: string }[], before: readonly Provider[]): void {
  const slugs = new Set(after.map(({ word }) => word));
  const lost = before.find(({ word, secret }) => secret !== undefined && !slugs.has(word));
  if (lost === undefined) return;
  throw new AppError(
    "conflict",
    `The list leaves out "${lost.word}", which has a secret: name it too, or remove it with DELETE /api/admin/site/providers/${lost.word}`,
  );
}

/** A provider by its slug; the demo provider is there even when no list names it. @throws AppError `not_found` */
export function getProvider(all: readonly Provider[], slug: string): Provider {
  const provider = all.find(({ word }) => word === slug) ?? (slug === DEMO_SLUG ? demoProvider : undefined);
  if (provider === undefined) throw new AppError("not_found", `There is no payment provider "${slug}"`);
  return provider;
}

/** The list with one provider in its place, or at the end. */
export function withProvider(all: readonly Provider[], provider: Provider): Provider[] {
  const isThere = all.some(({ word }) => word === provider.word);
  return isThere ? all.map((old) => (old.word === provider.word ? provider : old)) : [...all, provider];
}
