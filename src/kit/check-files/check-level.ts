/**
 * What agents of which release can check. An agent rejects a file with a member that it does not know, so the monitor
 * leaves out what is beyond its level, and marks what only newer agents can do.
 */

import { parsePlainPath } from "../probes/json-path.ts";

/** Of this release. Agents that report no level are of level 1. Raise it when a target gets a new member or kind. */
export const CHECK_LEVEL = 2;

/** Kinds, and members of targets, by the level that knows them first; others are of level 1. */
const kinds: Readonly<Record<string, number>> = { http: 1, tcp: 1, tls: 1, dns: 1, ping: 1 };
const members: Readonly<Record<string, number>> = {
  maxBodyMib: 2,
  bodyType: 2,
  auth: 2,
  username: 2,
  password: 2,
  bearerToken: 2,
  tokenUrl: 2,
  clientId: 2,
  clientSecret: 2,
  scopes: 2,
  audience: 2,
  conditions: 2,
  httpVersion: 2,
  acceptsCertificate: 2,
  ca: 2,
  clientCertificate: 2,
  clientKey: 2,
  proxy: 2,
  proxyUsername: 2,
  proxyPassword: 2,
};

/** Earlier agents reject every other path, and report the target as down. */
function hasJsonPath(json: unknown): boolean {
  const path: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "path") : "";
  return typeof path === "string" && path !== "" && parsePlainPath(path) === undefined;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** The lowest level of agents that can check a target. */
export function levelOf(target: { readonly kind: string }): number {
  const used = Object.entries(target).filter(([, value]) => isSet(value));
  const levels = used.map(([name]) => (Object.hasOwn(members, name) ? (members[name] ?? 1) : 1));
  const jsonLevel = hasJsonPath(Reflect.get(target, "json")) ? 2 : 1;
  return Math.max(kinds[target.kind] ?? CHECK_LEVEL, jsonLevel, ...levels);
}
