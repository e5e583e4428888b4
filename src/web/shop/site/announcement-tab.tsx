/** What stands above every page of the shop for a while, in each of its languages. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type TextName, text, withHint } from "../../app/texts.ts";
import { SelectField, TextField } from "../../ui/controls.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { bindText } from "../../ui/forms/bind.ts";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";
import { errorsBelow } from "../../ui/forms/field-errors.ts";
import { TranslationsField } from "../ui/translations-field.tsx";
import type { TypedTranslations } from "../../ui/forms/translations.ts";
import { type AnnouncementView, SITE, type SiteView, sendSite, whenSent } from "./site-data.ts";

interface AnnouncementForm {
  readonly text: string;
  readonly translations: TypedTranslations;
  readonly level: AnnouncementView["level"];
  readonly startsAt: string;
  readonly endsAt: string;
}

/** `null`: none is shown. */
interface Fields {
  readonly announcement: AnnouncementView | null;
}

function toForm({ announcement }: Fields): AnnouncementForm {
  const words = Object.entries(announcement?.translations ?? {});
  return {
    text: announcement?.text ?? "",
    translations: Object.fromEntries(words.map(([language, said]) => [language, { text: said }])),
    level: announcement?.level ?? "info",
    startsAt: toDateTimeText(announcement?.startsAt),
    endsAt: toDateTimeText(announcement?.endsAt),
  };
}

function parse(
  form: AnnouncementForm,
  before: Fields,
): ReturnType<Edited<SiteView, AnnouncementForm, Fields>["parse"]> {
  const faults = new Map<string, TextName>();
  const readTime = (name: "startsAt" | "endsAt"): string | undefined => {
    if (form[name] === "") return undefined;
    const time = parseLocal(form[name], before.announcement?.[name]);
    if (time === undefined) faults.set(`/announcement/${name}`, "admin.fault.moment");
    return time;
  };
  const [startsAt, endsAt] = [readTime("startsAt"), readTime("endsAt")];
  if (startsAt !== undefined && endsAt !== undefined && Date.parse(endsAt) <= Date.parse(startsAt))
    faults.set("/announcement/endsAt", "admin.fault.after");
  if (faults.size > 0) return { ok: false, faults };
  if (form.text.trim() === "") return { ok: true, fields: { announcement: null } };
  const translations = Object.fromEntries(
    Object.entries(form.translations).map(([language, words]) => [language, words["text"] ?? ""]),
  );
  const { level } = form;
  return {
    ok: true,
    fields: {
      announcement: {
        text: form.text.trim(),
        level,
        ...(Object.values(translations).some((said) => said !== "") ? { translations } : {}),
        ...(startsAt === undefined ? {} : { startsAt }),
        ...(endsAt === undefined ? {} : { endsAt }),
      },
    },
  };
}

const edited: Edited<SiteView, AnnouncementForm, Fields> = {
  pick: ({ announcement }) => ({ announcement }),
  toForm,
  parse,
  send: (from, { announcement }) => {
    // Members are merged with those that are there: what is not said any more has to be taken away.
    const body = announcement && { startsAt: null, endsAt: null, ...announcement };
    return sendSite(from, { announcement: body });
  },
  reload: () => adminRequest<SiteView>(SITE),
};

/** The form. */
export function AnnouncementTab({ stored, onSaved }: { stored: SiteView; onSaved: () => void }): JSX.Element {
  const editor = useEditor(
    stored,
    useMemo(() => whenSent(edited, onSaved), []),
  );
  const { form, task, change } = editor;
  const part = { form, errors: task.errors, onChange: change };
  return (
    <EditorForm label={text("shop.site.announcement")} editor={editor} pointers={["/announcement"]}>
      <FieldGroup title={text("shop.site.announcement")} hint={text("shop.site.announcement.hint")}>
        <TextField
          label={text("shop.site.announcement.text")}
          long
          maxLength={2_000}
          {...bindText(part, "text", "/announcement/text")}
        />
        <SelectField<AnnouncementView["level"]>
          label={text("admin.column.kind")}
          value={form.level}
          choices={[
            { value: "info", label: text("shop.site.announcement.info") },
            { value: "warning", label: text("shop.site.announcement.warning") },
          ]}
          onChange={(level) => change({ level })}
        />
        <div class="field-row">
          <TextField
            {...withHint("shop.site.announcement.starts")}
            type="datetime-local"
            {...bindText(part, "startsAt", "/announcement/startsAt")}
          />
          <TextField
            {...withHint("shop.site.announcement.ends")}
            type="datetime-local"
            {...bindText(part, "endsAt", "/announcement/endsAt")}
          />
        </div>
      </FieldGroup>
      <FieldGroup title={text("shop.site.translations")} hint={text("shop.site.translations.hint")}>
        <TranslationsField
          languages={stored.languages}
          words={[{ name: "text", label: text("shop.site.announcement.text"), long: true, maxLength: 2_000 }]}
          own={{ text: form.text }}
          value={form.translations}
          errorAt={errorsBelow(task.errors, "/translations")}
          onChange={(translations) => change({ translations })}
        />
      </FieldGroup>
    </EditorForm>
  );
}
