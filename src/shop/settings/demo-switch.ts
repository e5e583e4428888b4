/** When the demo payment is open. With it goods leave for nothing, so only an explicit act opens it, and never in a real shop. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { isPublicHttps } from "../../kit/outbound/public-url.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { withProvider } from "./providers-admin.ts";
import { readSettings, replaceSettings } from "../site/settings.ts";
import { type Provider, DEMO_SLUG, demoProvider } from "../site/schema.ts";
import { DEMO_IS_ON } from "./warnings.ts";

/** Throws `conflict` when the demo payment would be on in a shop that people reach over https. */
export function assertMayDemo(publicUrl: string, providers: readonly Provider[]): void {
  if (!isPublicHttps(publicUrl) || !providers.some(({ word, enabled }) => word === DEMO_SLUG && enabled))
    return;
  throw new AppError(
    "conflict",
    `Demo payments cannot be enabled, because orders would be free at ${publicUrl} (SHOP_PUBLIC_URL)`,
  );
}

/**
 * Earlier versions switched the demo payment on by themselves, with a stored secret; now its secret is derived, and a
 * stored one means that the demo was not switched on by a person.
 */
function isOfEarlierVersion({ word, secret }: Provider): boolean {
  return word === DEMO_SLUG && secret !== undefined;
}

interface Wanted {
  /** SHOP_DEMO; undefined leaves the setting. */
  readonly wanted?: boolean | undefined;
  readonly isPublic: boolean;
}

function toSettled(provider: Provider, { wanted, isPublic }: Wanted): Provider {
  const { secret: _secret, ...rest } = provider;
  const isChosen = wanted ?? (provider.enabled && !isOfEarlierVersion(provider));
  return { ...rest, enabled: isChosen && !isPublic };
}

async function settle(tx: Tx, clock: Clock, wish: Wanted): Promise<{ isOn: boolean; wasClosed: boolean }> {
  const { fields } = await readSettings(tx, "site");
  const present = fields.paymentProviders.find(({ word }) => word === DEMO_SLUG);
  const before = present ?? demoProvider;
  const after = toSettled(before, wish);
  if (after.enabled !== before.enabled || before.secret !== undefined) {
    const paymentProviders = withProvider(fields.paymentProviders, after);
    const actor = { name: "system", clientId: "shop", requestId: "start" };
    await replaceSettings(tx, { group: "site", fields: { ...fields, paymentProviders }, actor, clock });
  }
  return { isOn: after.enabled, wasClosed: before.enabled && !after.enabled };
}

/**
 * Switches the demo payment on or off at the start, switches it off if it was not switched on by a person or people can
 * order over https, and logs what it did and whether it is on.
 */
export async function settleDemo(
  { store, clock, log, publicUrl }: Pick<ShopDeps, "store" | "clock" | "log" | "publicUrl">,
  {
    wanted,
    isReadOnly = false,
  }: { readonly wanted?: boolean | undefined; readonly isReadOnly?: boolean } = {},
): Promise<void> {
  const isPublic = !isReadOnly && isPublicHttps(publicUrl);
  const { isOn, wasClosed } = await store.transact((tx) => settle(tx, clock, { wanted, isPublic }));
  if (wasClosed)
    log.warn(
      isPublic
        ? "Demo payments were disabled, because this shop is public over https"
        : "Demo payments were disabled: SHOP_DEMO disables them, or an earlier version had enabled them automatically. SHOP_DEMO=1 or the site settings enable them",
    );
  if (isOn) log.warn(DEMO_IS_ON);
}
