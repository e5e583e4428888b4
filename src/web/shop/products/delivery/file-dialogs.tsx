/** A file that is added, changed, followed by a version, or taken off. */
import type { JSX } from "preact";
import type { FieldsJson } from "../../../../kit/fields/field-json.ts";
import type { RemovedFile } from "../../../../shop/files/answer-schema.ts";
import { fileVersionSchema, productFileRecordSchema } from "../../../../shop/products/file-schema.ts";
import { text } from "../../../app/texts.ts";
import { ConfirmTask } from "../../../ui/console/confirm-task.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { showToast } from "../../../ui/controls-toast.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import { FieldsDialog } from "../../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../../ui/resource/form.ts";
import { EditRecord } from "../../../ui/resource/item-dialogs.tsx";
import { type KindOf, toText, toTexts } from "../../../ui/resource/kind.ts";
import { sayPlain } from "../../../ui/resource/kinds.tsx";
import { TickList } from "../../../ui/resource/set-kinds.tsx";
import { type ProductView, nameVariant, toProductPath } from "../product-data.ts";
import { type FileView, toFilePath } from "./file-data.ts";
import { UploadField } from "./upload-field.tsx";

interface DialogProps {
  readonly product: ProductView;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The ID of what was sent. */
const uploadKind: KindOf<ProductView> = () => ({
  blank: "",
  toTyped: () => "",
  read: (typed) => (typed === "" ? { fault: "shop.products.files.first" } : { value: toText(typed) }),
  Field: ({ context, error, onChange }) => (
    <>
      <UploadField productId={context.id} onUpload={(upload) => onChange(upload?.id ?? "")} />
      {error && <span class="field-error">{error}</span>}
    </>
  ),
  say: sayPlain,
});

/** Which variants' buyers get it; without any, all: that is `none` in a request. */
function variantsKind(none: null | undefined): KindOf<ProductView> {
  return () => ({
    blank: [],
    toTyped: (value) => (Array.isArray(value) ? value.map(String) : []),
    read: (typed) => ({ value: toTexts(typed).length === 0 ? none : typed }),
    Field: ({ label, hint, context: { variants }, value, onChange }) =>
      variants.length < 2 ? null : (
        <TickList
          label={label}
          hint={hint}
          class="tick-list"
          choices={variants.map((variant) => ({ value: variant.id, label: nameVariant(variant) }))}
          value={toTexts(value)}
          onChange={onChange}
        />
      ),
    say: sayPlain,
  });
}

const title = { kind: "text", min: 1, max: toFields(productFileRecordSchema)["title"]?.max } as const;
const label = { kind: "text", max: toFields(fileVersionSchema)["label"]?.max } as const;
const words = "shop.products.files";
const variants = { label: "shop.products.files.for" } as const;

export const newFile = makeForm<FieldsJson, ProductView>({
  schema: { uploadId: { kind: "text" }, title, label, variantIds: { kind: "tags" } },
  words,
  fields: {
    uploadId: { kind: uploadKind, label: "shop.products.files.drop" },
    variantIds: { ...variants, kind: variantsKind(undefined) },
  },
});

export const fileForm = makeForm<FieldsJson, ProductView>({
  schema: { title: { ...title, required: true }, variantIds: { kind: "tags" } },
  words,
  fields: { title: { hint: "" }, variantIds: { ...variants, kind: variantsKind(null) } },
});

export const newVersion = makeForm<FieldsJson, ProductView>({
  schema: { uploadId: { kind: "text" }, label, notify: { kind: "switch" } },
  words,
  fields: { uploadId: { kind: uploadKind, label: "shop.products.files.drop" } },
});

/** Sends a file and puts it on sale. */
export function AddFile({ product, onDone, onClose }: DialogProps): JSX.Element {
  const path = `${toProductPath(product.id)}/files`;
  return (
    <FieldsDialog
      title={text("shop.products.files.add")}
      action={text("shop.products.files.sell")}
      form={newFile}
      context={product}
      send={(body) => adminRequest<FileView>(path, { method: "POST", body })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Changes what a file is called and who gets it. */
export function EditFile(props: DialogProps & { file: FileView }): JSX.Element {
  const { product, file, onDone, onClose } = props;
  return (
    <EditRecord
      title={text("shop.products.files.edit", { name: file.title })}
      path={toFilePath(product.id, file.id)}
      form={fileForm}
      context={product}
      view={file}
      onDone={async () => onDone()}
      onClose={onClose}
    />
  );
}

/** Sends what buyers get from now on in place of the present version. */
export function AddVersion(props: DialogProps & { file: FileView }): JSX.Element {
  const { product, file, onDone, onClose } = props;
  const path = `${toFilePath(product.id, file.id)}/versions`;
  return (
    <FieldsDialog
      title={text("shop.products.files.newVersion.of", { name: file.title })}
      action={text("shop.products.files.sell")}
      form={newVersion}
      context={product}
      send={(body) => adminRequest<FileView>(path, { method: "POST", body })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Removes a file; earlier buyers keep it. */
export function RemoveFile(props: DialogProps & { file: FileView }): JSX.Element {
  const { product, file, onDone, onClose } = props;
  async function remove(): Promise<void> {
    const path = toFilePath(product.id, file.id);
    const { kept } = await adminRequest<RemovedFile>(path, { method: "DELETE" });
    showToast(text(kept ? "shop.products.files.kept" : "shop.products.files.gone", { name: file.title }));
    onDone();
  }
  return (
    <ConfirmTask title={text("shop.products.files.remove")} danger send={remove} onClose={onClose}>
      {text("shop.products.files.remove.text", { name: file.title })}
    </ConfirmTask>
  );
}
