/** Shared by the pages of checks: their source, requests, and changes. */
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
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

/** Changes some of a check; what is left out stays. */
export function patchCheck(id: string, change: object): Promise<CheckView> {
  return adminRequest<CheckView>(toCheckPath(id), { method: "PATCH", body: change });
}

/** Groups and tags of all checks. */
export interface CheckNames {
  readonly groups: readonly string[];
  readonly tags: readonly string[];
}
