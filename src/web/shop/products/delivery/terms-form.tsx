/** How often and how long buyers may download, for purchases from now on. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type DownloadTerms, downloadTermsRecordSchema } from "../../../../shop/files/schema.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { UnsavedGuard } from "../../../ui/console/unsaved.tsx";
import { isSame } from "../../../ui/forms/conflict.ts";
import { sayFaults } from "../../../ui/forms/parsed.ts";
import { FormFields } from "../../../ui/resource/fields.tsx";
import { makeForm, pickFields, readForm, toNext, toTyped } from "../../../ui/resource/form.ts";
import { toProductPath } from "../product-data.ts";

export const termsForm = makeForm({
  schema: downloadTermsRecordSchema,
  words: "shop.products.terms",
  only: "panels",
  fields: {
    maxDownloads: { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" },
    expiryDays: { placeholder: "shop.products.terms.forever", fault: "shop.ui.fault.whole" },
  },
  panels: [{ fields: [["maxDownloads", "expiryDays"], "endOnRefund"] }],
});

/** The form. */
export function TermsForm({ productId, terms }: { productId: string; terms: DownloadTerms }): JSX.Element {
  const [stored, setStored] = useState(() => toTyped(termsForm, pickFields(termsForm, terms), undefined));
  const [typed, setTyped] = useState(stored);
  const task = useTask();
  const dirty = !isSame(typed, stored);
  async function save(): Promise<void> {
    const parsed = readForm(termsForm, typed, { context: undefined });
    if (!parsed.ok) return task.refuse(sayFaults(parsed.faults));
    const path = `${toProductPath(productId)}/download-terms`;
    const send = () => adminRequest<DownloadTerms>(path, { method: "PUT", body: parsed.fields });
    if (!(await task.run(send))) return;
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
      <TaskNote task={task} pointers={termsForm.pointers} />
      <FormFields
        form={termsForm}
        context={undefined}
        part={{
          form: typed,
          errors: task.errors,
          onChange: (change) => setTyped((now) => toNext(now, change)),
        }}
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
