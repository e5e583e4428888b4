/** What the settings say of where people reach the monitor. */
import type { SettingsView } from "../../monitor/site/schema.ts";

export type SiteAddress = Pick<SettingsView, "publicUrl" | "environment">;

/** Whether anybody said where that is. */
export function hasAddress({ publicUrl, environment }: SiteAddress): boolean {
  return publicUrl !== "" || environment.publicUrl !== undefined;
}
