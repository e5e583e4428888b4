/** The words of a kind of mail in a language, and how they are edited. */
import type { TextName } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";

export const MAILS = "/api/admin/mails";

/** One of GET /api/admin/mails. */
export interface WordsSummary {
  readonly kind: string;
  readonly language: string;
  readonly subject: string;
  readonly isChanged: boolean;
}

export interface WordsView extends WordsSummary {
  readonly text: string;
  readonly version: number;
  /** What is filled in within a sentence. */
  readonly values: readonly string[];
  /** What is filled in as a paragraph of its own. */
  readonly blocks: readonly string[];
  /** Blocks that the text must have. */
  readonly needed: readonly string[];
}

/** What is typed and sent. */
export interface Words {
  readonly subject: string;
  readonly text: string;
}

/** Where words are. */
export function toWordsPath(
  { kind, language }: Pick<WordsSummary, "kind" | "language">,
  action = "",
): string {
  return `${MAILS}/${kind}/${language}${action}`;
}

/** How words are edited. */
export function toEdited(onSaved: () => void): Edited<WordsView, Words, Words> {
  return {
    pick: ({ subject, text }) => ({ subject, text }),
    toForm: (words) => words,
    parse: (form) => {
      const faults = new Map<string, TextName>();
      if (form.subject.trim() === "") faults.set("/subject", "admin.fault.empty");
      if (form.text.trim() === "") faults.set("/text", "admin.fault.empty");
      return faults.size > 0 ? { ok: false, faults } : { ok: true, fields: form };
    },
    send: (from, body) =>
      adminRequest<WordsView>(toWordsPath(from), { method: "PUT", body, version: from.version }).finally(
        onSaved,
      ),
    reload: (from) => adminRequest<WordsView>(toWordsPath(from)),
  };
}
