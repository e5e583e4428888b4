/** The subscribers of a status page: listed, added, removed, exported; and why subscribing is impossible, if it is. */
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import type { SubscriberList } from "../../../monitor/status/followers/answer-schema.ts";
import { type SubscriberView, mailSubscriptionSchema } from "../../../monitor/status/followers/schema.ts";
import type { FieldsJson } from "../../../kit/fields/field-json.ts";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Note } from "../../ui/console/note.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import type { ListPart, ListTools, Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { Remedy } from "../remedy.tsx";
import { toStatusPath } from "./status-data.ts";

/** A subscriber whom an administrator adds: by email, and with consent. */
const addedFields: FieldsJson = {
  address: {
    ...toFields(mailSubscriptionSchema)["address"],
    kind: "text",
    required: true,
    min: 1,
    keyboard: "email",
  },
  hasConsent: { kind: "switch" },
};

const faultSettings = { no_mail_server: "mailServer", no_address: "publicUrl" } as const;

/** Why subscribing is impossible, each with a solution. */
function FaultNotes({
  faults,
  onDone,
}: Pick<SubscriberList, "faults"> & { onDone: () => void }): JSX.Element {
  const known = [...new Set([faults.mail, faults.webhook])].filter((fault) => fault !== undefined);
  return (
    <>
      {known.map((fault) => (
        <Note key={fault}>
          {text(`admin.status.fault.${fault}`)}
          {fault !== "switched_off" && <Remedy setting={faultSettings[fault]} onDone={onDone} />}
        </Note>
      ))}
    </>
  );
}

/** The top of the list; its counts are reloaded when it changes. */
function Head({ page, tools, items }: ListPart<SubscriberView> & { page: StatusPageView }): JSX.Element {
  const path = toStatusPath(page.id, "/subscribers");
  const { data, refresh } = usePolled<SubscriberList>(`${path}?limit=1`, 0);
  useEffect(() => void refresh(), [items.length]);
  return (
    <>
      {data && <FaultNotes faults={data.faults} onDone={() => void refresh()} />}
      <div class="button-row">
        {tools.add && (
          <Button kind="primary" icon="plus" onClick={tools.add}>
            {text("admin.status.followers.add")}
          </Button>
        )}
        <a class="button" href={`${path}/export`} download={`subscribers-${page.slug}.csv`}>
          {text("admin.csv")}
        </a>
        <span class="spacer" />
        {data && <span class="field-hint">{text("admin.status.follower.counts", data.counts)}</span>}
      </div>
    </>
  );
}

function toStateName({ state, failingSince }: SubscriberView) {
  return failingSince === undefined ? state : "failing";
}

const stateKinds = { active: "good", pending: "idle", failing: "bad" } as const;

function toColumns(
  names: ReadonlyMap<string, string>,
  { mayWrite, remove }: ListTools<SubscriberView>,
): readonly TableColumn<SubscriberView>[] {
  return [
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
      cell: (view) => (
        <>
          <Badge kind={stateKinds[toStateName(view)]}>
            {text(`admin.status.follower.${toStateName(view)}`)}
          </Badge>{" "}
          <span class="field-hint">
            <Moment at={view.activeSince ?? view.createdAt} />
          </span>
        </>
      ),
    },
    {
      key: "remove",
      label: text("admin.delete"),
      silent: true,
      cell: (view) =>
        mayWrite && (
          <IconButton
            icon="trash"
            label={text("admin.status.follower.remove", { address: view.address })}
            onClick={() => remove(view)}
          />
        ),
    },
  ];
}

/** Subscribers of a page. */
export function toFollowers(page: StatusPageView): Resource<SubscriberView, FieldsJson> {
  const names = new Map(page.components.map(({ id = "", name }) => [id, name]));
  const api = toStatusPath(page.id, "/subscribers");
  return {
    api,
    home: "/admin/status",
    navigation: "admin.status.followers",
    texts: "admin.status.followers",
    words: "admin.status",
    write: "status-pages:write",
    idOf: ({ id }) => id,
    nameOf: ({ address }) => address,
    schema: addedFields,
    fields: {
      address: { label: "admin.field.address", missing: "admin.fault.mail" },
      hasConsent: { label: "admin.status.consent" },
    },
    check: ({ address, hasConsent }) =>
      new Map([
        ...(String(address).includes("@") ? [] : [["/address", "admin.fault.mail"] as const]),
        ...(hasConsent === true ? [] : [["/hasConsent", "admin.status.consent.needed"] as const]),
      ]),
    creation: {
      as: "dialog",
      stays: true,
      send: (fields) => adminRequest(api, { method: "POST", body: { ...fields, way: "mail" } }),
    },
    Above: (part) => <Head {...part} page={page} />,
    Delete: ({ view, onDone, onClose }) => (
      <DeleteDialog
        title={text("admin.status.follower.remove", { address: view.address })}
        path={`${api}/${view.id}`}
        name={view.address}
        onDone={onDone}
        onClose={onClose}
      >
        {text("admin.status.follower.remove.text")}
      </DeleteDialog>
    ),
    table: {
      columns: (tools) => toColumns(names, tools),
    },
  };
}

/** The panel. */
export function FollowersPanel({ page }: { page: StatusPageView }): JSX.Element {
  const followers = useMemo(() => toFollowers(page), [page]);
  return (
    <div class="stack">
      <ResourceList of={followers} head="none" />
    </div>
  );
}
