/** What a draft costs as it is typed, and what changed since it was saved. */
import type { JSX } from "preact";
import type { OrderChange } from "../../../shop/orders/schema.ts";
import { text } from "../../app/texts.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { Facts } from "../../ui/facts.tsx";
import { showMoney } from "../ui/money.ts";
import { usePrices } from "./draft-data.ts";

/** Changes of prices, from and to. */
export function DraftChanges({ changes }: { changes: readonly OrderChange[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <div class="admin-note is-warn" role="status">
      <div class="stack-small">
        <strong>{text("shop.drafts.changed")}</strong>
        <ul class="plain-list">
          {changes.map(({ field, from, to }) => (
            <li key={`${field} ${from} ${to}`}>{`${from === "" ? "–" : from} → ${to === "" ? "–" : to}`}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The amounts. */
export function DraftPrices({ body }: { body: object | undefined }): JSX.Element {
  const { shown, fault } = usePrices(body);
  if (fault !== undefined) return <ErrorNote message={fault} />;
  if (shown === undefined) return <p class="field-hint">{text("shop.drafts.noPrices")}</p>;
  const { quoted, short } = shown;
  const money = (amount: number): string => showMoney(amount, quoted.currency);
  const { subtotal, discount, shipping, total, tax, pricesIncludeTax } = quoted;
  return (
    <div role="status" class="stack-small">
      <Facts
        facts={[
          [text("shop.order.sum.subtotal"), money(subtotal)],
          [text("shop.order.sum.discount"), discount === 0 ? undefined : money(-discount)],
          [text("shop.order.sum.shipping"), money(shipping)],
          ...(tax?.rates ?? []).map(({ rate, tax: part }): [string, string | undefined] => [
            text(pricesIncludeTax === true ? "shop.order.sum.taxIncluded" : "shop.order.sum.tax", {
              rate: String(rate / 100),
            }),
            part === 0 ? undefined : money(part),
          ]),
          [text("shop.ui.total"), <strong key="total">{money(total)}</strong>],
        ]}
      />
      {short.map(({ title, left }) => (
        <p class="admin-note is-warn" key={title}>
          {text("shop.drafts.short", { title, left: String(left) })}
        </p>
      ))}
    </div>
  );
}
