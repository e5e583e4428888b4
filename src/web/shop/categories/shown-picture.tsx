/** The picture of a category or a collection. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { sendFile } from "../../ui/console/send-file.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FileDrop } from "../../ui/forms/file-drop.tsx";
import { Panel } from "../ui/panel.tsx";
import { PICTURE_TYPES, findPictureFault } from "../ui/pictures.ts";
import { type ShownKind, type ShownView, toShownPath } from "./shown-data.ts";

/** The panel. */
export function ShownPicture(props: {
  kind: ShownKind;
  shown: ShownView;
  onChanged: () => void;
}): JSX.Element {
  const { kind, shown, onChanged } = props;
  const [image, setImage] = useState(shown.image);
  const [alt, setAlt] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const task = useTask();
  const path = `${toShownPath(kind, shown.id)}/image`;
  function take(next: ShownView): void {
    setImage(next.image);
    setAlt("");
    onChanged();
  }
  function send(file: File): void {
    const wrong = findPictureFault(file);
    setFault(wrong);
    if (wrong !== undefined) return;
    void task.run(async () => {
      const to = `${path}?alt=${encodeURIComponent(alt.trim())}`;
      take(await sendFile<ShownView>(to, { method: "PUT", body: file, type: file.type }));
    });
  }
  return (
    <Panel
      title={text("shop.ui.picture")}
      action={
        image && (
          <Button
            small
            icon="trash"
            disabled={task.busy}
            onClick={() =>
              void task.run(async () => take(await adminRequest<ShownView>(path, { method: "DELETE" })))
            }
          >
            {text("shop.categories.picture.remove")}
          </Button>
        )
      }
    >
      {(fault ?? task.message) !== undefined && <ErrorNote message={fault ?? task.message ?? ""} />}
      {image && <img class="wide-picture" src={`${image.url}?w=640`} alt={image.alt} />}
      <TextField
        label={text("shop.categories.picture.alt")}
        hint={text("shop.products.picture.alt.hint")}
        maxLength={300}
        value={alt}
        onInput={setAlt}
      />
      <FileDrop
        label={text(image ? "shop.categories.picture.other" : "shop.categories.picture.drop")}
        accept={PICTURE_TYPES}
        disabled={task.busy}
        onFiles={([file]) => file && send(file)}
      >
        {text("shop.products.pictures.limits")}
      </FileDrop>
    </Panel>
  );
}
