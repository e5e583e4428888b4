/** All shipping methods, and the one price that counts while there is none. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { currentLanguage, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Badge, FieldGroup } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { Empty } from "../../ui/empty.tsx";
import { SITE, type SiteView, sendSite } from "../site/site-data.ts";
import { toCountryName } from "../ui/choices.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, showMoney, typeMoney } from "../ui/money.ts";
import { METHODS, type MethodView } from "./method-form.ts";

/** As many countries as a row names. */
const NAMED = 4;

function toPlaces({ countries, excludedCountries }: MethodView): string {
  if (countries.length === 0 && excludedCountries.length === 0) return text("shop.shipping.everywhere");
  const names = (codes: readonly string[]): string => {
    const shown = new Intl.ListFormat(currentLanguage()).format(codes.slice(0, NAMED).map(toCountryName));
    return codes.length > NAMED
      ? text("shop.shipping.more", { names: shown, count: codes.length - NAMED })
      : shown;
  };
  if (excludedCountries.length === 0) return names(countries);
  const but = names(excludedCountries);
  return countries.length === 0
    ? text("shop.shipping.everywhereBut", { but })
    : text("shop.shipping.placesBut", { names: names(countries), but });
}

function toPrices({ steps, freeFrom }: MethodView, currency: string): string {
  const prices = steps.map(({ price }) => price);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const range =
    least === most
      ? showMoney(least, currency)
      : `${showMoney(least, currency)} – ${showMoney(most, currency)}`;
  return freeFrom === undefined
    ? range
    : text("shop.shipping.freeAbove", { range, value: showMoney(freeFrom, currency) });
}

function toColumns(currency: string): readonly TableColumn<MethodView>[] {
  return [
    {
      key: "title",
      label: text("shop.shipping.title"),
      cell: ({ id, title, deliveryTime, enabled }) => (
        <>
          <a class="row-name" href={`/admin/shipping/${id}`}>
            {title}
          </a>
          {!enabled && <Badge kind="warn">{text("shop.ui.off")}</Badge>}
          {deliveryTime !== "" && (
            <>
              <br />
              <span class="field-hint">{deliveryTime}</span>
            </>
          )}
        </>
      ),
    },
    { key: "where", label: text("shop.shipping.where"), cell: (method) => toPlaces(method) },
    { key: "price", label: text("shop.shipping.prices"), cell: (method) => toPrices(method, currency) },
  ];
}

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

/** The tab. */
export function MethodsTab({ stored, onSaved }: { stored: SiteView; onSaved: () => void }): JSX.Element {
  const { data, error, refresh } = usePolled<{ readonly items: readonly MethodView[] }>(METHODS, 0);
  const items = data?.items ?? [];
  const add = (
    <Button kind="primary" icon="plus" onClick={() => navigate("/admin/shipping/new")}>
      {text("shop.shipping.add")}
    </Button>
  );
  return (
    <div class="stack">
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data && items.length === 0 && (
        <Empty icon="send" title={text("shop.shipping.none")} hint={text("shop.shipping.none.hint")}>
          {add}
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <div class="panel-head">
            <p class="field-hint">{text("shop.shipping.hint")}</p>
            {add}
          </div>
          <div class="settings-table">
            <Table
              caption={text("shop.shipping.methods")}
              columns={toColumns(stored.currency)}
              rows={items}
              keyOf={({ id }) => id}
            />
          </div>
        </>
      )}
      {data && !items.some(({ enabled }) => enabled) && <FeeForm stored={stored} onSaved={onSaved} />}
    </div>
  );
}
