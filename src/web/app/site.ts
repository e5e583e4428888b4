/** What the monitor says of the site as a whole, asked once. */
import type { Site } from "../../monitor/site/schema.ts";
import { request } from "./api.ts";
import { createObservable, useObservable } from "./observable.ts";

const site = createObservable<Site | undefined>(undefined);

/** Asks again, for example after the settings were changed; a failure leaves what was known. */
export async function refreshSite(): Promise<void> {
  site.set(await request<Site>("/api/site").catch(() => site.get()));
}

void refreshSite();

/** The site, or undefined until the answer is there. */
export function useSite(): Site | undefined {
  return useObservable(site);
}
