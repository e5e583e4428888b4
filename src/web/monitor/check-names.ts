/** The checks that there are, as far as scopes name them. */
import { useEffect, useState } from "preact/hooks";
import type { CheckRecord } from "../../monitor/checks/schema.ts";
import type { PageAnswer } from "../ui/console/paged.ts";
import { adminRequest } from "../ui/console/session.ts";

/** The part of a server or check that scopes use. */
export type Named = Pick<CheckRecord, "id" | "name" | "group" | "tags">;

/** As many as a scope can name. */
const MAX_NAMED = 1_000;
const PAGE_SIZE = 200;

async function fetchChecks(): Promise<readonly Named[]> {
  const found: Named[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      limit: String(PAGE_SIZE),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const page = await adminRequest<PageAnswer<Named>>(`/api/admin/checks?${query.toString()}`);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < MAX_NAMED);
  return found;
}

/** The first 1,000 checks by group and name; none until they are there, or when they cannot be had. */
export function useCheckNames(): readonly Named[] {
  const [checks, setChecks] = useState<readonly Named[]>([]);
  useEffect(() => {
    fetchChecks().then(setChecks, () => undefined);
  }, []);
  return checks;
}
