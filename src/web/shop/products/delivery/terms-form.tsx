/** How often and how long buyers may download, for purchases from now on. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type DownloadTerms, downloadTermsRecordSchema } from "../../../../shop/files/schema.ts";
import { text, withHint } from "../../../app/texts.ts";
import { Button, Checkbox, TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { UnsavedGuard } from "../../../ui/console/unsaved.tsx";
import { findError } from "../../../ui/forms/field-errors.ts";
import { parseBounded } from "../../../ui/forms/parsed.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { toProductPath } from "../product-data.ts";

const POINTERS = ["/maxDownloads", "/expiryDays"];
const bounds = toFields(downloadTermsRecordSchema);

interface TypedTerms {
  readonly maxDownloads: string;
  readonly expiryDays: string;
  readonly endOnRefund: boolean;
}

function toTyped({ maxDownloads, expiryDays, endOnRefund }: DownloadTerms): TypedTerms {
  const type = (value: number | undefined): string => (value === undefined ? "" : String(value));
  return { maxDownloads: type(maxDownloads), expiryDays: type(expiryDays), endOnRefund };
}

/** The form. */
export function TermsForm({ productId, terms }: { productId: string; terms: DownloadTerms }): JSX.Element {
  const [stored, setStored] = useState(toTyped(terms));
  const [typed, setTyped] = useState(stored);
  const task = useTask();
  const dirty = JSON.stringify(typed) !== JSON.stringify(stored);
  async function save(): Promise<void> {
    const faults = new Map<string, string>();
    const read = (name: "maxDownloads" | "expiryDays"): number | undefined => {
      if (typed[name].trim() === "") return undefined;
      const value = parseBounded(typed[name], bounds[name]);
      if (value === undefined) faults.set(`/${name}`, text("shop.ui.fault.whole"));
      return value;
    };
    const body = {
      maxDownloads: read("maxDownloads"),
      expiryDays: read("expiryDays"),
      endOnRefund: typed.endOnRefund,
    };
    if (faults.size > 0) return task.refuse(faults);
    const path = `${toProductPath(productId)}/download-terms`;
    if (!(await task.run(() => adminRequest<DownloadTerms>(path, { method: "PUT", body })))) return;
    setStored(typed);
    showToast(text("admin.saved"));
  }
  return (
    <form
      class="stack"
      noValidate
      aria-label={text("shop.products.terms")}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>{text("shop.products.terms")}</h3>
      <TaskNote task={task} pointers={POINTERS} />
      <div class="field-row">
        <TextField
          {...withHint("shop.products.terms.maxDownloads")}
          placeholder={text("shop.ui.noLimit")}
          inputMode="numeric"
          value={typed.maxDownloads}
          error={findError(task.errors, "/maxDownloads")}
          onInput={(maxDownloads) => setTyped({ ...typed, maxDownloads })}
        />
        <TextField
          label={text("shop.products.terms.expiryDays")}
          placeholder={text("shop.products.terms.forever")}
          inputMode="numeric"
          value={typed.expiryDays}
          error={findError(task.errors, "/expiryDays")}
          onInput={(expiryDays) => setTyped({ ...typed, expiryDays })}
        />
      </div>
      <Checkbox
        label={text("shop.products.terms.endOnRefund")}
        checked={typed.endOnRefund}
        onChange={(endOnRefund) => setTyped({ ...typed, endOnRefund })}
      />
      <div class="button-row">
        <Button type="submit" disabled={!dirty || task.busy}>
          {text("admin.save")}
        </Button>
      </div>
      <UnsavedGuard dirty={dirty} />
    </form>
  );
}
