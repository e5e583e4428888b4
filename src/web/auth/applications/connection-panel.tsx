/** Where a program finds the center: issuer, discovery and endpoints. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useCenter } from "../presets/center.ts";
import { CopyFields } from "../presets/copy-fields.tsx";
import { IssuerNote } from "../presets/issuer-note.tsx";
import { toDiscovery } from "../presets/presets.ts";
import { Panel } from "../../ui/panel.tsx";

/** The panel. */
export function ConnectionPanel({ id }: { id: string }): JSX.Element {
  const { data: center, error, refresh } = useCenter();
  return (
    <Panel
      small
      title={text("auth.connection.title")}
      hint={text("auth.connection.hint")}
      class="beside-form"
    >
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {center && <IssuerNote issuer={center.issuer} />}
      {center && (
        <CopyFields
          fields={[
            [text("auth.applications.id"), id],
            [text("auth.connection.issuer"), center.issuer],
            [text("auth.connection.discovery"), toDiscovery(center)],
            [text("auth.connection.authorization"), center.authorization_endpoint],
            [text("auth.connection.token"), center.token_endpoint],
            [text("auth.connection.userinfo"), center.userinfo_endpoint],
          ]}
        />
      )}
    </Panel>
  );
}
