/** Searches that are kept under a name, beside those that every shop needs. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Chip, TextField } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import type { Query } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { toDateText } from "../../ui/forms/local-time.ts";
import { filterNames, toSearch } from "./order-filters.tsx";

const SEARCHES = "/api/admin/order-searches";

interface SavedSearch {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly query: Readonly<Record<string, string | number>>;
}

/** What is looked for each day. */
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

function SaveDialog(props: { query: Query; onDone: () => Promise<void>; onClose: () => void }): JSX.Element {
  const { query, onDone, onClose } = props;
  const [name, setName] = useState("");
  const task = useTask();
  async function save(): Promise<void> {
    const body = { name: name.trim(), query: withoutEmpty(toSearch(query)) };
    await adminRequest(SEARCHES, { method: "POST", body });
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  }
  return (
    <FormDialog
      title={text("shop.orders.saved.save")}
      action={text("admin.save")}
      task={task}
      pointers={["/name"]}
      onClose={onClose}
      onSubmit={() => {
        if (name.trim() === "") task.refuse(new Map([["/name", text("admin.fault.empty")]]));
        else void task.run(save);
      }}
    >
      <TextField
        label={text("admin.field.name")}
        hint={text("shop.orders.saved.hint")}
        error={task.errors.get("/name")}
        required
        maxLength={80}
        value={name}
        onInput={setName}
      />
    </FormDialog>
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
        maxLength={80}
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
export function SavedSearches({ query }: { query: Query }): JSX.Element {
  const { data, refresh } = usePolled<{ readonly items: readonly SavedSearch[] }>(SEARCHES, 0);
  const [open, setOpen] = useState<"save" | "manage" | undefined>();
  const saved = data?.items ?? [];
  const present = withoutEmpty(Object.fromEntries(filterNames.map((name) => [name, query.get(name)])));
  const none = Object.fromEntries([...filterNames, "cursor"].map((name) => [name, ""]));
  const toChip = (label: string, asked: Asked): JSX.Element => {
    const pressed = isSame(present, asked);
    return (
      <Chip key={label} pressed={pressed} onClick={() => query.set(pressed ? none : { ...none, ...asked })}>
        {label}
      </Chip>
    );
  };
  const isKept =
    [...presets.map(({ query: asked }): Asked => asked), ...saved.map(toAddress)].some((asked) =>
      isSame(asked, present),
    ) || Object.keys(present).length === 0;
  return (
    <div class="chips" role="group" aria-label={text("shop.orders.saved")}>
      {presets.map(({ label, query: asked }) => toChip(text(label), asked))}
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
      {open === "save" && <SaveDialog query={query} onDone={refresh} onClose={() => setOpen(undefined)} />}
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
