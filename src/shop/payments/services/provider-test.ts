/** Whether the settings of a payment provider work: begins a payment of the smallest amount, which is never paid. */
import { AppError } from "../../../kit/errors.ts";
import { newId } from "../../../kit/secrets/id.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { Provider, SiteSettings } from "../../site/schema.ts";
import type { FaultPart, PaymentRequest } from "../providers/provider.ts";
import { type OpenProvider, openProvider } from "./open-provider.ts";
import { createTools, toFault } from "./tools.ts";

const HOUR_MS = 3_600_000;

export interface ProviderTestResult {
  readonly result: "ok" | "failed";
  /** The result, for people. */
  readonly message: string;
  /** The service's own words. */
  readonly said: string;
  /** The setting that is wrong, if that is known. */
  readonly part?: FaultPart | undefined;
}

type Deps = Pick<ShopDeps, "clock" | "box" | "publicUrl" | "paymentOutbound">;

function toRequest(
  { clock, publicUrl }: Deps,
  { word, currency }: { word: string; currency: string },
): PaymentRequest {
  const nowMs = clock.now();
  const orderId = newId("ord", nowMs);
  return {
    orderId,
    number: "TEST",
    attempt: 1,
    amount: 1,
    currency,
    description: "Test",
    email: "test@example.org",
    language: "en",
    expiresAt: nowMs + HOUR_MS,
    returnUrl: publicUrl,
    notifyUrl: `${publicUrl}/api/webhooks/${word}-pay`,
  };
}

async function tryService(
  deps: Deps,
  { kind, setup, site }: OpenProvider & { readonly site: Pick<SiteSettings, "currency"> },
): Promise<string> {
  const tools = createTools(deps);
  if (kind.test !== undefined) return (await kind.test(setup, tools)).said;
  if (kind.begin === undefined) return "";
  const takes = kind.currencies?.includes(site.currency) ?? true;
  const currency = takes ? site.currency : (kind.currencies?.[0] ?? site.currency);
  const start = await kind.begin(setup, toRequest(deps, { word: setup.word, currency }), tools);
  return `${start.kind} ${start.reference}`.trim();
}

/** Tries a provider, switched on or not; what its service refuses is the result. @throws AppError `conflict` for settings that its kind cannot use */
export async function testProvider(
  deps: Deps,
  { provider, site }: { readonly provider: Provider; readonly site: Pick<SiteSettings, "currency"> },
): Promise<ProviderTestResult> {
  const open = openProvider(deps.box, provider);
  const { kind, setup } = open;
  if (kind.begin === undefined && kind.test === undefined)
    return {
      result: "ok",
      said: "",
      message: "This provider type does not call a service, so there is nothing to test",
    };
  const missing = Object.entries(kind.credentials).find(
    ([name, { needed }]) => needed && setup.credentials[name] === undefined,
  );
  if (missing !== undefined)
    throw new AppError("conflict", `The credential "${missing[0]}" is not set. Set it first`);
  try {
    const said = await tryService(deps, { ...open, site });
    return { result: "ok", said, message: "The payment provider accepted the settings" };
  } catch (error) {
    const { message, said, part } = toFault(error);
    return { result: "failed", message, said, part };
  }
}
