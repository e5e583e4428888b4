/** The words of mails as administrators changed them, and how values are put into them: as text, never as HTML or as another place to fill. */
import { fillText } from "../../kit/text/fill-text.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { keepFormats } from "../base/formats.ts";
import { mailTemplates } from "./records.ts";
import type { MailPart } from "./mail-layout.ts";
import { type MailTemplate, type TemplateKind, getKindSpec, toDefaultTemplate } from "./template-kinds.ts";

/** Values for an email. */
export interface MailFilling {
  readonly values: Readonly<Record<string, string>>;
  readonly blocks: Readonly<Record<string, readonly MailPart[]>>;
}

/** A mail without the shop's name around it. */
export interface FilledMail {
  readonly subject: string;
  readonly title: string;
  readonly parts: readonly MailPart[];
}

const PLACE = /\{(\w+)\}/gu;
const ONLY_PLACE = /^\{(\w+)\}$/u;

function splitParagraphs(words: string): string[] {
  return words
    .split("\n\n")
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

/** A paragraph, and the name of the place that is all of it, if it is one. */
interface Paragraph {
  readonly words: string;
  readonly place: string | undefined;
}

const kept = keepFormats<readonly Paragraph[]>();

/** The paragraphs of a text; a text is taken apart once for all mails. */
function toParagraphs(words: string): readonly Paragraph[] {
  return kept(words, () =>
    splitParagraphs(words).map((one) => ({ words: one, place: ONLY_PLACE.exec(one)?.[1] })),
  );
}

function namesIn(words: string): string[] {
  return Array.from(words.matchAll(PLACE), ([, name = ""]) => name);
}

/** Refuses names that nothing fills in, blocks inside a sentence, and texts that lack a block which they need. Throws `invalid`. */
export function checkTemplate(kind: TemplateKind, { subject, text: body }: MailTemplate): void {
  const { values, blocks, needed } = getKindSpec(kind);
  const errors: FieldError[] = [];
  const add = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "invalid", message });
  };
  const unknown = namesIn(subject).find((name) => !values.includes(name));
  if (unknown !== undefined)
    add(
      "/subject",
      `contains {${unknown}}. Supported placeholders: ${values.map((name) => `{${name}}`).join(", ")}`,
    );
  const paragraphs = splitParagraphs(body);
  const alone = new Set(paragraphs.flatMap((paragraph) => ONLY_PLACE.exec(paragraph)?.[1] ?? []));
  const all = [...values, ...blocks].map((name) => `{${name}}`).join(", ");
  for (const name of new Set(namesIn(body)))
    if (!values.includes(name) && !blocks.includes(name))
      add("/text", `contains {${name}}. Supported placeholders: ${all}`);
  for (const paragraph of paragraphs.filter((one) => !ONLY_PLACE.test(one)))
    for (const name of namesIn(paragraph))
      if (blocks.includes(name)) add("/text", `{${name}} must be in its own paragraph`);
  for (const name of needed) if (!alone.has(name)) add("/text", `lacks {${name}}`);
  if (errors.length > 0) throw new AppError("invalid", "The email template is invalid", { errors });
}

/** Fills a template, each place once: what a value holds is never filled again. */
export function fillMail(
  { subject, text: body, title = subject }: MailTemplate,
  { values, blocks }: MailFilling,
): FilledMail {
  const parts = toParagraphs(body).flatMap(({ words, place }): readonly MailPart[] => {
    if (place !== undefined && Object.hasOwn(blocks, place)) return blocks[place] ?? [];
    const filled = fillText(words, values);
    return filled.trim() === "" ? [] : [{ kind: "paragraph", text: filled }];
  });
  return { subject: fillText(subject, values), title: fillText(title, values), parts };
}

/** The id of a template's record. */
export function toTemplateId(kind: TemplateKind, language: string): string {
  return `${kind} ${language}`;
}

/** The words of a kind of mail as they are in this transaction. */
export async function readTemplate(tx: ReadTx, kind: TemplateKind, language: string): Promise<MailTemplate> {
  const changed = await tx.get(mailTemplates, toTemplateId(kind, language));
  return changed ?? toDefaultTemplate(kind, language);
}
