/** Payment providers: their kinds, where they are, and what an owner should know of one. */
import type { ProviderView } from "../../../shop/settings/answer-schema.ts";
import type { ProviderKindView } from "../../../shop/payments/providers/answer-schema.ts";
import { findText } from "../../app/texts.ts";

export const PROVIDERS = "/api/admin/site/providers";
export const KINDS = "/api/admin/site/provider-kinds";

/** Settings shared by the list and the pages of providers. */
export const providerNoun = {
  api: PROVIDERS,
  home: "/admin/providers",
  navigation: "shop.nav.providers",
  texts: "shop.providers",
  words: "shop.providers",
  write: "shop-settings:write",
  idOf: ({ word }: ProviderView) => word,
  nameOf: ({ title }: ProviderView) => title,
} as const;

export const DEMO = "demo";
/** Sends the shop's own notifications. */
export const GENERIC = "generic";
/** Paid as the instructions say: there is nothing to test. */
export const MANUAL = "manual";

/** The translated title of a kind; most services have the same name in all languages. */
export function toKindTitle({ kind, title }: Pick<ProviderKindView, "kind" | "title">): string {
  return findText(`shop.providers.kind.${kind}`) ?? title;
}

/** Whether buyers can pay with it: it leads somewhere, or tells them what to do. */
export function isUsable({ kind, payUrlTemplate, instructions }: ProviderView): boolean {
  return (kind !== GENERIC && kind !== MANUAL) || payUrlTemplate !== "" || instructions !== "";
}

type ProviderNote = "demo" | "currency" | "unsecured" | "noSecret" | "noInstructions" | "off";

/** Notes of a provider; while it is off only that it is, where everything else is there. */
export function listNotes(
  provider: ProviderView,
  { currency, kind }: { currency: string; kind: ProviderKindView | undefined },
): readonly ProviderNote[] {
  if (!provider.enabled) return provider.instructions === "" ? [] : ["off"];
  if (provider.word === DEMO) return ["demo"];
  if (!isUsable(provider)) return ["noInstructions"];
  const notes: ProviderNote[] = [];
  if (kind?.currencies?.includes(currency) === false) notes.push("currency");
  if (provider.kind === GENERIC && !provider.credentialsSet.includes("secret"))
    notes.push(provider.requireWebhookSecret ? "noSecret" : "unsecured");
  return notes;
}
