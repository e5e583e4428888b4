/** One file that is chosen and sent: how far it is, stopping, going on after a break. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { UploadView } from "../../../../shop/files/answer-schema.ts";
import { toBytes } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { ErrorNote, showProblem } from "../../../ui/console/problem.tsx";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { forget, upload } from "./file-upload.ts";

interface State {
  readonly file: File;
  readonly sentBytes: number;
  readonly message?: string | undefined;
  readonly isDone?: boolean;
}

/** The field; `onUpload` gets the upload when all of it is there, and undefined when it is taken back. */
export function UploadField(props: {
  productId: string;
  onUpload: (upload: UploadView | undefined) => void;
}): JSX.Element {
  const { productId, onUpload } = props;
  const [state, setState] = useState<State | undefined>();
  const stop = useRef<AbortController>();
  useEffect(() => () => stop.current?.abort(), []);
  async function send(file: File): Promise<void> {
    const control = new AbortController();
    stop.current = control;
    setState({ file, sentBytes: 0 });
    try {
      const onProgress = (sentBytes: number): void => setState({ file, sentBytes });
      const done = await upload({ productId, file, signal: control.signal, onProgress });
      setState({ file, sentBytes: file.size, isDone: true });
      onUpload(done);
    } catch (error) {
      const message = control.signal.aborted ? text("shop.products.files.stopped") : toMessage(error);
      setState((before) => before && { ...before, message });
    }
  }
  if (state === undefined)
    return (
      <FileDrop label={text("shop.products.files.drop")} onFiles={([file]) => file && void send(file)}>
        {text("shop.products.files.drop.hint")}
      </FileDrop>
    );
  const { file, sentBytes, message, isDone = false } = state;
  return (
    <div class="list-row stack-small">
      <div class="panel-head">
        <strong class="break">{file.name}</strong>
        <span class="field-hint" role="status">
          {text("shop.products.files.sent", { sent: toBytes(sentBytes), size: toBytes(file.size) })}
        </span>
      </div>
      <progress value={sentBytes} max={file.size} aria-label={text("shop.ui.sending", { name: file.name })} />
      {message !== undefined && <ErrorNote message={message} />}
      <div class="button-row">
        {message !== undefined && (
          <Button icon="refresh" onClick={() => void send(file)}>
            {text("shop.products.files.goOn")}
          </Button>
        )}
        {message === undefined && !isDone && (
          <Button onClick={() => stop.current?.abort()}>{text("shop.products.files.stop")}</Button>
        )}
        {(message !== undefined || isDone) && (
          <Button
            kind="quiet"
            onClick={() => {
              setState(undefined);
              onUpload(undefined);
              forget(productId, file).catch(showProblem);
            }}
          >
            {text("shop.products.files.other")}
          </Button>
        )}
      </div>
    </div>
  );
}
