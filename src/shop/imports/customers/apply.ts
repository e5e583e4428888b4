/** Stores an imported customer, and takes one back. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";
import type { Tx } from "../../../store/store.ts";
import { putCustomer } from "../../customers/customers.ts";
import { toGuestId } from "../../customers/identity.ts";
import { customerProfileRecordSchema } from "../../customers/profile-schema.ts";
import { putProfile } from "../../customers/profiles.ts";
import { customerProfiles, customers } from "../../customers/records.ts";
import type { CustomerRecord } from "../../customers/schema.ts";
import { keepItem } from "../items.ts";
import type { Applied, ApplyOptions, Undone } from "../kind.ts";
import { say } from "../said.ts";
import type { ImportItemRecord } from "../schema.ts";
import type { CustomerDraft } from "./draft.ts";

const MAX_NOTE = 4_000;

/** The note as it becomes: what is there stays. */
function addNote(before: string, imported: string): string {
  if (imported === "" || before.includes(imported)) return before;
  return (before === "" ? imported : `${before}\n\n${imported}`).slice(0, MAX_NOTE);
}

export async function applyCustomer(
  tx: Tx,
  { line, email, note, fields, foreign }: CustomerDraft,
  { record, number, nowMs, box }: ApplyOptions,
): Promise<Applied> {
  const id = toGuestId(box, email);
  const own = await tx.get(customers, id);
  if (own?.erasing !== undefined) {
    const { message, text } = say("import.customer.erased");
    throw new AppError("conflict", message, { details: { text } });
  }
  const before = await tx.get(customerProfiles, id);
  if (before !== undefined && !record.options.updateExisting) return { outcome: "skipped" };
  const profile = await putProfile(tx, before, { id, email, nowMs, fields });
  const after = addNote(own?.note ?? "", note);
  if (after !== (own?.note ?? "")) await putCustomer(tx, id, { note: after, nowMs });
  const outcome = before === undefined ? "created" : "changed";
  await keepItem(tx, {
    importId: record.id,
    number,
    line,
    outcome,
    target: profile,
    title: email,
    before: { profile: before, note: { before: own?.note ?? "", after } },
    foreign,
  });
  return { outcome };
}

const beforeSchema = z.object({
  profile: customerProfileRecordSchema.optional(),
  note: z.object({ before: z.string(), after: z.string() }),
});

/** Nothing but the note that the import wrote. */
function isNoteAlone({ blocked, erasing, note }: CustomerRecord): boolean {
  return blocked === undefined && erasing === undefined && note === "";
}

export async function undoCustomer(
  tx: Tx,
  { targetId, afterVersion, before }: ImportItemRecord,
  { nowMs }: { readonly nowMs: number; readonly box: SecretBox },
): Promise<Undone> {
  const profile = await tx.get(customerProfiles, targetId);
  if (profile === undefined) return { undo: "removed" };
  const kept = beforeSchema.parse(JSON.parse(before ?? "{}"));
  if (profile.version !== afterVersion) {
    const isJoined = profile.account !== undefined && kept.profile?.account === undefined;
    return { undo: "kept", reason: say(isJoined ? "import.undo.joined" : "import.undo.changed") };
  }
  const own = await tx.get(customers, targetId);
  if (own !== undefined && own.note === kept.note.after && kept.note.after !== kept.note.before) {
    const restored = { ...own, note: kept.note.before };
    await (isNoteAlone(restored)
      ? tx.remove(customers, targetId)
      : putCustomer(tx, targetId, { note: restored.note, nowMs }));
  }
  if (kept.profile === undefined) {
    await tx.remove(customerProfiles, targetId);
    return { undo: "removed" };
  }
  await tx.put(customerProfiles, { ...kept.profile, version: profile.version, updatedAt: nowMs });
  return { undo: "restored" };
}
