/** The settings of the auth center, a tab for each thing that is set; the tab stands in the address. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { FieldWordsContext } from "../../ui/console/conflict-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useQuery } from "../../ui/console/query.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { AccentFields } from "../../ui/forms/accent-fields.tsx";
import { LogoField } from "../../ui/forms/logo-field.tsx";
import { SettingFields, toFieldWords } from "../../ui/settings/setting-fields.tsx";
import type { FieldSpec, Form } from "../../ui/settings/setting-specs.ts";
import { type SettingsTab, tabs } from "./groups.ts";
import { MailTest } from "../../ui/mail/mail-test.tsx";
import { type StoredGroup, toEdited, toPath } from "./stored.ts";

/** The logo and the colours have fields of their own, which are not drawn from these. */
const brandFields: readonly FieldSpec[] = [
  { key: "logo", label: "auth.settings.logo", kind: "line" },
  { key: "accentLight", label: "auth.settings.accentLight", kind: "line" },
  { key: "accentDark", label: "auth.settings.accentDark", kind: "line" },
];

function listSpecs({ sections, group }: SettingsTab): readonly FieldSpec[] {
  return [...(group === "branding" ? brandFields : []), ...sections.flatMap(({ fields }) => fields)];
}

function BrandFields(props: {
  form: Form;
  errors: ReadonlyMap<string, string>;
  onChange: (change: Partial<Form>) => void;
}): JSX.Element {
  const { form, errors, onChange } = props;
  const own = {
    logo: String(form["logo"] ?? ""),
    accent: { light: String(form["accentLight"] ?? ""), dark: String(form["accentDark"] ?? "") },
  };
  const change = ({ logo, accent }: Partial<typeof own>): void =>
    onChange({
      ...(logo === undefined ? {} : { logo }),
      ...(accent === undefined ? {} : { accentLight: accent.light, accentDark: accent.dark }),
    });
  const part = { form: own, errors, onChange: change };
  return (
    <FieldGroup title={text("auth.settings.look")}>
      <LogoField {...part} />
      <AccentFields {...part} />
    </FieldGroup>
  );
}

function TabEditor({ tab, stored }: { tab: SettingsTab; stored: StoredGroup }): JSX.Element {
  const specs = useMemo(() => listSpecs(tab), [tab]);
  const words = useMemo(() => toFieldWords(specs), [specs]);
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(tab.group, specs), [tab, specs]),
  );
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  const pointers = [...specs.map(({ key }) => `/${key}`), "/accent"];
  return (
    <FieldWordsContext.Provider value={words}>
      <EditorForm label={text(tab.label)} editor={editor} pointers={pointers}>
        {tab.group === "branding" && <BrandFields {...part} />}
        {tab.sections.map(({ title, fields }) => (
          <FieldGroup key={title} title={text(title)}>
            <SettingFields specs={fields} part={part} />
          </FieldGroup>
        ))}
      </EditorForm>
      {tab.group === "mail" && <MailTest path="/api/admin/settings/mail/test" dirty={editor.dirty} />}
    </FieldWordsContext.Provider>
  );
}

function TabPage({ tab }: { tab: SettingsTab }): JSX.Element {
  const loaded = usePolled<StoredGroup>(toPath(tab.group), 0);
  return <Loaded of={loaded}>{(data) => <TabEditor tab={tab} stored={data} />}</Loaded>;
}

/** The section. */
export function SettingsPage(): JSX.Element {
  const query = useQuery();
  const tab = tabs.find(({ name }) => name === query.get("tab")) ?? tabs[0];
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tabs stand in a row that scrolls.
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [tab?.name]);
  return (
    <>
      <PageHead title={text("admin.nav.settings")} hint={tab?.hint && text(tab.hint)} />
      <nav class="tabs" ref={bar} aria-label={text("admin.nav.settings")}>
        {tabs.map(({ name, label }) => (
          <a
            key={name}
            href={`/admin/settings?tab=${name}`}
            aria-current={name === tab?.name ? "page" : undefined}
          >
            {text(label)}
          </a>
        ))}
      </nav>
      {tab && <TabPage tab={tab} key={tab.name} />}
    </>
  );
}
