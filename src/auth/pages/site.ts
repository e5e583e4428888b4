/** Settings that every page needs. */
import type { Brand } from "../../html/brand.ts";
import type { BrandingSettings, RegistrationSettings } from "../settings/schema.ts";

export interface Site {
  readonly settings: RegistrationSettings;
  readonly branding: BrandingSettings;
  readonly brand: Brand;
  /** Another one after each change. */
  readonly version: string;
}
