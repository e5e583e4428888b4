/** Who sees what: the site, accounts, viewers' links, tokens for /metrics. */
import type { JSX } from "preact";
import type { AccessSettings } from "../../../monitor/access/schema.ts";
import { refreshSite } from "../../app/site.ts";
import { text } from "../../app/texts.ts";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { type AccessForm, parseAccessForm, toAccessForm } from "./access-data.ts";
import { AccountFields, PrivateFields } from "./access-fields.tsx";
import { TokenPanel } from "./token-panel.tsx";

const SETTINGS = "/api/admin/settings";
const POINTERS = ["/access/viewers/usernames", "/access/administrators/usernames"];

interface Stored {
  readonly access: AccessSettings;
  readonly version: number;
}

const edited: Edited<Stored, AccessForm, AccessSettings> = {
  pick: ({ access }) => access,
  toForm: toAccessForm,
  parse: parseAccessForm,
  send: async ({ version }, access) => {
    const body = { access, version };
    const saved = await adminRequest<Stored>(SETTINGS, { method: "PATCH", body });
    await refreshSite();
    return saved;
  },
  reload: () => adminRequest<Stored>(SETTINGS),
};

function AccessEditor({ stored }: { stored: Stored }): JSX.Element {
  const editor = useEditor(stored, edited);
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <EditorForm label={text("admin.access.who")} editor={editor} pointers={POINTERS}>
      <PrivateFields {...part} isPrivateNow={editor.base.access.isPrivate} />
      <AccountFields {...part} />
    </EditorForm>
  );
}

/** The page. */
export function AccessPage(): JSX.Element {
  const { data, error, refresh } = usePolled<Stored>(SETTINGS, 0);
  return (
    <>
      <PageHead title={text("admin.nav.access")} hint={text("admin.access.hint")} />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data ? <AccessEditor stored={data} /> : !error && <p class="empty">{text("page.loading")}</p>}
      <TokenPanel scope="view" />
      <TokenPanel scope="metrics" />
    </>
  );
}
