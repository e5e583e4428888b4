/** Files that buyers download: adding, versions, order, and on what terms. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ProductFiles } from "../../../../shop/files/answer-schema.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { usePolled } from "../../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { adminRequest } from "../../../ui/console/session.ts";
import { moveItem } from "../../../ui/forms/moves.ts";
import { Panel } from "../../../ui/panel.tsx";
import { type ProductView, toProductPath } from "../product-data.ts";
import { AddFile, AddVersion, RemoveFile } from "./file-dialogs.tsx";
import type { FileView } from "./file-data.ts";
import { FileRow } from "./file-row.tsx";
import { TermsForm } from "./terms-form.tsx";

type Open = { readonly what: "add" } | { readonly what: "version" | "remove"; readonly file: FileView };

/** The panel; calls `onChanged` when the product's files have changed. */
export function FilesPanel({
  product,
  onChanged,
}: {
  product: ProductView;
  onChanged: () => void;
}): JSX.Element {
  const path = `${toProductPath(product.id)}/files`;
  const { data, error, refresh } = usePolled<ProductFiles>(path, 0);
  const [open, setOpen] = useState<Open | undefined>();
  const task = useTask();
  const all = data?.items ?? [];
  const sold = all.filter(({ retiredAt }) => retiredAt === undefined);
  const close = (): void => setOpen(undefined);
  function done(): void {
    close();
    void refresh();
    onChanged();
  }
  function move(from: number, to: number): void {
    const ids = moveItem(sold, { from, to }).map(({ id }) => id);
    void task.run(async () => {
      await adminRequest<ProductFiles>(path, { method: "PUT", body: { ids } });
      await refresh();
    });
  }
  return (
    <Panel
      title={text("shop.products.files")}
      hint={text("shop.products.files.hint")}
      action={
        <Button icon="plus" kind="primary" onClick={() => setOpen({ what: "add" })}>
          {text("shop.products.files.add")}
        </Button>
      }
    >
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {data && all.length === 0 && <p class="field-hint">{text("shop.products.files.none")}</p>}
      {all.length > 0 && (
        <ol class="plain-list stack-small">
          {all.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              product={product}
              onVersion={() => setOpen({ what: "version", file })}
              onRemove={() => setOpen({ what: "remove", file })}
              onChanged={() => void refresh()}
              at={sold.indexOf(file)}
              count={sold.length}
              onMove={(to) => move(sold.indexOf(file), to)}
            />
          ))}
        </ol>
      )}
      {data && <TermsForm productId={product.id} terms={data.terms} />}
      {open?.what === "add" && <AddFile product={product} onDone={done} onClose={close} />}
      {open?.what === "version" && (
        <AddVersion product={product} file={open.file} onDone={done} onClose={close} />
      )}
      {open?.what === "remove" && (
        <RemoveFile product={product} file={open.file} onDone={done} onClose={close} />
      )}
    </Panel>
  );
}
