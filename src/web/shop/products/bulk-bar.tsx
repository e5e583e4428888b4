/** What can be done to the chosen products at once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { countText, text } from "../../app/texts.ts";
import { Button, SelectField } from "../../ui/controls.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { toRefusalWords } from "../../ui/forms/fault-words.ts";
import type { PlacedCategory } from "../ui/category-list.ts";
import { PRODUCTS, type ProductView } from "./product-data.ts";

interface Outcome {
  readonly id: string;
  readonly result: "done" | "refused";
  readonly code?: string;
  readonly detail?: string;
}

interface BulkBody {
  readonly action: "publish" | "hide" | "archive" | "category" | "delete";
  readonly ids: readonly string[];
  readonly categoryId?: string | null;
}

/** Sends a change and says what became of it; the first refusal stands for all. */
export async function sendBulk(body: BulkBody): Promise<void> {
  const { items } = await adminRequest<{ items: readonly Outcome[] }>(`${PRODUCTS}/bulk`, {
    method: "POST",
    body,
  });
  const refused = items.filter(({ result }) => result === "refused");
  const done = countText("shop.products.bulk.done", items.length - refused.length);
  const [first] = refused;
  if (first === undefined) return showToast(done);
  const why = toRefusalWords({ code: first.code ?? "", message: first.detail ?? "" });
  showToast(`${done} ${countText("shop.products.bulk.refused", refused.length)} ${why}`, "bad");
}

function CategoryDialog(props: {
  ids: readonly string[];
  categories: readonly PlacedCategory[];
  onDone: () => void;
  onClose: () => void;
}): JSX.Element {
  const { ids, categories, onDone, onClose } = props;
  const [chosen, setChosen] = useState("");
  const task = useTask();
  return (
    <FormDialog
      title={text("shop.products.bulk.category")}
      action={text("admin.save")}
      task={task}
      onClose={onClose}
      onSubmit={() =>
        void task
          .run(() => sendBulk({ action: "category", ids, categoryId: chosen === "" ? null : chosen }))
          .then((good) => good && onDone())
      }
    >
      <SelectField<string>
        label={text("shop.products.field.categoryId")}
        value={chosen}
        choices={[
          { value: "", label: text("shop.products.filter.noCategory") },
          ...categories.map(({ category, path }) => ({ value: category.id, label: path })),
        ]}
        onChange={setChosen}
      />
    </FormDialog>
  );
}

/** The bar above the list while some are chosen. */
export function BulkBar(props: {
  products: readonly ProductView[];
  categories: readonly PlacedCategory[];
  /** Chooses all that are in sight; absent when they are. */
  onAll: (() => void) | undefined;
  onDone: () => void;
}): JSX.Element {
  const { products, categories, onAll, onDone } = props;
  const ids = products.map(({ id }) => id);
  const [open, setOpen] = useState<"category" | "delete" | undefined>();
  const task = useTask();
  const run = (action: BulkBody["action"]): void => {
    void task.run(() => sendBulk({ action, ids })).then((good) => good && onDone());
  };
  const end = (): void => {
    setOpen(undefined);
    onDone();
  };
  return (
    <div class="bulk-bar" role="region" aria-label={text("shop.products.bulk")}>
      <strong>{countText("shop.products.bulk.chosen", ids.length)}</strong>
      {onAll && (
        <Button kind="quiet" onClick={onAll}>
          {text("shop.products.bulk.all")}
        </Button>
      )}
      <Button disabled={task.busy} onClick={() => run("publish")}>
        {text("admin.publish")}
      </Button>
      <Button disabled={task.busy} onClick={() => run("hide")}>
        {text("admin.hide")}
      </Button>
      <Button disabled={task.busy} onClick={() => run("archive")}>
        {text("shop.products.archive")}
      </Button>
      <Button onClick={() => setOpen("category")}>{text("shop.products.bulk.category")}</Button>
      <Button kind="danger" onClick={() => setOpen("delete")}>
        {text("admin.delete")}
      </Button>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {open === "category" && (
        <CategoryDialog ids={ids} categories={categories} onDone={end} onClose={() => setOpen(undefined)} />
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={countText("shop.products.bulk.delete", ids.length)}
          action={text("admin.delete")}
          danger
          busy={task.busy}
          onClose={() => setOpen(undefined)}
          onConfirm={() => {
            setOpen(undefined);
            run("delete");
          }}
        >
          <p>{text("shop.products.delete.text")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
