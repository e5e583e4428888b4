/** How long what a sign-in opened lives. */
import { type Governed, toPolicy } from "./policy.ts";
import { ACCESS_MINUTES, type AccessRules, MAX_ACCESS_MINUTES } from "../base/policy-schema.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Life of an access token; short, because it is all that its holder needs. */
export const ACCESS_MS = ACCESS_MINUTES * MINUTE_MS;
/** The longest that a policy allows. */
export const MAX_ACCESS_MS = MAX_ACCESS_MINUTES * MINUTE_MS;
export const IDLE_MS = 14 * DAY_MS;
const ABSOLUTE_MS = 30 * DAY_MS;
/** Without use for so long, an offline session ends. */
const OFFLINE_IDLE_MS = 30 * DAY_MS;
/** However it is used: refresh tokens need an absolute end (ASVS 5.0, 10.4.8). */
const OFFLINE_ABSOLUTE_MS = 365 * DAY_MS;

/** In milliseconds. */
export interface Lifetimes {
  readonly accessMs: number;
  /** Of a refresh token without use. */
  readonly idleMs: number;
  /** Of the whole session. */
  readonly absoluteMs: number;
}

/** Of sign-ins at the center itself. */
export const ownLifetimes: Lifetimes = { accessMs: ACCESS_MS, idleMs: IDLE_MS, absoluteMs: ABSOLUTE_MS };

/** Of what an application gets. */
export function toLifetimes(client: Governed, rules: AccessRules, isOffline: boolean): Lifetimes {
  const { accessTokenMinutes, refreshTokenDays, sessionDays } = toPolicy(client, rules);
  return {
    accessMs: accessTokenMinutes * MINUTE_MS,
    idleMs: refreshTokenDays > 0 ? refreshTokenDays * DAY_MS : isOffline ? OFFLINE_IDLE_MS : IDLE_MS,
    absoluteMs: sessionDays > 0 ? sessionDays * DAY_MS : isOffline ? OFFLINE_ABSOLUTE_MS : ABSOLUTE_MS,
  };
}
