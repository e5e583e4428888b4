/** Searches that are kept under a name, beside those that every shop needs. */
import type { JSX } from "preact";
import type { SavedSearch, SavedSearchList } from "../../../shop/order-search/answer-schema.ts";
import { savedSearchRecordSchema } from "../../../shop/order-search/schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Chip, TextField } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { toDateText } from "../../ui/forms/local-time.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { useAsked } from "../../ui/resource/list-state.tsx";
import type { TableQuery } from "../../ui/resource/resource.ts";

const SEARCHES = "/api/admin/order-searches";

const nameForm = makeForm({
  schema: savedSearchRecordSchema,
  words: "admin.field",
  fields: { name: { hint: "shop.orders.saved.hint", missing: "admin.fault.empty" } },
  only: "panels",
  panels: [{ fields: ["name"] }],
});

/** Searches that administrators use daily. */
const presets = [
  { label: "shop.orders.preset.deliver", query: { status: "to_deliver" } },
  { label: "shop.orders.preset.look", query: { attention: "any" } },
  { label: "shop.orders.preset.waiting", query: { status: "pending_payment" } },
] as const;

type Asked = Readonly<Record<string, string>>;

function withoutEmpty(asked: Asked): Asked {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
}

/** A kept search as the address has it: moments are days there. */
function toAddress({ query }: SavedSearch): Asked {
  const { from, to, ...rest } = query;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    ...(from === undefined ? {} : { from: toDateText(from) }),
    ...(to === undefined ? {} : { to: toDateText(new Date(to).getTime() - 1) }),
  };
}

function SaveDialog(props: { asked: Asked; onDone: () => Promise<void>; onClose: () => void }): JSX.Element {
  const { asked, onDone, onClose } = props;
  return (
    <FieldsDialog
      title={text("shop.orders.saved.save")}
      action={text("admin.save")}
      form={nameForm}
      context={undefined}
      send={({ name }) =>
        adminRequest(SEARCHES, { method: "POST", body: { name, query: withoutEmpty(asked) } })
      }
      done={text("admin.saved")}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function SavedRow({ search, onDone }: { search: SavedSearch; onDone: () => Promise<void> }): JSX.Element {
  const [name, setName] = useState(search.name);
  const task = useTask();
  const path = `${SEARCHES}/${search.id}`;
  const rename = (): void =>
    void task.run(async () => {
      await adminRequest(path, { method: "PATCH", body: { name: name.trim() }, version: search.version });
      showToast(text("admin.saved"));
      await onDone();
    });
  const remove = (): void =>
    void task.run(async () => {
      await adminRequest(path, { method: "DELETE" });
      showToast(text("admin.deleted", { name: search.name }));
      await onDone();
    });
  return (
    <li class="saved-row">
      <TextField
        label={text("admin.field.name")}
        error={task.errors.get("/name")}
        maxLength={nameForm.fields.get("name")?.json.max}
        value={name}
        onInput={setName}
      />
      <div class="button-row">
        {name.trim() !== search.name && (
          <Button disabled={task.busy || name.trim() === ""} onClick={rename}>
            {text("admin.save")}
          </Button>
        )}
        <Button kind="danger" disabled={task.busy} onClick={remove}>
          {text("admin.delete")}
        </Button>
      </div>
      {task.message !== undefined && <ErrorNote message={task.message} />}
    </li>
  );
}

/** The row of searches. */
export function SavedSearches({ table }: { table: TableQuery }): JSX.Element {
  const query = useQuery();
  const asked = useAsked(table);
  const filterNames = ["q", ...(table.filters ?? []).map(({ name }) => name)];
  const { data, refresh } = usePolled<SavedSearchList>(SEARCHES, 0);
  const [open, setOpen] = useState<"save" | "manage" | undefined>();
  const saved = data?.items ?? [];
  const present = withoutEmpty(Object.fromEntries(filterNames.map((name) => [name, query.get(name)])));
  const none = Object.fromEntries([...filterNames, "cursor"].map((name) => [name, ""]));
  const toChip = (label: string, kept: Asked): JSX.Element => {
    const pressed = isSame(present, kept);
    return (
      <Chip key={label} pressed={pressed} onClick={() => query.set(pressed ? none : { ...none, ...kept })}>
        {label}
      </Chip>
    );
  };
  const isKept =
    [...presets.map(({ query: kept }): Asked => kept), ...saved.map(toAddress)].some((kept) =>
      isSame(kept, present),
    ) || Object.keys(present).length === 0;
  return (
    <div class="chips" role="group" aria-label={text("shop.orders.saved")}>
      {presets.map(({ label, query: kept }) => toChip(text(label), kept))}
      {saved.map((search) => toChip(search.name, toAddress(search)))}
      {!isKept && (
        <Button kind="quiet" icon="plus" onClick={() => setOpen("save")}>
          {text("shop.orders.saved.save")}
        </Button>
      )}
      {saved.length > 0 && (
        <Button kind="quiet" onClick={() => setOpen("manage")}>
          {text("shop.orders.saved.manage")}
        </Button>
      )}
      {open === "save" && <SaveDialog asked={asked} onDone={refresh} onClose={() => setOpen(undefined)} />}
      {open === "manage" && (
        <Dialog title={text("shop.orders.saved")} onClose={() => setOpen(undefined)}>
          <ul class="plain-list">
            {saved.map((search) => (
              <SavedRow key={`${search.id} ${search.version}`} search={search} onDone={refresh} />
            ))}
          </ul>
        </Dialog>
      )}
    </div>
  );
}
