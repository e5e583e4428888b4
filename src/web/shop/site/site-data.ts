/** The site's settings: where they are, and how a part of them is sent. */
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { adminRequest } from "../../ui/console/session.ts";

export const SITE = "/api/admin/site";

/** Props of each tab of the settings. */
export interface SiteTab {
  readonly stored: AdminSite;
  /** Gets what is stored now; nothing where saving failed. */
  readonly onSaved: (saved?: AdminSite) => void;
}

/** Sends a part of the settings in place of a version. */
export function sendSite({ version }: Pick<AdminSite, "version">, body: object): Promise<AdminSite> {
  return adminRequest<AdminSite>(SITE, { method: "PATCH", body: { ...body, version } });
}
