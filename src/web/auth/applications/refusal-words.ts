/** A refusal in words: how an address differs from the registered one that is most like it. */

/** The common beginning and end of both, and their difference. */
export interface Parted {
  readonly registered: string;
  readonly before: string;
  readonly sentPart: string;
  readonly registeredPart: string;
  readonly after: string;
}

/** The difference, if one word describes it. */
export type Difference = "scheme" | "host" | "port" | "slash" | "case" | "path" | "query";

function countSame(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one[same] === other[same]) same += 1;
  return same;
}

function countSameAtEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one.at(-1 - same) === other.at(-1 - same)) same += 1;
  return same;
}

function part(sent: string, registered: string): Parted {
  const start = countSame(sent, registered);
  const end = countSameAtEnd(sent.slice(start), registered.slice(start));
  return {
    registered,
    before: sent.slice(0, start),
    sentPart: sent.slice(start, sent.length - end),
    registeredPart: registered.slice(start, registered.length - end),
    after: end === 0 ? "" : sent.slice(-end),
  };
}

/** The registered address that has most in common with what was sent; undefined when none is registered. */
export function findNearest(sent: string, registered: readonly string[]): Parted | undefined {
  const parted = registered.map((address) => part(sent, address));
  const toShare = ({ before, after, registered: { length } }: Parted): number =>
    (before.length + after.length) / Math.max(length, sent.length, 1);
  return parted.toSorted((one, other) => toShare(other) - toShare(one))[0];
}

/** The first difference of two URLs; undefined for invalid ones. */
export function findDifference(sent: string, registered: string): Difference | undefined {
  if (!URL.canParse(sent) || !URL.canParse(registered)) return undefined;
  if (`${sent}/` === registered || sent === `${registered}/`) return "slash";
  if (sent.toLowerCase() === registered.toLowerCase()) return "case";
  const [one, other] = [new URL(sent), new URL(registered)];
  if (one.hostname !== other.hostname) return "host";
  if (one.protocol !== other.protocol) return "scheme";
  if (one.port !== other.port) return "port";
  return one.pathname === other.pathname ? "query" : "path";
}
