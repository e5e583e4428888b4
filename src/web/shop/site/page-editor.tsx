/** One legal page in Markdown, in each language of the shop. */
import { findLanguage } from "../../../kit/text/languages.ts";
import type { JSX } from "preact";
import { pageSchema } from "../../../shop/legal/schema.ts";
import type { AdminSite, PageDrafts } from "../../../shop/settings/answer-schema.ts";
import { useMemo, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { type TextName, currentLanguage, text } from "../../app/texts.ts";
import { Button, Segments, TextField } from "../../ui/controls.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Crumbs, FieldGroup } from "../../ui/console/pieces.tsx";
import { showProblem, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { type Edited, tellSaved } from "../../ui/forms/parsed.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { MarkdownField } from "../ui/markdown-field.tsx";
import { toLanguageName } from "../ui/translations-field.tsx";
import { toPageName } from "./page-names.ts";
import { SITE, type SiteTab, sendSite } from "./site-data.ts";

type PageView = AdminSite["pages"][number];

const bounds = toFields(pageSchema);
const PAGES = "/admin/site?tab=pages";

interface Words {
  readonly title: string;
  readonly body: string;
}
/** By language; the first one of the site is that of the page itself. */
type PageForm = Readonly<Record<string, Words>>;
interface Fields {
  readonly page: PageForm;
}

const none: Words = { title: "", body: "" };

function pickWords({ pages, languages }: AdminSite, slug: string): PageForm {
  const page = pages.find((one) => one.slug === slug);
  const { title, body } = page ?? none;
  const own = { [languages[0] ?? "en"]: { title, body } };
  const others = Object.fromEntries(languages.slice(1).map((language) => [language, none]));
  return { ...own, ...others, ...page?.translations };
}

function isWritten({ title, body }: Words): boolean {
  return title.trim() !== "" || body.trim() !== "";
}

function toPage(form: PageForm, slug: string, own: string): PageView {
  const others = Object.entries(form).filter(([language, words]) => language !== own && isWritten(words));
  const { title, body } = form[own] ?? none;
  return { slug, title, body, ...(others.length === 0 ? {} : { translations: Object.fromEntries(others) }) };
}

/** A title without which a language cannot be kept. */
function findFaults(form: PageForm, own: string): ReadonlyMap<string, TextName> {
  const bare = Object.entries(form).filter(
    ([language, words]) => words.title.trim() === "" && (language === own || isWritten(words)),
  );
  return new Map(bare.map(([language]) => [`/${language}/title`, "admin.fault.title"]));
}

/** Puts a page in its place in the list, or takes it out. */
function replacePage(pages: readonly PageView[], slug: string, page: PageView | undefined): PageView[] {
  const isThere = pages.some((one) => one.slug === slug);
  if (page !== undefined && !isThere) return [...pages, page];
  return pages.flatMap((one) => (one.slug === slug ? (page ?? []) : one));
}

function toEdited(
  slug: string,
  { languages }: AdminSite,
  onSaved: SiteTab["onSaved"],
): Edited<AdminSite, { page: PageForm }, Fields> {
  const own = languages[0] ?? "en";
  return {
    pick: (site) => ({ page: pickWords(site, slug) }),
    toForm: (fields) => fields,
    parse: ({ page }) => {
      const faults = findFaults(page, own);
      return faults.size > 0 ? { ok: false, faults } : { ok: true, fields: { page } };
    },
    send: (from, { page }) =>
      tellSaved(sendSite(from, { pages: replacePage(from.pages, slug, toPage(page, slug, own)) }), onSaved),
    reload: () => adminRequest<AdminSite>(SITE),
  };
}

/** Fills an empty page with what the seller's details say, for pages that can be begun so. */
function DraftButton(props: {
  slug: string;
  language: string;
  onDraft: (words: Words) => void;
}): JSX.Element | null {
  const { slug, language, onDraft } = props;
  const task = useTask();
  const base = language.split("-")[0] ?? "";
  if (!["imprint", "withdrawal"].includes(slug) || findLanguage(base) === undefined) return null;
  async function ask(): Promise<void> {
    const path = `${SITE}/pages/drafts?language=${base}`;
    const { items } = await adminRequest<PageDrafts>(path);
    const draft = items.find((item) => item.slug === slug);
    if (draft !== undefined) onDraft({ title: draft.title, body: draft.body });
  }
  return (
    <div class="button-row">
      <Button icon="edit" disabled={task.busy} onClick={() => void ask().catch(showProblem)}>
        {text("shop.site.page.draft")}
      </Button>
      <span class="field-hint">{text("shop.site.page.draft.hint")}</span>
    </div>
  );
}

/** The form, with a segment for each language. */
export function PageEditor(props: SiteTab & { slug: string }): JSX.Element {
  const { stored, slug, onSaved } = props;
  const [language, setLanguage] = useState(stored.languages[0] ?? currentLanguage());
  const [isRemoving, setRemoving] = useState(false);
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(slug, stored, onSaved), [slug]),
  );
  const { page } = editor.form;
  const words = page[language] ?? none;
  const errors = editor.task.errors;
  const change = (changed: Partial<Words>): void =>
    editor.change({ page: { ...page, [language]: { ...words, ...changed } } });
  const isThere = editor.base.pages.some((one) => one.slug === slug);
  return (
    <>
      <Crumbs to={PAGES} label="shop.site.pages" />
      <EditorForm label={toPageName(slug)} editor={editor} pointers={[`/${language}`]}>
        <FieldGroup title={page[stored.languages[0] ?? ""]?.title || toPageName(slug)}>
          <Segments<string>
            label={text("shop.site.page.language")}
            value={language}
            choices={Object.keys(page).map((value) => ({ value, label: toLanguageName(value) }))}
            onChange={setLanguage}
          />
          <TextField
            label={text("admin.field.title")}
            maxLength={bounds["title"]?.max}
            value={words.title}
            error={findError(errors, `/${language}/title`)}
            onInput={(title) => change({ title })}
          />
          {words.body === "" && <DraftButton slug={slug} language={language} onDraft={change} />}
          <div class="page-text">
            <MarkdownField
              key={language}
              label={text("admin.field.text")}
              maxLength={bounds["body"]?.max ?? 0}
              value={words.body}
              error={findError(errors, `/${language}/body`)}
              onInput={(body) => change({ body })}
            />
          </div>
        </FieldGroup>
      </EditorForm>
      {isThere && (
        <div class="button-row">
          <a class="button" href={`/legal/${slug}`} target="_blank" rel="noopener">
            {text("admin.openPage")}
          </a>
          <Button kind="danger" icon="trash" disabled={editor.dirty} onClick={() => setRemoving(true)}>
            {text("shop.site.page.remove")}
          </Button>
        </div>
      )}
      {isRemoving && (
        <ConfirmTask
          title={text("shop.site.page.remove")}
          action={text("admin.delete")}
          danger
          send={async () => {
            const { base } = editor;
            onSaved(await sendSite(base, { pages: replacePage(base.pages, slug, undefined) }));
            navigate(PAGES, { replace: true });
          }}
          onClose={() => setRemoving(false)}
        >
          {text("shop.site.page.remove.text")}
        </ConfirmTask>
      )}
    </>
  );
}
