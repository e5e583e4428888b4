/** Checks a VAT ID: its form and its check digits. */
import type { JSX } from "preact";
import { type VatNumberForm, vatNumberQuerySchema } from "../../../shop/tax/answer-schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { Icon } from "../../ui/icons.tsx";
import { toCountryName } from "../ui/choices.ts";

/** The panel. */
export function VatCheck(): JSX.Element {
  const [number, setNumber] = useState("");
  const [found, setFound] = useState<VatNumberForm | undefined>();
  const task = useTask();
  async function check(): Promise<void> {
    setFound(undefined);
    const query = new URLSearchParams({ number: number.trim() });
    setFound(await adminRequest<VatNumberForm>(`/api/admin/tax/vat-number?${query.toString()}`));
  }
  return (
    <form
      class="admin-panel stack-small beside-form"
      aria-labelledby="vat-check-title"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (number.trim() !== "") void task.run(check);
      }}
    >
      <h2 id="vat-check-title">{text("shop.shipping.check")}</h2>
      <TaskNote task={task} pointers={[]} />
      <TextField
        label={text("shop.ui.vatId")}
        hint={text("shop.shipping.check.hint")}
        value={number}
        autoComplete="off"
        maxLength={toFields(vatNumberQuerySchema)["number"]?.max}
        onInput={setNumber}
      />
      <div class="button-row">
        <Button type="submit" disabled={task.busy}>
          {text("shop.shipping.check.do")}
        </Button>
      </div>
      <div role="status">
        {found && (
          <p class={`admin-note ${found.fault === undefined ? "is-good" : "is-bad"}`}>
            <Icon name={found.fault === undefined ? "check" : "alert"} />
            <span>
              {found.fault === undefined
                ? text("shop.shipping.check.good", { country: toCountryName(found.country ?? "") })
                : text(`shop.shipping.check.${found.fault}`)}
            </span>
          </p>
        )}
      </div>
    </form>
  );
}
