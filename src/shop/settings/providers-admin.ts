/** Payment providers as an administrator reads and changes them: one by one, or as the list of the site's settings. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { PROVIDER_PURPOSE } from "../payments/notice-proof.ts";
import { type Provider, DEMO_WORD, demoProvider, providerSchema } from "../site/schema.ts";
import { findSecretProblem } from "../payments/webhook-signature.ts";

export interface ProviderView extends Omit<Provider, "secret"> {
  readonly secretSet: boolean;
  /** Where its notices go. */
  readonly webhookPath: string;
}

/** What a request says of a provider, its secret in plain text; checked here by the provider's own schema. */
export type ProviderFields = Readonly<Record<string, unknown>>;

/** A provider as it is shown: whether it has a secret, never which. */
export function toProviderView({ secret, ...rest }: Provider): ProviderView {
  return {
    ...rest,
    // That of the demo provider is derived.
    secretSet: secret !== undefined || rest.word === DEMO_WORD,
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
  given: Provider,
  { before, pointer }: { before: Provider | undefined; pointer: string },
): Provider {
  const { secret, ...rest } = given;
  if (secret === "") return rest;
  if (secret === undefined) return before?.secret === undefined ? rest : { ...rest, secret: before.secret };
  if (rest.word === DEMO_WORD) refuseSecret(pointer, "must be left out: the demo provider makes its own");
  const problem = findSecretProblem(secret);
  if (problem !== undefined) refuseSecret(pointer, problem);
  return { ...rest, secret: box.seal(secret, PROVIDER_PURPOSE) };
}

/**
 * A provider from what a request says of it; `before` is the stored one of the word. What is left out gets its
 * default, but that a provider is neither switched on nor off so. The demo provider's are its own: off until somebody says otherwise.
 * @throws AppError `invalid`
 */
export function toProvider(
  box: SecretBox,
  given: ProviderFields & { readonly word: string },
  place: { readonly before: Provider | undefined; readonly at: string },
): Provider {
  const { before, at } = place;
  const known = before === undefined ? {} : { enabled: before.enabled };
  const defaults = given.word === DEMO_WORD ? { ...demoProvider, ...known } : known;
  const parsed = providerSchema.safeParse({ ...defaults, ...given });
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return withSealed(box, parsed.data, { before, pointer: `${at}/secret` });
}

/** Throws `conflict` when a list leaves out a provider whose secret would be lost with it. */
export function assertNoneLost(given: readonly { word: string }[], before: readonly Provider[]): void {
  const lost = before.find(
    ({ word, secret }) => secret !== undefined && !given.some((one) => one.word === word),
  );
  if (lost === undefined) return;
  throw new AppError(
    "conflict",
    `The list leaves out "${lost.word}", which has a secret: name it too, or remove it with DELETE /api/admin/site/providers/${lost.word}`,
  );
}

/** A provider by its word; the demo provider is there even when no list names it. @throws AppError `not_found` */
export function getProvider(all: readonly Provider[], word: string): Provider {
  const provider = all.find((one) => one.word === word) ?? (word === DEMO_WORD ? demoProvider : undefined);
  if (provider === undefined) throw new AppError("not_found", `There is no payment provider "${word}"`);
  return provider;
}

/** The list with one provider in its place, or at the end. */
export function withProvider(all: readonly Provider[], provider: Provider): Provider[] {
  const isThere = all.some(({ word }) => word === provider.word);
  return isThere ? all.map((one) => (one.word === provider.word ? provider : one)) : [...all, provider];
}
