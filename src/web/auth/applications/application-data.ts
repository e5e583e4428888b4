/** Where applications and groups are, and what their pages share. */
import { useEffect } from "preact/hooks";
import { type Pages, usePages } from "../../ui/console/paged.ts";

export const APPLICATIONS = "/api/admin/clients";
export const GROUPS = "/api/admin/groups";

/** Where an application is. */
export function toApplicationPath(id: string): string {
  return `${APPLICATIONS}/${id}`;
}

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
