/** A new API key, shown this once. */
import type { JSX } from "preact";
import type { CreatedApiKey } from "../../../records/rights/view-schema.ts";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { DoneDialog } from "../console/form-dialog.tsx";
import { Note } from "../console/note.tsx";
import { CopyBox } from "../console/pieces.tsx";

/** A route that the scopes of a noun open, to try a key with. */
const examplePaths: Readonly<Record<string, string>> = {
  orders: "orders",
  products: "products",
  invoices: "invoices",
  customers: "customers",
  chat: "chat/conversations",
  "shop-settings": "site",
  servers: "servers",
  checks: "checks",
  alerts: "alerts",
  "status-pages": "status-pages",
  "monitor-settings": "settings",
  users: "users",
  applications: "clients",
  audit: "audit",
  "auth-settings": "settings/branding",
};

function toCurl({ key, scopes }: CreatedApiKey): string {
  const [noun = ""] = (scopes[0] ?? "").split(":");
  const url = `${location.origin}${basePath}/api/admin/${examplePaths[noun] ?? "doctor"}`;
  return `curl -H "Authorization: Bearer ${key}" ${url}`;
}

/** The key, this once. */
export function CreatedKey(props: { made: CreatedApiKey; onClose: () => void }): JSX.Element {
  const { made: created, onClose } = props;
  return (
    <DoneDialog title={created.name} onClose={onClose}>
      <div class="stack">
        <Note kind="warn" icon="key">
          {text("admin.keys.once")}
        </Note>
        <div class="field">
          <span class="field-label">{text("admin.keys.key")}</span>
          <CopyBox label={text("admin.keys.key")} value={created.key} />
        </div>
        <div class="field">
          <span class="field-label">{text("admin.keys.try")}</span>
          <CopyBox label={text("admin.keys.try")} value={toCurl(created)} />
        </div>
      </div>
    </DoneDialog>
  );
}
