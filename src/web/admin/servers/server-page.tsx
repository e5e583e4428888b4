/** One server: its form, its agent, and the end of it. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ServerFields } from "../../../monitor/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { ApiError } from "../../app/api.ts";
import { text } from "../../app/texts.ts";
import { StateBadge } from "../../ui/state-mark.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type Editor, EditorForm } from "../editor-form.tsx";
import { type Versions, isSame } from "../forms/conflict.ts";
import { PageHead } from "../pieces.tsx";
import { usePolled } from "../polled.ts";
import { ErrorNote, toMessage, useTask } from "../problem.tsx";
import {
  type ServerList,
  changeServer,
  listGroups,
  listTags,
  pickFields,
  SERVERS,
  toServerPath,
} from "../server-data.ts";
import { adminRequest } from "../session.ts";
import { AgentPanel } from "./agent-panel.tsx";
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
  "/note",
  "/publicNote",
  "/billing",
  "/traffic",
  "/mute",
];

type Conflict = Versions<ServerFields> & { readonly server: AdminServer };

function useEditor(server: AdminServer): Editor<ServerForm, ServerFields> {
  const [base, setBase] = useState(server);
  const [form, setForm] = useState(() => toServerForm(pickFields(server)));
  const [conflict, setConflict] = useState<Conflict | undefined>();
  const task = useTask();
  const dirty = !isSame(form, toServerForm(pickFields(base)));

  function begin(next: AdminServer): void {
    setBase(next);
    setForm(toServerForm(pickFields(next)));
    setConflict(undefined);
  }
  useEffect(() => {
    // While nothing is typed the form follows what others save; an answer from before one's own save says nothing.
    if (!dirty && server.version > base.version) begin(server);
  }, [server.version, dirty]);

  async function send(from: AdminServer, fields: ServerFields): Promise<void> {
    try {
      begin(await changeServer(from, fields));
      showToast(text("admin.saved"));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "version_conflict") throw error;
      const theirs = await adminRequest<AdminServer>(toServerPath(base.id));
      setConflict({ base: pickFields(base), mine: fields, theirs: pickFields(theirs), server: theirs });
    }
  }
  return {
    form,
    dirty,
    task,
    conflict,
    change: (change) => setForm((before) => ({ ...before, ...change })),
    revert: () => {
      begin(server.version > base.version ? server : base);
      task.clear();
    },
    save: async () => {
      const parsed = parseServerForm(form, pickFields(base));
      if (parsed.ok) return task.run(() => send(base, parsed.fields));
      task.refuse(new Map([...parsed.faults].map(([at, name]) => [at, text(name)])));
      return false;
    },
    resolve: async (fields) => {
      if (conflict !== undefined) await task.run(() => send(conflict.server, fields));
    },
    giveUp: () => setConflict(undefined),
  };
}

function ServerEditor({
  server,
  refresh,
}: {
  server: AdminServer;
  refresh: () => Promise<void>;
}): JSX.Element {
  const editor = useEditor(server);
  const { data } = usePolled<ServerList>(SERVERS, 0);
  const part = { form: editor.form, errors: editor.task.errors, onChange: editor.change };
  return (
    <EditorForm label={text("admin.server.form", { name: server.name })} editor={editor} pointers={POINTERS}>
      <IdentityFields
        {...part}
        groups={listGroups(data?.servers ?? [])}
        tags={listTags(data?.servers ?? [])}
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
      <p class="crumbs">
        <a href="/admin/servers">{text("admin.nav.servers")}</a>
      </p>
      <PageHead title={server.name}>
        <StateBadge state={server.state} />
        {!server.hidden && (
          <a class="button" href={`/servers/${server.id}`}>
            {text("admin.server.public")}
          </a>
        )}
      </PageHead>
      <ServerEditor server={server} refresh={refresh} />
      <AgentPanel server={server} refresh={refresh} />
    </>
  );
}
