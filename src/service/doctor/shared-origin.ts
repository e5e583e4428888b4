/** Services with one public origin: to a browser they are one site. */
import type { Config } from "../../config.ts";
import type { ServiceName } from "../../kit/services.ts";
import { isPublicHttps } from "../../kit/outbound/public-url.ts";

export const SHARED_ORIGIN_ADVICE =
  "Give each service its own host name. Set PUBLIC_URL, AUTH_PUBLIC_URL and SHOP_PUBLIC_URL, such as https://status.example.org, https://accounts.example.org and https://shop.example.org";

/** The services that share a public origin, and the consequence; undefined if none do. */
export function findSharedOrigin(
  { places }: Pick<Config, "places">,
  services: readonly ServiceName[],
): string | undefined {
  const byOrigin = new Map<string, ServiceName[]>();
  for (const service of services) {
    const { url = "" } = places[service];
    if (!isPublicHttps(url)) continue;
    const { origin } = new URL(url);
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), service]);
  }
  const [shared] = [...byOrigin].filter(([, names]) => names.length > 1);
  if (shared === undefined) return undefined;
  const [origin, names] = shared;
  return `The services ${names.join(", ")} share the origin ${origin}: a script injection in one of them gives access to the consoles of all`;
}
