/** One entry of another program's file on its way to a check. */
import { type CheckInput, checkInputSchema } from "../view-schema.ts";
import { type ImportNote, type NoteCode, toNote } from "./notes.ts";

/** An entry of the file, and what becomes of it. */
export interface ImportEntry {
  /** As the file calls it; "" when it does not. */
  readonly name: string;
  /** Its type there: "keyword", "https". */
  readonly type: string;
  /** The check; absent when none can be made. */
  readonly check?: CheckInput;
  /** Of a heartbeat that keeps its token. */
  readonly pingKey?: string;
  /** Whether it is a group of which no check is made. */
  readonly isGroup: boolean;
  /** Why there is no check, or how it differs. */
  readonly notes: readonly ImportNote[];
}

export interface ImportPlan {
  readonly entries: readonly ImportEntry[];
  /** Members of the file that are not imported: "notificationList", "alerting". */
  readonly leftOut: readonly string[];
}

/** Any object of a file. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; empty for all else. */
export function toFields(value: unknown): Fields {
  // `as`: an object that is no array has texts for names.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as a list; empty for all else. */
export function toList(value: unknown): readonly unknown[] {
  // `as`: isArray says any.
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The value as text: numbers count as such. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A finite number, also one in a text; undefined for all else. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Databases say 1 and 0. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === "1" || value === "true";
}

/** Collects a check's fields and what is said of it. */
export class EntryDraft {
  readonly name: string;
  readonly type: string;
  readonly fields: Record<string, unknown> = {};
  readonly #notes: ImportNote[] = [];
  #isLeftOut = false;
  pingKey: string | undefined;

  constructor(name: string, type: string) {
    this.name = name;
    this.type = type;
  }

  note(code: NoteCode, value?: string): void {
    this.#notes.push(toNote(code, value));
  }

  leaveOut(code?: NoteCode, value?: string): void {
    this.#isLeftOut = true;
    if (code !== undefined) this.note(code, value);
  }

  /** Within what can be; says so when it is another number then. */
  setSeconds(
    field: "intervalSeconds" | "timeoutSeconds" | "failures",
    given: number,
    { from, to, code }: { from: number; to: number; code: NoteCode },
  ): void {
    const value = Math.min(to, Math.max(from, Math.round(given)));
    this.fields[field] = value;
    if (given < from || given > to) this.note(code, String(value));
  }

  setInterval(seconds: number): void {
    this.setSeconds("intervalSeconds", seconds, { from: 20, to: 86_400, code: "other_interval" });
  }

  setTimeout(seconds: number): void {
    // Another number of whole seconds is not worth a word.
    this.setSeconds("timeoutSeconds", Math.max(1, seconds), { from: 1, to: 60, code: "other_timeout" });
  }

  setFailures(count: number): void {
    this.setSeconds("failures", Math.max(1, count), { from: 1, to: 10, code: "other_failures" });
  }

  /** Tags of 32 characters, 16 of them, each once. */
  setTags(tags: readonly string[]): void {
    const kept: string[] = [];
    for (const tag of tags) {
      const trimmed = tag.trim();
      if (trimmed === "" || kept.includes(trimmed)) continue;
      if (trimmed.length > 32 || kept.length === 16) this.note("fewer_tags", trimmed);
      else kept.push(trimmed);
    }
    this.fields["tags"] = kept;
  }

  #nameFields(): { name: string; group: string } {
    const name = this.name.trim();
    const group = toText(this.fields["group"]).trim();
    const cut = { name: name.slice(0, 100).trim(), group: group.slice(0, 64).trim() };
    if (cut.name !== name || cut.group !== group) this.note("other_name");
    return cut;
  }

  /** The entry as it is now: with a check, if what was collected makes one. */
  finish(): ImportEntry {
    const { name, type, pingKey } = this;
    const shared = { name, type, isGroup: false };
    if (this.#isLeftOut) return { ...shared, notes: this.#notes };
    const parsed = checkInputSchema.safeParse({ ...this.fields, ...this.#nameFields() });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      this.note("does_not_fit", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
      return { ...shared, notes: this.#notes };
    }
    const key = pingKey === undefined ? {} : { pingKey };
    return { ...shared, check: parsed.data, ...key, notes: this.#notes };
  }
}
