/** What a session's device is called in the owner's list. */

/** What user agents say of themselves and what it is called; who says several things is meant by the first here. */
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

const UNKNOWN = "Unknown device";

/** The same, with words for an unknown one. Labels are kept in English. */
export function toDeviceLabel(userAgent: string): string {
  return findDeviceLabel(userAgent) ?? UNKNOWN;
}

/** How a language calls devices. */
export interface DeviceWords {
  readonly unknown: string;
  readonly onSystem: (parts: { browser: string; system: string }) => string;
}

/** A label in the words of a language; what is no label stays as it is. */
export function translateDeviceLabel(label: string, { unknown, onSystem }: DeviceWords): string {
  if (label === UNKNOWN) return unknown;
  const [, browser, system] = /^(\w+) on (\w+)$/u.exec(label) ?? [];
  return browser === undefined || system === undefined ? label : onSystem({ browser, system });
}
