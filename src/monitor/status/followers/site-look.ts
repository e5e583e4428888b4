/** How the site looks in mails, as its settings say now; in memory, for mails are laid out inside of transactions. */
import type { SettingsRecord } from "../../base/schema.ts";
import { toTimeZone } from "../../site/settings.ts";
import type { StatusPageRecord } from "../schema.ts";
import type { MailLook } from "./mails.ts";

/** The product's own, as in web/styles/tokens.css. */
const ACCENT = "#0d6b5c";

export interface SiteLook {
  /** How mails of a page look. */
  of(page: Pick<StatusPageRecord, "title">): MailLook;
  /** Applies the current settings. */
  take(settings: Pick<SettingsRecord, "accent" | "timeZone" | "quietHours">): void;
}

/** Creates it with the product's own look. */
export function createSiteLook(): SiteLook {
  let accent = ACCENT;
  let timeZone = "UTC";
  return {
    of: ({ title }) => ({ pageTitle: title, accent, timeZone }),
    take: (settings) => {
      accent = settings.accent.light || ACCENT;
      timeZone = toTimeZone(settings);
    },
  };
}
