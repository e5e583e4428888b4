/** Settings that allow addresses in private networks, and which of them would have allowed what was refused. */
import { type PrivateSetting, privateSettings } from "./schema.ts";

/** How a refusal ends; see `AddressRules`. */
export const privateRemedies: Readonly<Record<PrivateSetting, string>> = {
  privateTargets: "allow checks of private networks in the settings",
  privateReceivers: "allow receivers in private networks in the settings",
};

/** The setting that a refusal names; undefined for what was refused for another reason. */
export function findPrivateSetting(refusal: string): PrivateSetting | undefined {
  return privateSettings.find((setting) => refusal.includes(privateRemedies[setting]));
}
