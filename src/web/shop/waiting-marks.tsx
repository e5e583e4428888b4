/** How many wait for a person, beside the names of sections. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { toNumber } from "../app/format.ts";
import { countText } from "../app/texts.ts";
import { usePolled } from "../ui/console/polled.ts";
import type { Today } from "../../shop/operation/answer-schema.ts";
import type { Waiting } from "./today/today-data.ts";

const TODAY = "/api/admin/today";
const EVERY_MS = 60_000;

const waiting = signal<Today["waiting"] | undefined>(undefined);

function Count({ of: what, bad = false }: { of: Waiting; bad?: boolean }): JSX.Element | null {
  const count = waiting.value?.[what] ?? 0;
  if (count === 0) return null;
  return (
    <span class={`count-badge${bad ? " is-bad" : ""}`}>
      <span aria-hidden="true">{toNumber(count)}</span>
      <span class="for-readers">{countText("shop.frame.waiting", count)}</span>
    </span>
  );
}

/** Orders to deliver; it asks for the others, too. */
export function OrdersMark(): JSX.Element | null {
  const { data } = usePolled<Today>(TODAY, EVERY_MS);
  useEffect(() => {
    if (data !== undefined) waiting.value = data.waiting;
  }, [data]);
  return <Count of="toDeliver" />;
}

/** Payments that a person decides about. */
export function PaymentsMark(): JSX.Element | null {
  return <Count of="openNotices" bad />;
}

/** Withdrawals that wait. */
export function WithdrawalsMark(): JSX.Element | null {
  return <Count of="withdrawals" />;
}
