/** Dialog for a custom span. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";
import { toMoment } from "../../app/format.ts";
import { serviceNow } from "../../ui/server-clock.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { MAX_BACK_MS, MIN_SPAN_MS, type Span } from "./span.ts";
import { shownSpan, zoomTo } from "./view.ts";

/** The errors of the two fields, or a valid span. */
export function checkSpan(
  { from, to }: { from: string; to: string },
  now: number,
): { readonly span?: Span; readonly from?: string; readonly to?: string } {
  const [start, end] = [from, to].map((value) => Date.parse(parseLocal(value) ?? ""));
  const [isStart, isEnd] = [start, end].map((at) => at !== undefined && !Number.isNaN(at));
  const problems = {
    ...(isStart === true ? {} : { from: text("span.missing") }),
    ...(isEnd === true ? {} : { to: text("span.missing") }),
  };
  if (start === undefined || end === undefined || isStart !== true || isEnd !== true) return problems;
  if (start > now) return { from: text("span.future") };
  if (start < now - MAX_BACK_MS) return { from: text("span.tooOld", { time: toMoment(now - MAX_BACK_MS) }) };
  return end - start < MIN_SPAN_MS ? { to: text("span.order") } : { span: { from: start, to: end } };
}

/** The zone in which the reader's clock goes. */
export function readerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The dialog. */
export function SpanDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const [values, setValues] = useState(() => {
    const { from, to } = shownSpan();
    return { from: toDateTimeText(from), to: toDateTimeText(to) };
  });
  const [tried, setTried] = useState(false);
  const checked = checkSpan(values, serviceNow());
  function submit(): void {
    setTried(true);
    if (checked.span === undefined) return;
    onClose();
    zoomTo(checked.span);
  }
  return (
    <Dialog
      title={text("span.title")}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{text("control.cancel")}</Button>
          <Button kind="primary" type="submit">
            {text("span.show")}
          </Button>
        </>
      }
    >
      <div class="span-fields">
        {(["from", "to"] as const).map((name) => (
          <TextField
            key={name}
            type="datetime-local"
            label={text(`span.${name}`)}
            value={values[name]}
            error={tried ? checked[name] : undefined}
            onInput={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      <p class="quiet-text">{text("span.zone", { zone: readerZone() })}</p>
    </Dialog>
  );
}
