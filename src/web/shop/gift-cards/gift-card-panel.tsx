/** The terms of a product that is a gift card: an amount that the buyer chooses, and how long cards are valid. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button, Switch, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type ProductView, toProductPath } from "../products/product-data.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, typeMoney } from "../ui/money.ts";

interface Typed {
  readonly isOpen: boolean;
  readonly minimum: string;
  readonly maximum: string;
  readonly days: string;
}

function toTyped({ giftCard, currency }: ProductView): Typed {
  const { openAmount, days } = giftCard ?? {};
  const money = (amount: number | undefined): string =>
    amount === undefined ? "" : typeMoney(amount, currency);
  return {
    isOpen: openAmount !== undefined,
    minimum: money(openAmount?.minimum),
    maximum: money(openAmount?.maximum),
    days: days === undefined ? "" : String(days),
  };
}

const WHOLE = /^\d{0,5}$/u;

/** The panel; calls `onChanged` when the product has changed. */
export function GiftCardPanel({
  product,
  onChanged,
}: {
  product: ProductView;
  onChanged: () => void;
}): JSX.Element {
  const [typed, setTyped] = useState(() => toTyped(product));
  const task = useTask();
  const set = (part: Partial<Typed>): void => setTyped((now) => ({ ...now, ...part }));
  const { isOpen, minimum, maximum, days } = typed;
  const hasVariants = product.variants.length > 0;
  async function save(): Promise<void> {
    const openAmount = isOpen
      ? {
          minimum: readMoney(minimum, product.currency) ?? 0,
          maximum: readMoney(maximum, product.currency) ?? 0,
        }
      : undefined;
    const giftCard = { openAmount, days: days === "" ? undefined : Number(days) };
    const body = { giftCard, version: product.version };
    if (!(await task.run(() => adminRequest(toProductPath(product.id), { method: "PATCH", body })))) return;
    showToast(text("admin.saved"));
    onChanged();
  }
  return (
    <Panel title={text("shop.giftCards.terms")} hint={text("shop.giftCards.terms.hint")}>
      <form
        class="stack"
        noValidate
        aria-label={text("shop.giftCards.terms")}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TaskNote task={task} pointers={[]} />
        {!hasVariants && (
          <Switch
            label={text("shop.giftCards.terms.open")}
            checked={isOpen}
            onChange={(next) => set({ isOpen: next })}
          />
        )}
        {isOpen && (
          <div class="field-row">
            <MoneyField
              label={text("shop.giftCards.terms.minimum")}
              currency={product.currency}
              value={minimum}
              onInput={(next) => set({ minimum: next })}
            />
            <MoneyField
              label={text("shop.giftCards.terms.maximum")}
              currency={product.currency}
              value={maximum}
              onInput={(next) => set({ maximum: next })}
            />
          </div>
        )}
        <TextField
          label={text("shop.giftCards.terms.days")}
          hint={text("shop.giftCards.terms.days.hint")}
          value={days}
          inputMode="numeric"
          error={WHOLE.test(days) ? undefined : text("shop.ui.fault.whole")}
          onInput={(next) => set({ days: next })}
        />
        <div class="button-row">
          <Button type="submit" kind="primary" disabled={task.busy || !WHOLE.test(days)}>
            {text("admin.save")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
