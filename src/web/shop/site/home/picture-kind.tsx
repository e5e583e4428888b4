/** The picture of a section: uploaded at once, and shown with the next save. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ImageView } from "../../../../shop/products/answer-schema.ts";
import { sectionPictureSchema } from "../../../../shop/site/storefront-schema.ts";
import { text } from "../../../app/texts.ts";
import { Button, TextField } from "../../../ui/controls.tsx";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { sendFile } from "../../../ui/console/send-file.ts";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import { type Kind, type Shown, toText } from "../../../ui/resource/kind.ts";
import { sayPlain } from "../../../ui/resource/kinds.tsx";
import { PICTURE_TYPES, preparePicture } from "../../ui/pictures.ts";

type Picture = Omit<ImageView, "url" | "srcset">;

/** A picture in the form is its JSON. */
function readPicture(typed: string): Picture | undefined {
  // It was written below.
  return typed === "" ? undefined : (JSON.parse(typed) as Picture);
}

function PictureField<C>({ label, value, error, onChange }: Shown<C>): JSX.Element {
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const picture = readPicture(toText(value));
  async function send(given: File): Promise<void> {
    const prepared = await preparePicture(given);
    setFault("fault" in prepared ? prepared.fault : undefined);
    if ("fault" in prepared) return;
    const { file } = prepared;
    setShare(0);
    try {
      const sent = { method: "POST", body: file, type: file.type, onProgress: setShare } as const;
      const {
        url: _url,
        srcset: _srcset,
        ...kept
      } = await sendFile<ImageView>("/api/admin/site/pictures", sent);
      onChange(JSON.stringify({ ...kept, alt: picture?.alt ?? "" }));
    } catch (failure) {
      setFault(toMessage(failure));
    } finally {
      setShare(undefined);
    }
  }
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{label}</legend>
      {(fault ?? error) !== undefined && <ErrorNote message={fault ?? error ?? ""} />}
      {picture && (
        <>
          <img class="wide-picture" src={`/api/images/${picture.hash}?w=640`} alt={picture.alt} />
          <TextField
            label={text("shop.home.alt")}
            hint={text("shop.products.picture.alt.hint")}
            maxLength={toFields(sectionPictureSchema)["alt"]?.max}
            value={picture.alt}
            onInput={(alt) => onChange(JSON.stringify({ ...picture, alt }))}
          />
          <span class="button-row">
            <Button small icon="trash" onClick={() => onChange("")}>
              {text("shop.categories.picture.remove")}
            </Button>
          </span>
        </>
      )}
      {share !== undefined && <progress value={share} max={1} aria-label={text("shop.ui.picture.sending")} />}
      <FileDrop
        label={text(picture ? "shop.categories.picture.other" : "shop.categories.picture.drop")}
        accept={PICTURE_TYPES}
        disabled={share !== undefined}
        onFiles={([file]) => file && void send(file)}
      >
        {text("shop.products.pictures.limits")}
      </FileDrop>
    </fieldset>
  );
}

export function pictureKind<C>(): Kind<C> {
  return {
    blank: "",
    toTyped: (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : ""),
    read: (typed) => ({ value: readPicture(toText(typed)) }),
    Field: PictureField,
    say: sayPlain,
  };
}
