/** The site as a whole, as the monitor describes it; asked once. */
import { signal } from "@preact/signals";
import type { Site } from "../../monitor/site/schema.ts";
import { request } from "./api.ts";

/** The site, or undefined until the answer is there. */
export const site = signal<Site | undefined>();

/** Asks again, for example after the settings were changed; a failure leaves what was known. */
export async function refreshSite(): Promise<void> {
  site.value = await request<Site>("/api/site").catch(() => site.peek());
}

void refreshSite();
