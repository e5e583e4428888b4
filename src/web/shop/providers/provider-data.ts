/** Payment providers and their kinds as the administration's routes give them. */
import { type Labels, findText } from "../../app/texts.ts";

/** A field that a kind asks for. */
export interface KindField {
  readonly name: string;
  readonly label: Labels;
  readonly hint?: Labels;
  /** A credential: it is never shown again. */
  readonly isHidden: boolean;
  readonly needed: boolean;
  /** JSON Schema of an option. */
  readonly schema?: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly default?: unknown;
  };
}

/** A kind of payment service. */
export interface KindView {
  readonly kind: string;
  readonly title: string;
  readonly documentation: string;
  /** Absent: any. */
  readonly currencies?: readonly string[];
  readonly can: readonly string[];
  readonly fields: readonly KindField[];
}

export interface ProviderView {
  readonly word: string;
  readonly kind: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly credentialsSet: readonly string[];
  readonly requireWebhookSecret: boolean;
  readonly payUrlTemplate: string;
  readonly instructions: string;
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly expiryMinutes?: number;
  readonly webhookPath: string;
}

/** The same as the route of one provider gives it. */
export interface ProviderDetails extends ProviderView {
  /** Orders that wait to be paid with it. */
  readonly waitingOrders: number;
}

/** What a kind is called; most services have one name everywhere. */
export function toKindTitle({ kind, title }: Pick<KindView, "kind" | "title">): string {
  return findText(`shop.providers.kind.${kind}`) ?? title;
}

/** What of the site's settings the section needs. */
export interface ProvidersSite {
  readonly version: number;
  readonly currency: string;
  readonly languages: readonly string[];
  readonly orderExpiryMinutes: number;
  readonly paymentProviders: readonly ProviderView[];
}

export const DEMO = "demo";
const GENERIC = "generic";
/** Paid as the instructions say: there is nothing to try out. */
export const MANUAL = "manual";

/** Whether it is of one of the two kinds of the shop's own notices. */
export function isGeneric({ kind }: Pick<ProviderView, "kind">): boolean {
  return kind === GENERIC;
}

/** What an owner should know of a provider that is switched on. */
export type ProviderNote = "demo" | "currency" | "unsecured" | "noSecret" | "noInstructions" | "off";

/** Whether buyers can pay with it: it leads somewhere, or tells them what to do. */
export function isUsable({ kind, payUrlTemplate, instructions }: ProviderView): boolean {
  return (kind !== GENERIC && kind !== MANUAL) || payUrlTemplate !== "" || instructions !== "";
}

/** Notes of a provider; while it is switched off only that it is, where everything else is there. */
export function listNotes(
  provider: ProviderView,
  { currency, kind }: { currency: string; kind: KindView | undefined },
): readonly ProviderNote[] {
  if (!provider.enabled) return provider.instructions === "" ? [] : ["off"];
  if (provider.word === DEMO) return ["demo"];
  if (!isUsable(provider)) return ["noInstructions"];
  const notes: ProviderNote[] = [];
  if (kind?.currencies?.includes(currency) === false) notes.push("currency");
  if (isGeneric(provider) && !provider.credentialsSet.includes("secret"))
    notes.push(provider.requireWebhookSecret ? "noSecret" : "unsecured");
  return notes;
}

/** Where a provider is. */
export function toProviderPath(word: string, action = ""): string {
  return `/api/admin/site/providers/${word}${action}`;
}
export const KINDS = "/api/admin/site/provider-kinds";
export const ORDER = "/api/admin/site/provider-order";
