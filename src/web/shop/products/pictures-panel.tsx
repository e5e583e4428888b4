/** ProductImages of a product: added by drop or choice, put in order, described. Each change is stored at once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { MAX_IMAGES, productImageSchema } from "../../../shop/products/schema.ts";
import { text } from "../../app/texts.ts";
import { IconButton, TextField } from "../../ui/controls.tsx";
import { sendFile } from "../../ui/console/send-file.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FileDrop } from "../../ui/forms/file-drop.tsx";
import { createInTurn } from "../../ui/forms/in-turn.ts";
import { moveItem } from "../../ui/forms/moves.ts";
import type { ImageView as PictureView, ProductImages } from "../../../shop/products/answer-schema.ts";
import { OrderButtons } from "../../ui/forms/order-buttons.tsx";
import { toFields } from "../../ui/resource/field-source.ts";
import { Panel } from "../../ui/panel.tsx";
import { PICTURE_TYPES, preparePicture } from "../ui/pictures.ts";
import { type ProductView, toProductPath } from "./product-data.ts";

/** A file on its way, or one that did not arrive. */
interface Sending {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly message?: string;
}

/** Words for a picture out of its file's name: "red-mug_2.png" is "red mug 2". */
function toAlt(fileName: string): string {
  return fileName
    .replace(/\.[a-z]+$/iu, "")
    .replaceAll(/[\s_-]+/gu, " ")
    .trim()
    .slice(0, toFields(productImageSchema)["alt"]?.max);
}

function PictureRow(props: {
  picture: PictureView;
  at: number;
  count: number;
  onAlt: (alt: string) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}): JSX.Element {
  const { picture, at, count, onAlt, onMove, onRemove } = props;
  const [alt, setAlt] = useState(picture.alt);
  const name = alt === "" ? text("shop.products.picture.number", { number: at + 1 }) : alt;
  return (
    <li class="picture-row">
      <img class="thumb is-large" src={`${picture.url}?w=320`} alt={picture.alt} />
      <div class="stack-small">
        <div onFocusOut={() => alt.trim() !== picture.alt && onAlt(alt.trim())}>
          <TextField
            label={text("shop.products.picture.alt", { number: at + 1 })}
            hint={at === 0 ? text("shop.products.picture.alt.hint") : undefined}
            maxLength={toFields(productImageSchema)["alt"]?.max}
            value={alt}
            onInput={setAlt}
          />
        </div>
        <span class="button-row">
          <OrderButtons name={name} at={at} count={count} onMove={onMove} onRemove={onRemove} />
          <span class="field-hint">{`${picture.width} × ${picture.height}`}</span>
        </span>
      </div>
    </li>
  );
}

function useSending(productId: string, onItems: (items: readonly PictureView[]) => void) {
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const note = (name: string, change: Partial<Sending> | undefined): void =>
    setSending((before) =>
      change === undefined
        ? before.filter((one) => one.name !== name)
        : before.map((one) => (one.name === name ? { ...one, ...change } : one)),
    );
  async function sendOne({ name, file: given }: { name: string; file: File }): Promise<void> {
    const prepared = await preparePicture(given);
    if ("fault" in prepared) return note(name, { message: prepared.fault });
    const { file } = prepared;
    const path = `${toProductPath(productId)}/images?alt=${encodeURIComponent(toAlt(name))}`;
    try {
      const { items } = await sendFile<ProductImages>(path, {
        method: "POST",
        body: file,
        type: file.type,
        onProgress: (share) => note(name, { share }),
      });
      onItems(items);
      note(name, undefined);
    } catch (error) {
      note(name, { message: toMessage(error) });
    }
  }
  async function send(files: readonly File[]): Promise<void> {
    const names = new Set(files.map(({ name }) => name));
    setSending((before) => [
      ...before.filter(({ name }) => !names.has(name)),
      ...files.map(({ name }) => ({ name, share: 0 })),
    ]);
    // One after the other: they stay in the order in which they were chosen.
    for (const file of files) await sendOne({ name: file.name, file });
  }
  return { sending, send, forget: (name: string) => note(name, undefined) };
}

function SendingRow({ one, onForget }: { one: Sending; onForget: () => void }): JSX.Element {
  const { name, share, message } = one;
  return (
    <li class="list-row stack-small">
      <div class="panel-head">
        <span class="break">{name}</span>
        {message !== undefined && (
          <IconButton icon="close" label={text("shop.ui.dismiss", { name })} onClick={onForget} />
        )}
      </div>
      {message === undefined ? (
        <progress value={share} max={1} aria-label={text("shop.ui.sending", { name })} />
      ) : (
        <ErrorNote message={message} />
      )}
    </li>
  );
}

/** The panel; calls `onChanged` when the product has a new version. */
export function PicturesPanel(props: { product: ProductView; onChanged: () => void }): JSX.Element {
  const { product, onChanged } = props;
  const [items, setItems] = useState<readonly PictureView[]>(product.images);
  const [message, setMessage] = useState<string | undefined>();
  const [inTurn] = useState(() =>
    createInTurn<readonly PictureView[]>({
      stored: items,
      send: async (next) => {
        const images = next.map(({ hash, alt }) => ({ hash, alt }));
        const path = `${toProductPath(product.id)}/images`;
        const stored = await adminRequest<ProductImages>(path, { method: "PUT", body: { images } });
        onChanged();
        return stored.items;
      },
      show: setItems,
      onError: (error) => setMessage(toMessage(error)),
    }),
  );
  const { sending, send, forget } = useSending(product.id, (next) => {
    inTurn.take(next);
    onChanged();
  });
  // What is typed while a move is on its way is kept, and sent after it.
  function arrange(edit: (items: readonly PictureView[]) => readonly PictureView[]): void {
    setMessage(undefined);
    inTurn.change(edit);
  }
  return (
    <Panel title={text("shop.products.pictures")} hint={text("shop.products.pictures.hint")}>
      {message !== undefined && <ErrorNote message={message} />}
      {items.length > 0 && (
        <ol class="plain-list stack">
          {items.map((picture, at) => (
            <PictureRow
              key={picture.hash}
              picture={picture}
              at={at}
              count={items.length}
              onAlt={(alt) =>
                arrange((now) => now.map((one) => (one.hash === picture.hash ? { ...one, alt } : one)))
              }
              onMove={(to) =>
                arrange((now) =>
                  moveItem(now, { from: now.findIndex(({ hash }) => hash === picture.hash), to }),
                )
              }
              onRemove={() => arrange((now) => now.filter(({ hash }) => hash !== picture.hash))}
            />
          ))}
        </ol>
      )}
      <ul class="plain-list stack-small" aria-live="polite">
        {sending.map((one) => (
          <SendingRow one={one} onForget={() => forget(one.name)} key={one.name} />
        ))}
      </ul>
      {items.length < MAX_IMAGES && (
        <FileDrop
          label={text("shop.products.pictures.drop")}
          accept={PICTURE_TYPES}
          multiple
          onFiles={(files) => void send(files)}
        >
          {text("shop.products.pictures.limits")}
        </FileDrop>
      )}
    </Panel>
  );
}
