/** The site's settings as the administration's routes give them, and how a part of them is edited. */
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";

/** A legal page. */
export interface PageView {
  readonly slug: string;
  readonly title: string;
  readonly body: string;
  readonly translations?: Readonly<Record<string, { readonly title: string; readonly body: string }>>;
  readonly pageVersion?: number;
  readonly changedAt?: string;
}

export interface AnnouncementView {
  readonly text: string;
  readonly translations?: Readonly<Record<string, string>>;
  readonly level: "info" | "warning";
  readonly startsAt?: string;
  readonly endsAt?: string;
}

/** A rate of the owner's own. */
export interface RateView {
  readonly country: string;
  readonly taxClass: string;
  readonly basisPoints: number;
}

/** What the console shows of GET /api/admin/site. */
export interface SiteView {
  readonly version: number;
  readonly currency: string;
  readonly languages: readonly string[];
  readonly shippingFee: number;
  readonly branding: {
    readonly logo: string;
    readonly accent: { readonly light: string; readonly dark: string };
    readonly customCss: string;
  };
  readonly announcement: AnnouncementView | null;
  readonly pages: readonly PageView[];
  readonly tax: { readonly rates: readonly RateView[] };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export const SITE = "/api/admin/site";

/** Sends a part of the settings in place of a version. */
export function sendSite({ version }: Pick<SiteView, "version">, body: object): Promise<SiteView> {
  return adminRequest<SiteView>(SITE, { method: "PATCH", body: { ...body, version } });
}

/** The same editing, and `onSaved` is called once something was sent. */
export function whenSent<Stored, F, D>(
  edited: Edited<Stored, F, D>,
  onSaved: () => void,
): Edited<Stored, F, D> {
  return { ...edited, send: (from, fields) => edited.send(from, fields).finally(onSaved) };
}
