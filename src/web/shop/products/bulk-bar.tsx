/** Bulk actions on the chosen products. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ProductBulkResults, ProductView } from "../../../shop/products/answer-schema.ts";
import type { BulkBody } from "../../../shop/products/bulk-schema.ts";
import { countText, text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { toRefusalWords } from "../../ui/forms/fault-words.ts";
import type { BulkPart } from "../../ui/resource/resource.ts";
import { PRODUCTS } from "./product-data.ts";

const CategoryDialog = lazy(async () => (await import("./category-dialog.tsx")).CategoryDialog, null);

/** Sends a change and says what became of it; the first refusal stands for all. */
export async function sendBulk(body: BulkBody): Promise<void> {
  const { items } = await adminRequest<ProductBulkResults>(`${PRODUCTS}/bulk`, {
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

/** The bar above the list while some are chosen; nothing for people who may only read. */
export function BulkBar(props: BulkPart<ProductView>): JSX.Element | null {
  const { views, mayWrite, tickAll, done } = props;
  const ids = views.map(({ id }) => id);
  const [open, setOpen] = useState<"category" | "delete" | undefined>();
  const task = useTask();
  const run = (action: BulkBody["action"]): void =>
    void task.run(async () => {
      await sendBulk({ action, ids });
      await done();
    });
  if (!mayWrite) return null;
  return (
    <div class="bulk-bar" role="region" aria-label={text("shop.products.bulk")}>
      <strong>{countText("shop.products.bulk.chosen", ids.length)}</strong>
      {tickAll && (
        <Button kind="quiet" onClick={tickAll}>
          {text("shop.products.bulk.all")}
        </Button>
      )}
      <Button disabled={task.busy} onClick={() => run("publish")}>
        {text("admin.publish")}
      </Button>
      <Button disabled={task.busy} onClick={() => run("hide")}>
        {text("shop.products.unpublish")}
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
        <CategoryDialog
          send={async (categoryId) => {
            await sendBulk({ action: "category", ids, categoryId });
            setOpen(undefined);
            await done();
          }}
          onClose={() => setOpen(undefined)}
        />
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
