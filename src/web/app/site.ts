/** The site as a whole, as the monitor describes it; asked once. */
import { signal } from "@preact/signals";
import type { Site } from "../../monitor/site/schema.ts";
import { ApiError, request } from "./api.ts";
import { basePath } from "./path.ts";

/** The site, or undefined until the answer is there. */
export const site = signal<Site | undefined>();
/** Whether the site is private and the reader may not look. */
export const shut = signal(false);

const STYLES = `${basePath}/site.css`;

/** Reloads the owner's styles. */
function refreshStyles(): void {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = STYLES;
  const before = document.querySelector(`link[href="${STYLES}"]`);
  link.onload = () => before?.remove();
  document.head.append(link);
}

/** Reloads; a failure leaves what was known, unless the reader has lost access. */
export async function refreshSite(): Promise<void> {
  try {
    site.value = await request<Site>("/api/site");
    shut.value = false;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    site.value = undefined;
    shut.value = true;
  }
}

/** The same after the settings were changed: colours, too. */
export async function refreshBrand(): Promise<void> {
  refreshStyles();
  await refreshSite();
}

void refreshSite();
