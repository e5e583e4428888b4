/** One file that is sold, with its versions. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toBytes } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { Button, IconButton } from "../../../ui/controls.tsx";
import { Badge, Moment } from "../../../ui/console/pieces.tsx";
import { showProblem } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { OrderButtons } from "../../../ui/forms/order-buttons.tsx";
import { type ProductView, nameVariant } from "../product-data.ts";
import { type FileView, toFilePath } from "./file-data.ts";
import { EditFile } from "./file-dialogs.tsx";

function Versions(props: { product: ProductView; file: FileView; onChanged: () => void }): JSX.Element {
  const { product, file, onChanged } = props;
  const newest = file.versions.at(-1)?.number;
  function remove(number: number): void {
    const path = `${toFilePath(product.id, file.id)}/versions/${number}`;
    adminRequest(path, { method: "DELETE" }).then(onChanged, showProblem);
  }
  return (
    <ul class="plain-list stack-small">
      {file.versions.toReversed().map(({ number, fileName, label, sizeBytes, sha256, createdAt }) => (
        <li class="version-row" key={number}>
          <span class="break">
            {text("shop.products.files.version", { number })} {label !== "" && <Badge>{label}</Badge>}{" "}
            {fileName}
          </span>
          <span class="field-hint">
            {toBytes(sizeBytes)} · <Moment at={createdAt} /> ·{" "}
            <code title={sha256}>{sha256.slice(0, 12)}</code>
          </span>
          {number !== newest && (
            <IconButton
              icon="trash"
              label={text("shop.products.files.version.remove", { number })}
              onClick={() => remove(number)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The row. */
export function FileRow(props: {
  product: ProductView;
  file: FileView;
  onVersion: () => void;
  onRemove: () => void;
  onChanged: () => void;
  /** Its place among those that are sold. */
  at: number;
  count: number;
  onMove: (to: number) => void;
}): JSX.Element {
  const { product, file, onVersion, onRemove, onChanged, at, count, onMove } = props;
  const { title, retiredAt, versions, variantIds } = file;
  const [isEditing, setEditing] = useState(false);
  const newest = versions.at(-1);
  const isRetired = retiredAt !== undefined;
  const names = product.variants.filter(({ id }) => variantIds?.includes(id) === true).map(nameVariant);
  return (
    <li class="list-row stack-small">
      <div class="panel-head">
        <span class="break">
          <strong>{title}</strong>{" "}
          {isRetired && <Badge kind="warn">{text("shop.products.files.retired")}</Badge>}
          <br />
          <span class="field-hint">
            {newest !== undefined && `${newest.fileName} · ${toBytes(newest.sizeBytes)}`}
            {names.length > 0 && ` · ${names.join(", ")}`}
          </span>
        </span>
        {!isRetired && (
          <span class="button-row">
            <IconButton
              icon="edit"
              label={text("shop.products.files.edit", { name: title })}
              onClick={() => setEditing(true)}
            />
            <OrderButtons name={title} at={at} count={count} onMove={onMove} onRemove={onRemove} />
          </span>
        )}
      </div>
      <details class="fold">
        <summary>{text("shop.products.files.versions", { count: versions.length })}</summary>
        <Versions product={product} file={file} onChanged={onChanged} />
      </details>
      {!isRetired && (
        <div class="button-row">
          <Button small icon="upload" onClick={onVersion}>
            {text("shop.products.files.newVersion")}
          </Button>
        </div>
      )}
      {isEditing && (
        <EditFile
          product={product}
          file={file}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            onChanged();
          }}
        />
      )}
    </li>
  );
}
