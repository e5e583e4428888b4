/** Applications, and the groups that may use them, as the administration's routes give them. */
import { useEffect } from "preact/hooks";
import type { ClientFields } from "../../../auth/applications/schema.ts";
import { type Pages, usePages } from "../../ui/console/paged.ts";

export interface ApplicationView extends ClientFields {
  readonly id: string;
  readonly enabled: boolean;
  /** Two secrets are good now. */
  readonly hasOlderSecret: boolean;
  readonly createdAt: string;
  readonly version: number;
}

export const APPLICATIONS = "/api/admin/clients";
export const GROUPS = "/api/admin/groups";

/** Every item of the list at `path`, page after page. */
export function useEvery<T>(path: string): Pages<T> {
  const pages = usePages<T>(`${path}?limit=200`);
  useEffect(() => {
    if (pages.hasMore && !pages.busy && pages.error === undefined) pages.more();
  });
  return pages;
}

/** An id that a name suggests; "" when it has no Latin letters or digits. */
export function suggestId(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/gu);
  return (words ?? []).join("-").slice(0, 64);
}
