/** Settings that allow addresses in private networks, and which of them would have allowed what was refused. */
import { type PrivateSetting, type RemedySetting, privateSettings } from "./schema.ts";

/** How a refusal ends; see `AddressRules`. */
export const privateRemedies: Readonly<Record<PrivateSetting, string>> = {
  privateTargets: "allow checks of private networks in the settings",
  privateReceivers: "allow receivers in private networks in the settings",
};

/** The setting that a refusal names; undefined for what was refused for another reason. */
export function findPrivateSetting(refusal: string): PrivateSetting | undefined {
  return privateSettings.find((setting) => refusal.includes(privateRemedies[setting]));
}

/** Why emails cannot be sent. */
export const NO_MAIL_SERVER = "No mail server is configured. Add one in the settings";

/** What must be set before a notification that failed for this reason can be sent. */
export function findRemedy(reason: string): RemedySetting | undefined {
  return reason.includes(NO_MAIL_SERVER) ? "mailServer" : findPrivateSetting(reason);
}

/** Details of a problem document for what a setting would allow. */
export function lacking(setting: RemedySetting): { details: { setting: RemedySetting } } {
  return { details: { setting } };
}
