/** All shipping methods, and the one price that counts while there is none. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SITE, type SiteView, sendSite } from "../site/site-data.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, typeMoney } from "../ui/money.ts";
import { methods } from "./methods.tsx";

function toFeeEdited(
  currency: string,
  onSaved: () => void,
): Edited<SiteView, { fee: string }, { shippingFee: number }> {
  return {
    pick: ({ shippingFee }) => ({ shippingFee }),
    toForm: ({ shippingFee }) => ({ fee: typeMoney(shippingFee, currency) }),
    parse: ({ fee }) => {
      const shippingFee = readMoney(fee, currency);
      return shippingFee === undefined
        ? { ok: false, faults: new Map([["/shippingFee", "admin.fault.price"]]) }
        : { ok: true, fields: { shippingFee } };
    },
    send: (from, fields) => sendSite(from, fields).finally(onSaved),
    reload: () => adminRequest<SiteView>(SITE),
  };
}

function FeeForm({ stored, onSaved }: { stored: SiteView; onSaved: () => void }): JSX.Element {
  const { currency } = stored;
  const editor = useEditor(
    stored,
    useMemo(() => toFeeEdited(currency, onSaved), [currency]),
  );
  return (
    <EditorForm label={text("shop.shipping.fee")} editor={editor} pointers={["/shippingFee"]}>
      <FieldGroup title={text("shop.shipping.fee")} hint={text("shop.shipping.fee.hint")}>
        <MoneyField
          label={text("shop.shipping.fee.amount")}
          value={editor.form.fee}
          currency={currency}
          error={findError(editor.task.errors, "/shippingFee")}
          onInput={(fee) => editor.change({ fee })}
        />
      </FieldGroup>
    </EditorForm>
  );
}

/** The tab: the methods, and while none is switched on the one price. */
export function MethodsTab({ stored, onSaved }: { stored: SiteView; onSaved: () => void }): JSX.Element {
  return (
    <div class="stack">
      <ResourceList
        of={{
          ...methods,
          Below: ({ items, isLoading }) =>
            !isLoading &&
            !items.some(({ enabled }) => enabled) && <FeeForm stored={stored} onSaved={onSaved} />,
        }}
        head="panel"
      />
    </div>
  );
}
