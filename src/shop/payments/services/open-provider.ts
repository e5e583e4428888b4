/** A provider of the settings with its kind, its options checked and its credentials opened. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";
import { type Provider, DEMO_SLUG } from "../../site/schema.ts";
import { PROVIDER_PURPOSE } from "../notice-proof.ts";
import { findKind } from "../providers/kinds.ts";
import type { ProviderKind, ProviderSetup } from "../providers/provider.ts";

/** A provider as its adapter is called. */
export interface OpenProvider {
  readonly provider: Provider;
  readonly kind: ProviderKind;
  readonly setup: ProviderSetup;
}

const credentialsSchema = z.record(z.string(), z.string());

/** The name of a provider's kind; those of earlier versions have none. */
export function kindNameOf({ word, kind = "generic" }: Pick<Provider, "word" | "kind">): string {
  return word === DEMO_SLUG ? "demo" : kind;
}

/** Seals credentials as one text; undefined for none. */
export function sealCredentials(
  box: SecretBox,
  credentials: Readonly<Record<string, string>>,
): string | undefined {
  return Object.keys(credentials).length === 0
    ? undefined
    : box.seal(JSON.stringify(credentials), PROVIDER_PURPOSE);
}

/** Opened credentials by the provider's settings, which are replaced whole when they change. */
const opened = new WeakMap<Provider, Readonly<Record<string, string>>>();

/** The credentials of a provider by name; the demo provider's are derived, so that it always has them. */
export function openCredentials(box: SecretBox, provider: Provider): Readonly<Record<string, string>> {
  const known = opened.get(provider);
  if (known !== undefined) return known;
  const { word, secret = "", sealedCredentials } = provider;
  const credentials = new Map<string, string>(
    sealedCredentials === undefined
      ? []
      : Object.entries(credentialsSchema.parse(JSON.parse(box.open(sealedCredentials, PROVIDER_PURPOSE)))),
  );
  if (word === DEMO_SLUG) credentials.set("secret", `whsec_${box.mac(DEMO_SLUG, PROVIDER_PURPOSE)}`);
  else if (secret !== "") credentials.set("secret", box.open(secret, PROVIDER_PURPOSE));
  const all = Object.fromEntries(credentials);
  opened.set(provider, all);
  return all;
}

const ready = new WeakMap<Provider, OpenProvider>();

/** Opens a provider for its adapter. @throws AppError `conflict` for settings that its kind cannot use */
export function openProvider(box: SecretBox, provider: Provider): OpenProvider {
  const known = ready.get(provider);
  if (known !== undefined) return known;
  const { word, requireWebhookSecret } = provider;
  const kind = findKind(kindNameOf(provider));
  if (kind === undefined)
    throw new AppError(
      "conflict",
      `This version does not support the provider type "${kindNameOf(provider)}"`,
    );
  // Where earlier versions had it, kinds without that option leave it out.
  const options = z.object(kind.options).safeParse({ requireWebhookSecret, ...provider.options });
  if (!options.success)
    throw new AppError("conflict", `The settings of the payment provider "${word}" are invalid. Change them`);
  const setup = { word, options: options.data, credentials: openCredentials(box, provider) };
  const open = { provider, kind, setup };
  ready.set(provider, open);
  return open;
}
