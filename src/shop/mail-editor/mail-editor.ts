/** The words of mails as an administrator reads, changes, previews and tries them. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { composeMail } from "../mails/mails.ts";
import {
  type MailLanguage,
  type MailTemplate,
  type TemplateKind,
  getKindSpec,
  mailLanguages,
  templateKindNames,
  toDefaultTemplate,
} from "../mails/template-kinds.ts";
import { checkTemplate, fillMail, readTemplate, toTemplateId } from "../mails/templates.ts";
import { mailTemplates } from "../mails/records.ts";
import { toAddresses } from "../site/schema.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import type { Actor } from "../users/caller.ts";
import { toSample } from "./samples.ts";

/** Which words: of a kind of mail in a language. */
export interface WordsName {
  readonly kind: TemplateKind;
  readonly language: MailLanguage;
}

/** The words of a kind of mail. */
export interface MailWording extends WordsName, Pick<MailTemplate, "subject" | "text"> {
  readonly isChanged: boolean;
  /** 0 if they were never changed. */
  readonly version: number;
  readonly values: readonly string[];
  readonly blocks: readonly string[];
  readonly needed: readonly string[];
}

/** Words to try instead of those that are kept. */
export type TriedWords = Partial<Pick<MailTemplate, "subject" | "text">>;

async function readWording(tx: ReadTx, { kind, language }: WordsName): Promise<MailWording> {
  const changed = await tx.get(mailTemplates, toTemplateId(kind, language));
  const { subject, text } = changed ?? toDefaultTemplate(kind, language);
  const { values, blocks, needed } = getKindSpec(kind);
  const version = changed?.version ?? 0;
  return { kind, language, subject, text, isChanged: version > 0, version, values, blocks, needed };
}

function assertPresent(present: number, expected: number | undefined): void {
  if (expected === undefined || expected === present) return;
  throw new AppError("stale_version", "Someone else changed this template. Reload it and try again", {
    details: { currentVersion: present },
  });
}

type Deps = Pick<ShopDeps, "store" | "clock" | "outbox" | "publicUrl" | "box">;

/** A mail with sample values, as it would be sent. */
async function compose(tx: ReadTx, { clock, publicUrl, box }: Deps, name: WordsName, tried: TriedWords) {
  const { kind, language } = name;
  const kept = await readTemplate(tx, kind, language);
  const isTried = tried.subject !== undefined || tried.text !== undefined;
  const template = isTried ? { subject: kept.subject, text: kept.text, ...tried } : kept;
  checkTemplate(kind, template);
  const site = await readSite(tx);
  const filled = fillMail(template, toSample(kind, { site, publicUrl, box, language, nowMs: clock.now() }));
  const { language: spoken, words } = findMailWords(language);
  return composeMail(site, { ...filled, language: spoken, cutNote: words.cut });
}

export type MailEditor = ReturnType<typeof createMailEditor>;

export function createMailEditor(deps: Deps) {
  const { store, clock, outbox } = deps;
  return {
    /** All kinds in the languages of the site. */
    list: (): Promise<MailWording[]> =>
      store.read(async (tx) => {
        const { languages } = await readSite(tx);
        const spoken = new Set(languages.map((tag) => findMailWords(tag).language));
        const all: MailWording[] = [];
        for (const kind of templateKindNames)
          for (const language of mailLanguages)
            if (spoken.has(language)) all.push(await readWording(tx, { kind, language }));
        return all;
      }),
    get: (name: WordsName): Promise<MailWording> => store.read((tx) => readWording(tx, name)),
    /** Mails that wait already stay as they were written. Throws `invalid`, `stale_version`. */
    put: (
      name: WordsName,
      fields: Pick<MailTemplate, "subject" | "text">,
      { actor, ifMatch }: { readonly actor: Actor; readonly ifMatch: number | undefined },
    ): Promise<MailWording> => {
      checkTemplate(name.kind, fields);
      return store.transact(async (tx) => {
        const id = toTemplateId(name.kind, name.language);
        const before = await tx.get(mailTemplates, id);
        assertPresent(before?.version ?? 0, ifMatch);
        const { subject, text } = fields;
        const words = { subject, text, changedAt: clock.now() };
        if (before === undefined) await tx.insert(mailTemplates, { id, ...words });
        else await tx.put(mailTemplates, { ...before, ...words });
        await writeAudit(tx, { actor, action: "mail.change", target: id }, clock);
        return readWording(tx, name);
      });
    },
    /** Back to the first wording; once more changes nothing. */
    reset: (name: WordsName, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        const id = toTemplateId(name.kind, name.language);
        if ((await tx.get(mailTemplates, id)) === undefined) return;
        await tx.remove(mailTemplates, id);
        await writeAudit(tx, { actor, action: "mail.reset", target: id }, clock);
      }),
    /** Throws `invalid` for words that could not be kept. */
    preview: (name: WordsName, tried: TriedWords = {}) => store.read((tx) => compose(tx, deps, name, tried)),
    /**
     * Sends a sample to one of the shop's own addresses.
     * @throws AppError `conflict` without such an address, `invalid` for another one
     */
    sendTest: (name: WordsName, { to, actor }: { readonly to: string | undefined; readonly actor: Actor }) =>
      store.transact(async (tx) => {
        const addresses = toAddresses((await readSmtp(tx)).adminAddress);
        const recipient = to ?? addresses[0];
        if (recipient === undefined)
          throw new AppError(
            "conflict",
            "No admin address is set. Set adminAddress in the mail settings first",
          );
        if (!addresses.includes(recipient))
          throw new AppError("invalid", "Test emails can be sent only to the email addresses of the shop", {
            errors: [
              {
                pointer: "/to",
                code: "invalid",
                message: "must be one of the email addresses in adminAddress",
              },
            ],
          });
        const mail = await compose(tx, deps, name, {});
        await outbox.enqueue(tx, { ...mail, kind: "mail_test", to: recipient });
        const target = toTemplateId(name.kind, name.language);
        await writeAudit(tx, { actor, action: "mail.test", target, changes: [recipient] }, clock);
        return recipient;
      }),
  };
}
