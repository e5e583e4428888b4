/** What the pages of checks know in common: where checks come from, what is sent back, and how they change. */
import type { CheckInput, CheckView } from "../../../monitor/checks/view-schema.ts";
import { adminRequest } from "../../ui/console/session.ts";

export const CHECKS = "/api/admin/checks";

/** The path of one check. */
export function toCheckPath(id: string): string {
  return `${CHECKS}/${encodeURIComponent(id)}`;
}

/** The page of one check. */
export function toCheckPage(id: string): string {
  return `/admin/checks/${encodeURIComponent(id)}`;
}

function pickTarget(target: CheckView["target"]): CheckInput["target"] {
  if (target.kind !== "http") return target;
  // What is sent without a value keeps the stored one.
  return { ...target, headers: target.headers.map(({ name }) => ({ name })) };
}

/** What an administrator set on a check: what a PUT must send back, or it falls to its default. */
export function pickCheck(check: CheckView): CheckInput {
  const { name, group, tags, paused, intervalSeconds, timeoutSeconds, failures, retrySeconds } = check;
  const { inverted, places, note, mute } = check;
  return {
    name,
    group,
    tags,
    target: pickTarget(check.target),
    paused,
    intervalSeconds,
    timeoutSeconds,
    failures,
    retrySeconds,
    inverted,
    places,
    note,
    ...(mute === undefined ? {} : { mute }),
  };
}

/** Replaces all that is set on a check, if nobody else changed it since. */
export function replaceCheck(
  check: Pick<CheckView, "id" | "version">,
  fields: CheckInput,
): Promise<CheckView> {
  const body = { ...fields, version: check.version };
  return adminRequest<CheckView>(toCheckPath(check.id), { method: "PUT", body });
}

/** Changes some of a check; what is left out stays. */
export function patchCheck(id: string, change: object): Promise<CheckView> {
  return adminRequest<CheckView>(toCheckPath(id), { method: "PATCH", body: change });
}

/** Groups and tags of all checks. */
export interface CheckNames {
  readonly groups: readonly string[];
  readonly tags: readonly string[];
}
