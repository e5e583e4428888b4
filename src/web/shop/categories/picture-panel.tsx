/** The picture of a category or a collection, stored at once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CategoryView, CollectionView } from "../../../shop/categories/answer-schema.ts";
import { productImageSchema } from "../../../shop/products/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { sendFile } from "../../ui/console/send-file.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FileDrop } from "../../ui/forms/file-drop.tsx";
import { toFields } from "../../ui/resource/field-source.ts";
import { type ItemTools, toItemPath } from "../../ui/resource/resource.ts";
import { Panel } from "../../ui/panel.tsx";
import { PICTURE_TYPES, preparePicture } from "../ui/pictures.ts";

/** The panel. */
export function PicturePanel(
  props: ItemTools<CategoryView | CollectionView> & { of: { readonly api: string } },
): JSX.Element {
  const { of, view, mayWrite, refresh } = props;
  const { image } = view;
  const [alt, setAlt] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const [share, setShare] = useState<number | undefined>();
  const task = useTask();
  const path = `${toItemPath(of, view.id)}/image`;
  const run = (work: () => Promise<unknown>): void =>
    void task.run(async () => {
      await work();
      setAlt("");
      await refresh();
    });
  async function send(given: File): Promise<void> {
    const prepared = await preparePicture(given);
    setFault("fault" in prepared ? prepared.fault : undefined);
    if ("fault" in prepared) return;
    const { file } = prepared;
    const to = `${path}?alt=${encodeURIComponent(alt.trim())}`;
    setShare(0);
    run(() =>
      sendFile(to, { method: "PUT", body: file, type: file.type, onProgress: setShare }).finally(() =>
        setShare(undefined),
      ),
    );
  }
  return (
    <Panel
      title={text("shop.ui.picture")}
      action={
        image &&
        mayWrite && (
          <Button
            small
            icon="trash"
            disabled={task.busy}
            onClick={() => run(() => adminRequest(path, { method: "DELETE" }))}
          >
            {text("shop.categories.picture.remove")}
          </Button>
        )
      }
    >
      {(fault ?? task.message) !== undefined && <ErrorNote message={fault ?? task.message ?? ""} />}
      {image && <img class="wide-picture" src={`${image.url}?w=640`} alt={image.alt} />}
      {mayWrite && (
        <>
          <TextField
            label={text("shop.categories.picture.alt")}
            hint={text("shop.products.picture.alt.hint")}
            maxLength={toFields(productImageSchema)["alt"]?.max}
            value={alt}
            onInput={setAlt}
          />
          {share !== undefined && (
            <progress value={share} max={1} aria-label={text("shop.ui.picture.sending")} />
          )}
          <FileDrop
            label={text(image ? "shop.categories.picture.other" : "shop.categories.picture.drop")}
            accept={PICTURE_TYPES}
            disabled={task.busy}
            onFiles={([file]) => file && void send(file)}
          >
            {text("shop.products.pictures.limits")}
          </FileDrop>
        </>
      )}
    </Panel>
  );
}
