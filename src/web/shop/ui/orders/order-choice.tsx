/** An order that is looked for and chosen. */
import type { JSX } from "preact";
import type { OrderSearchPage } from "../../../../shop/orders/answer-schema.ts";
import { searchQuerySchema } from "../../../../shop/order-search/schema.ts";
import { useState } from "preact/hooks";
import { text, withHint } from "../../../app/texts.ts";
import { Field } from "../../../ui/controls.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { useFound } from "../../../ui/console/found.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { showMoney } from "../money.ts";
import { ORDERS } from "./order-data.ts";
import { StatusMark } from "./order-marks.tsx";

/** The choice; `first` is looked for at once. */
export function OrderChoice(props: {
  first: string;
  error?: string | undefined;
  /** The id of an order. */
  chosen: string | undefined;
  onChoose: (id: string) => void;
}): JSX.Element {
  const { first, error, chosen, onChoose } = props;
  const [typed, setTyped] = useState(first);
  const { items, message } = useFound<OrderSearchPage["items"][number]>(`${ORDERS}/search`, {
    typed,
    limit: 6,
  });
  return (
    <div class="stack-small">
      <Field {...withHint("shop.ui.order")} error={error}>
        {(links) => (
          <input
            {...links}
            type="search"
            maxLength={toFields(searchQuerySchema)["q"]?.max}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
      {message !== undefined && <ErrorNote message={message} />}
      <div role="status">
        {items?.length === 0 && <p class="field-hint">{text("shop.orders.none.found")}</p>}
      </div>
      <ul class="plain-list choice-list">
        {items?.map((order) => (
          <li key={order.id}>
            <button
              type="button"
              class="button"
              aria-pressed={chosen === order.id}
              onClick={() => onChoose(order.id)}
            >
              {chosen === order.id && <Icon name="check" />}
              <span class="order-number">{order.number}</span>
              <span class="break">{order.contact.email}</span>
              <span>{showMoney(order.total, order.currency)}</span>
              <StatusMark status={order.status} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
