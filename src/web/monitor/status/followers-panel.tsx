/** Who follows a status page: listed, added, removed, exported; and why nobody can, where that is so. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import type { SubscriberList } from "../../../monitor/status/followers/answer-schema.ts";
import { type SubscriberView, mailSubscriptionSchema } from "../../../monitor/status/followers/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, IconButton, TextField } from "../../ui/controls.tsx";
import { Table } from "../../ui/controls-table.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { toStatusPath } from "./status-data.ts";

function AddDialog(props: { path: string; onDone: () => Promise<void>; onClose: () => void }): JSX.Element {
  const { path, onDone, onClose } = props;
  const [address, setAddress] = useState("");
  const [hasConsent, setConsent] = useState(false);
  const task = useTask();
  async function add(): Promise<void> {
    await adminRequest(path, { method: "POST", body: { way: "mail", address: address.trim(), hasConsent } });
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  }
  function submit(): void {
    const faults = new Map<string, string>();
    if (!address.includes("@")) faults.set("/address", text("admin.fault.mail"));
    if (!hasConsent) faults.set("/hasConsent", text("admin.status.consent.needed"));
    if (faults.size > 0) task.refuse(faults);
    else void task.run(add);
  }
  return (
    <FormDialog
      title={text("admin.status.follower.add")}
      action={text("admin.status.follower.add")}
      pointers={["/address"]}
      task={task}
      onClose={onClose}
      onSubmit={submit}
    >
      <div class="stack">
        <TextField
          label={text("admin.field.address")}
          type="email"
          required
          maxLength={toFields(mailSubscriptionSchema)["address"]?.max}
          value={address}
          error={findError(task.errors, "/address")}
          onInput={setAddress}
        />
        <Checkbox label={text("admin.status.consent")} checked={hasConsent} onChange={setConsent} />
      </div>
    </FormDialog>
  );
}

/** Why nobody can follow, each with what to do. */
function FaultNotes({ faults }: Pick<SubscriberList, "faults">): JSX.Element {
  const known = [...new Set([faults.mail, faults.webhook])].filter((fault) => fault !== undefined);
  return (
    <>
      {known.map((fault) => (
        <p class="admin-note" key={fault}>
          {text(`admin.status.fault.${fault}`)}
        </p>
      ))}
    </>
  );
}

function FollowerTable(props: {
  page: StatusPageView;
  rows: readonly SubscriberView[];
  onRemove: (row: SubscriberView) => void;
}): JSX.Element {
  const { page, rows, onRemove } = props;
  const names = new Map(page.components.map(({ id, name }) => [id, name]));
  return (
    <Table
      caption={text("admin.status.followers")}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "address",
          label: text("admin.field.address"),
          cell: ({ address, componentIds }) => (
            <>
              <span class="status-address">{address}</span>
              <span class="field-hint">
                {componentIds.length === 0
                  ? text("admin.status.follower.all")
                  : componentIds.map((id) => names.get(id) ?? id).join(", ")}
              </span>
            </>
          ),
        },
        {
          key: "state",
          label: text("admin.column.state"),
          cell: ({ state, failingSince, createdAt, activeSince }) => (
            <>
              <Badge kind={failingSince === undefined ? (state === "active" ? "good" : "idle") : "bad"}>
                {text(
                  failingSince === undefined
                    ? `admin.status.follower.${state}`
                    : "admin.status.follower.failing",
                )}
              </Badge>{" "}
              <span class="field-hint">
                <Moment at={activeSince ?? createdAt} />
              </span>
            </>
          ),
        },
        {
          key: "remove",
          label: text("admin.delete"),
          silent: true,
          cell: (row) => (
            <IconButton
              icon="trash"
              label={text("admin.status.follower.remove", { address: row.address })}
              onClick={() => onRemove(row)}
            />
          ),
        },
      ]}
    />
  );
}

/** The panel. */
export function FollowersPanel({ page }: { page: StatusPageView }): JSX.Element {
  const path = `${toStatusPath(page.id)}/subscribers`;
  const list = useCursorPage<SubscriberView>(path, {});
  const about = usePolled<SubscriberList>(`${path}?limit=1`, 0);
  const [opened, setOpened] = useState<"add" | SubscriberView>();
  const close = (): void => setOpened(undefined);
  const refresh = async (): Promise<void> => {
    await Promise.all([list.refresh(), about.refresh()]);
  };
  const { counts, faults } = about.data ?? {};
  return (
    <div class="stack">
      {faults && <FaultNotes faults={faults} />}
      <div class="button-row">
        <Button kind="primary" icon="plus" onClick={() => setOpened("add")}>
          {text("admin.status.follower.add")}
        </Button>
        <a class="button" href={`${path}/export`} download={`subscribers-${page.slug}.csv`}>
          {text("admin.csv")}
        </a>
        <span class="spacer" />
        {counts && <span class="field-hint">{text("admin.status.follower.counts", counts)}</span>}
      </div>
      <CursorList page={list} empty={<p>{text("admin.status.followers.none")}</p>}>
        <FollowerTable page={page} rows={list.items} onRemove={setOpened} />
      </CursorList>
      {opened === "add" && <AddDialog path={path} onDone={refresh} onClose={close} />}
      {opened !== undefined && opened !== "add" && (
        <DeleteDialog
          title={text("admin.status.follower.remove", { address: opened.address })}
          path={`${path}/${opened.id}`}
          name={opened.address}
          onDone={refresh}
          onClose={close}
        >
          {text("admin.status.follower.remove.text")}
        </DeleteDialog>
      )}
    </div>
  );
}
