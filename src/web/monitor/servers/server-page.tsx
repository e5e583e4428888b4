/** One server: its form, its agent, and the end of it. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ServerFields } from "../../../monitor/base/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { StateBadge } from "../../ui/state-mark.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Crumbs, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import {
  type ServerList,
  changeServer,
  listGroups,
  listProviders,
  listTags,
  pickFields,
  SERVERS,
  toServerPath,
} from "../server-data.ts";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { AgentPanel } from "./agent-panel.tsx";
import { CheckFilePanel } from "../checks/check-file-panel.tsx";
import { BillingFields, TrafficFields } from "./money-fields.tsx";
import { IdentityFields, MuteFields, VisibilityFields } from "./server-fields.tsx";
import { type ServerForm, parseServerForm, toServerForm } from "./server-form.ts";
import { TrafficUse } from "./traffic-use.tsx";

const POLL_MS = 5_000;
/** Fields that the form shows, so that what is wrong with others is said beside it. */
const POINTERS = [
  "/name",
  "/group",
  "/tags",
  "/region",
  "/provider",
  "/note",
  "/publicNote",
  "/billing",
  "/traffic",
  "/mute",
];

const edited: Edited<AdminServer, ServerForm, ServerFields> = {
  pick: pickFields,
  toForm: toServerForm,
  parse: parseServerForm,
  send: changeServer,
  reload: ({ id }) => adminRequest<AdminServer>(toServerPath(id)),
};

function ServerEditor({
  server,
  refresh,
}: {
  server: AdminServer;
  refresh: () => Promise<void>;
}): JSX.Element {
  const editor = useEditor(server, edited);
  useEffect(() => {
    // While nothing is typed the form follows what others save; an answer from before one's own save says nothing.
    if (!editor.dirty && server.version > editor.base.version) editor.begin(server);
  }, [server.version, editor.dirty]);
  const { data } = usePolled<ServerList>(SERVERS, 0);
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <EditorForm
      label={text("admin.server.form", { name: server.name })}
      editor={editor}
      pointers={POINTERS}
      isReadOnly={!mayUse("servers:write")}
    >
      <IdentityFields
        {...part}
        groups={listGroups(data?.items ?? [])}
        tags={listTags(data?.items ?? [])}
        providers={listProviders(data?.items ?? [])}
      />
      <VisibilityFields {...part} />
      <BillingFields {...part} />
      <TrafficFields {...part}>
        <TrafficUse server={server} onDone={refresh} />
      </TrafficFields>
      <MuteFields {...part} />
    </EditorForm>
  );
}

/** The page of the server with this id. */
export function ServerPage({ id }: { id: string }): JSX.Element {
  const { data: server, error, refresh } = usePolled<AdminServer>(toServerPath(id), POLL_MS);
  if (error?.status === 404 || error?.status === 422) return <p class="empty">{text("server.unknown")}</p>;
  if (server === undefined)
    return error ? (
      <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />
    ) : (
      <p class="empty">{text("page.loading")}</p>
    );
  return (
    <>
      <Crumbs to="/admin/servers" label="admin.nav.servers" />
      <PageHead title={server.name}>
        <StateBadge state={server.state} reports={server.agent.reports} />
        {!server.hidden && (
          <a class="button" href={`/servers/${server.id}`}>
            {text("admin.server.public")}
          </a>
        )}
      </PageHead>
      <ServerEditor server={server} refresh={refresh} />
      <CheckFilePanel serverId={server.id} />
      <AgentPanel server={server} refresh={refresh} />
    </>
  );
}
