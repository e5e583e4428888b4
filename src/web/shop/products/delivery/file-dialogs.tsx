/** A file that is added, changed, followed by a version, or taken off. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RemovedFile, UploadView } from "../../../../shop/files/answer-schema.ts";
import { fileVersionSchema, productFileRecordSchema } from "../../../../shop/products/file-schema.ts";
import { text, withHint } from "../../../app/texts.ts";
import { Checkbox, TextField } from "../../../ui/controls.tsx";
import { ConfirmDialog } from "../../../ui/controls-dialog.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { FormDialog } from "../../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { findError } from "../../../ui/forms/field-errors.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { type ProductView, nameVariant, toProductPath } from "../product-data.ts";
import { type FileView, toFilePath } from "./file-data.ts";
import { UploadField } from "./upload-field.tsx";

const bounds = toFields(productFileRecordSchema);

interface DialogProps {
  readonly product: ProductView;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Which variants' buyers get it; none named: all. */
function VariantTicks(props: {
  product: ProductView;
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}): JSX.Element | null {
  const { product, chosen, onChange } = props;
  if (product.variants.length < 2) return null;
  return (
    <fieldset class="plain-fieldset">
      <legend class="field-label">{text("shop.products.files.for")}</legend>
      <div class="tick-list">
        {product.variants.map((variant) => (
          <Checkbox
            key={variant.id}
            label={nameVariant(variant)}
            checked={chosen.includes(variant.id)}
            onChange={(isIn) =>
              onChange(isIn ? [...chosen, variant.id] : chosen.filter((id) => id !== variant.id))
            }
          />
        ))}
      </div>
      <span class="field-hint">{text("shop.products.files.for.hint")}</span>
    </fieldset>
  );
}

/** Sends a file and puts it on sale. */
export function AddFile({ product, onDone, onClose }: DialogProps): JSX.Element {
  const [sent, setSent] = useState<UploadView | undefined>();
  const [title, setTitle] = useState("");
  const [label, setLabel] = useState("");
  const [variantIds, setVariantIds] = useState<readonly string[]>([]);
  const task = useTask();
  async function add(): Promise<void> {
    if (sent === undefined) return task.refuse(new Map([["/uploadId", text("shop.products.files.first")]]));
    const body = {
      uploadId: sent.id,
      label,
      title: title.trim() === "" ? undefined : title.trim(),
      variantIds: variantIds.length === 0 ? undefined : variantIds,
    };
    const path = `${toProductPath(product.id)}/files`;
    if (await task.run(() => adminRequest<FileView>(path, { method: "POST", body }))) onDone();
  }
  return (
    <FormDialog
      title={text("shop.products.files.add")}
      action={text("shop.products.files.sell")}
      task={task}
      pointers={["/uploadId", "/title"]}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <UploadField productId={product.id} onUpload={setSent} />
      {task.errors.has("/uploadId") && <span class="field-error">{task.errors.get("/uploadId")}</span>}
      <TextField
        {...withHint("shop.products.files.title")}
        maxLength={bounds["title"]?.max}
        value={title}
        error={findError(task.errors, "/title")}
        onInput={setTitle}
      />
      <TextField
        {...withHint("shop.products.files.label")}
        maxLength={toFields(fileVersionSchema)["label"]?.max}
        value={label}
        onInput={setLabel}
      />
      <VariantTicks product={product} chosen={variantIds} onChange={setVariantIds} />
    </FormDialog>
  );
}

/** Changes what a file is called and who gets it. */
export function EditFile(props: DialogProps & { file: FileView }): JSX.Element {
  const { product, file, onDone, onClose } = props;
  const [title, setTitle] = useState(file.title);
  const [variantIds, setVariantIds] = useState<readonly string[]>(file.variantIds ?? []);
  const task = useTask();
  async function save(): Promise<void> {
    const body = { title: title.trim(), variantIds: variantIds.length === 0 ? null : variantIds };
    const path = toFilePath(product.id, file.id);
    const send = () => adminRequest<FileView>(path, { method: "PATCH", body, version: file.version });
    if (await task.run(send)) onDone();
  }
  return (
    <FormDialog
      title={text("shop.products.files.edit", { name: file.title })}
      action={text("admin.save")}
      task={task}
      pointers={["/title"]}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label={text("shop.products.files.title")}
        maxLength={bounds["title"]?.max}
        value={title}
        error={findError(task.errors, "/title")}
        onInput={setTitle}
      />
      <VariantTicks product={product} chosen={variantIds} onChange={setVariantIds} />
    </FormDialog>
  );
}

/** Sends what buyers get from now on in place of the present version. */
export function AddVersion(props: DialogProps & { file: FileView }): JSX.Element {
  const { product, file, onDone, onClose } = props;
  const [sent, setSent] = useState<UploadView | undefined>();
  const [label, setLabel] = useState("");
  const [notify, setNotify] = useState(false);
  const task = useTask();
  async function add(): Promise<void> {
    if (sent === undefined) return task.refuse(new Map([["/uploadId", text("shop.products.files.first")]]));
    const body = { uploadId: sent.id, label, notify };
    const path = `${toFilePath(product.id, file.id)}/versions`;
    if (await task.run(() => adminRequest<FileView>(path, { method: "POST", body }))) onDone();
  }
  return (
    <FormDialog
      title={text("shop.products.files.newVersion.of", { name: file.title })}
      action={text("shop.products.files.sell")}
      task={task}
      pointers={["/uploadId"]}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <UploadField productId={product.id} onUpload={setSent} />
      {task.errors.has("/uploadId") && <span class="field-error">{task.errors.get("/uploadId")}</span>}
      <TextField
        {...withHint("shop.products.files.label")}
        maxLength={toFields(fileVersionSchema)["label"]?.max}
        value={label}
        onInput={setLabel}
      />
      <Checkbox label={text("shop.products.files.notify")} checked={notify} onChange={setNotify} />
    </FormDialog>
  );
}

/** Takes a file off; who bought before keeps it. */
export function RemoveFile(props: DialogProps & { file: FileView }): JSX.Element {
  const { product, file, onDone, onClose } = props;
  const task = useTask();
  async function remove(): Promise<void> {
    const path = toFilePath(product.id, file.id);
    const { kept } = await adminRequest<RemovedFile>(path, { method: "DELETE" });
    showToast(text(kept ? "shop.products.files.kept" : "shop.products.files.gone", { name: file.title }));
    onDone();
  }
  return (
    <ConfirmDialog
      title={text("shop.products.files.remove")}
      action={text("shop.products.files.remove")}
      danger
      busy={task.busy}
      onClose={onClose}
      onConfirm={() => void task.run(remove)}
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <p>{text("shop.products.files.remove.text", { name: file.title })}</p>
    </ConfirmDialog>
  );
}
