/** Denied visitors of an application behind a proxy: recorded with the application, where administrators find them. */
import type { Administration } from "../../administrators/administrators.ts";
import type { MissingStep } from "../../applications/may-use.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import type { Caller } from "../../base/caller.ts";
import type { Subject } from "../../sessions/subject.ts";
import type { Refusals } from "../../refusals/refusals.ts";

export type NoteDenial = ReturnType<typeof createDenials>;

/** Creates what notes it, and resolves with the address of the reason for an administrator. */
export function createDenials({
  refusals,
  administration,
  issuer,
}: {
  readonly refusals: Pick<Refusals, "note">;
  readonly administration: Pick<Administration, "findRefusal">;
  readonly issuer: string;
}) {
  return async (
    { id, enabled }: ClientRecord,
    { subject, missing }: { subject: Subject; missing: MissingStep },
    caller: Caller,
  ): Promise<string | undefined> => {
    const userId = subject.user.id;
    if (!enabled) refusals.note(id, { reason: "switched_off", userId }, caller);
    else if (missing === "group") refusals.note(id, { reason: "group", userId }, caller);
    else refusals.note(id, { reason: "policy", sent: missing, userId }, caller);
    const isAdmin = (await administration.findRefusal(subject)) === undefined;
    return isAdmin ? `${issuer}/admin/applications/${id}` : undefined;
  };
}
