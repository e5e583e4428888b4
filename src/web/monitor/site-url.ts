/** The public URL of the monitor from the settings. */
import type { SettingsView } from "../../monitor/site/schema.ts";

export type SiteAddress = Pick<SettingsView, "publicUrl" | "environment">;

/** Whether anybody said where that is. */
export function hasAddress({ publicUrl, environment }: SiteAddress): boolean {
  return publicUrl !== "" || environment.publicUrl !== undefined;
}
