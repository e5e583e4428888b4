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

/** Device and program in a few words, such as "Edge on Windows", from a user agent. */
export function toDeviceLabel(userAgent: string): string {
  const parts = [browsers, systems].flatMap((known) => {
    const found = known.find(([sign]) => userAgent.includes(sign));
    return found === undefined ? [] : [found[1]];
  });
  return parts.length === 0 ? "Unknown device" : parts.join(" on ");
}
