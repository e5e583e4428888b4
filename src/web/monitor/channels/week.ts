/** Weeks of a time zone, by what the browser knows of it. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a wall clock shows at an instant, as if it were in UTC; epoch milliseconds. */
type Wall = (now: number) => number;

function toWall(timeZone: string): Wall {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (now) => Date.parse(`${format.format(now).replace(" ", "T")}Z`);
}

/** The first instant at which the wall shows this time or a later one. */
function toInstant(wall: Wall, shown: number): number {
  const guess = shown - (wall(shown) - shown);
  const at = shown - (wall(guess) - guess);
  return wall(at) < shown ? at + HOUR_MS : at;
}

/** Monday to Monday around `now` in an IANA zone; in UTC where there is no such zone. Epoch milliseconds. */
export function findWeek(now: number, timeZone: string): { readonly from: number; readonly to: number } {
  let wall: Wall;
  try {
    wall = toWall(timeZone);
  } catch {
    wall = toWall("UTC");
  }
  const today = Math.floor(wall(now) / DAY_MS) * DAY_MS;
  // 1970-01-01 was a Thursday.
  const monday = today - ((today / DAY_MS + 3) % 7) * DAY_MS;
  return { from: toInstant(wall, monday), to: toInstant(wall, monday + 7 * DAY_MS) };
}
