/** The name of a session's device in the owner's list. */

/** Substrings of user agents and their names; the first match here counts. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const systems = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Device and program in a few words, such as "Edge on Windows", from a user agent; undefined for one that is not known. */
export function findDeviceLabel(userAgent: string): string | undefined {
  const parts = [browsers, systems].flatMap((known) => {
    const found = known.find(([sign]) => userAgent.includes(sign));
    return found === undefined ? [] : [found[1]];
  });
  return parts.length === 0 ? undefined : parts.join(" on ");
}

/** The label of one that is not known. */
export const UNKNOWN_DEVICE = "Unknown device";

/** The same, with words for an unknown one. Labels are kept in English. */
export function toDeviceLabel(userAgent: string): string {
  return findDeviceLabel(userAgent) ?? UNKNOWN_DEVICE;
}
