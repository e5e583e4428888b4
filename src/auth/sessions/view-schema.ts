/** Sessions as administrators see them: the type of answers. */
import type { SessionRecord } from "./schema.ts";

export type AdminSessionView = Pick<
  SessionRecord,
  "id" | "label" | "clientId" | "ipPrefix" | "impersonatedBy"
> & { readonly lastSeenAt: string };
