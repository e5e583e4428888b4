/** Logo, colours and the owner's own style sheet. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { accentThemes, findAccentFault } from "../../../kit/brand/accent.ts";
import { type TextName, text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { AccentFields } from "../../ui/forms/accent-fields.tsx";
import { bindText } from "../../ui/forms/bind.ts";
import { LogoField } from "../../ui/forms/logo-field.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { SITE, type SiteView, sendSite, whenSent } from "./site-data.ts";

type Look = SiteView["branding"];

function findFaults({ accent }: Look): ReadonlyMap<string, TextName> {
  const faults = new Map<string, TextName>();
  for (const theme of accentThemes) {
    const colour = accent[theme].trim();
    const isColour = /^#[\da-f]{6}$/iu.test(colour);
    if (colour !== "" && !isColour) faults.set(`/branding/accent/${theme}`, "admin.fault.colour");
    if (isColour && findAccentFault(colour, theme) !== undefined)
      faults.set(`/branding/accent/${theme}`, `admin.fault.contrast.${theme}`);
  }
  return faults;
}

const edited: Edited<SiteView, Look, Look> = {
  pick: ({ branding }) => branding,
  toForm: (look) => look,
  parse: (form) => {
    const faults = findFaults(form);
    if (faults.size > 0) return { ok: false, faults };
    const { light, dark } = form.accent;
    return { ok: true, fields: { ...form, accent: { light: light.trim(), dark: dark.trim() } } };
  },
  send: (from, branding) => sendSite(from, { branding }),
  reload: () => adminRequest<SiteView>(SITE),
};

/** The form. */
export function LookTab({ stored, onSaved }: { stored: SiteView; onSaved: () => void }): JSX.Element {
  const editor = useEditor(
    stored,
    useMemo(() => whenSent(edited, onSaved), []),
  );
  // The parts know no names but their own.
  const errors = new Map(
    [...editor.task.errors].map(([at, words]) => [at.replace(/^\/branding/u, ""), words] as const),
  );
  const part = { form: editor.form, errors, onChange: editor.change };
  return (
    <EditorForm label={text("shop.site.look")} editor={editor} pointers={["/branding"]}>
      <FieldGroup title={text("shop.site.look")} hint={text("shop.site.look.hint")}>
        <LogoField {...part} />
        <AccentFields {...part} />
      </FieldGroup>
      <FieldGroup title={text("shop.site.css")} hint={text("shop.site.css.hint")}>
        <TextField label={text("shop.site.css.rules")} long {...bindText(part, "customCss")} />
      </FieldGroup>
    </EditorForm>
  );
}
