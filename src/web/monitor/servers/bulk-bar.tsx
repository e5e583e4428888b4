/** Bulk actions on servers. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ServerFields } from "../../../monitor/base/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text, type TextName } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { BulkPart } from "../../ui/resource/resource.ts";
import { GroupDialog } from "../group-dialog.tsx";
import { listGroups, toServerPath } from "../server-data.ts";
import { runEach } from "./bulk.ts";
import { DeleteDialog } from "./delete-dialog.tsx";

const actions: readonly { label: TextName; change: Partial<ServerFields> }[] = [
  { label: "admin.hide", change: { hidden: true } },
  { label: "admin.bulk.show", change: { hidden: false } },
  { label: "admin.bulk.disable", change: { disabled: true } },
  { label: "admin.bulk.enable", change: { disabled: false } },
];

/** The bar. Rows stay ticked after a change, so that another can follow. */
export function BulkBar({ views: servers, items, refresh, clear }: BulkPart<AdminServer>): JSX.Element {
  const [done, setDone] = useState<number | undefined>();
  const [open, setOpen] = useState<"group" | "delete" | undefined>();
  const busy = done !== undefined;

  async function changeAll(change: Partial<ServerFields>): Promise<void> {
    setDone(0);
    const failures = await runEach(servers, {
      work: ({ id, version }) =>
        adminRequest(toServerPath(id), { method: "PATCH", body: { ...change, version } }),
      onProgress: setDone,
    });
    setDone(undefined);
    await refresh();
    const [first] = failures;
    if (first === undefined) showToast(text("admin.bulk.done", { count: servers.length }));
    else {
      const values = { count: failures.length, name: first.item.name, message: first.message };
      showToast(text("admin.bulk.failed", values), "bad");
    }
  }
  return (
    <div class="bulk-bar" role="group" aria-label={text("admin.bulk.label")}>
      <span role="status">
        {busy ? `${done} / ${servers.length}` : text("admin.bulk.count", { count: servers.length })}
      </span>
      {actions.map(({ label, change }) => (
        <Button small key={label} disabled={busy} onClick={() => void changeAll(change)}>
          {text(label)}
        </Button>
      ))}
      <Button small disabled={busy} onClick={() => setOpen("group")}>
        {text("admin.bulk.group")}
      </Button>
      <Button small kind="danger" disabled={busy} onClick={() => setOpen("delete")}>
        {text("admin.bulk.delete")}
      </Button>
      <Button small kind="quiet" disabled={busy} onClick={clear}>
        {text("admin.bulk.clear")}
      </Button>
      {open === "group" && (
        <GroupDialog
          groups={listGroups(items)}
          onGroup={(group) => void changeAll({ group })}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "delete" && (
        <DeleteDialog
          servers={servers}
          onClose={() => setOpen(undefined)}
          onDone={async () => {
            clear();
            await refresh();
          }}
        />
      )}
    </div>
  );
}
