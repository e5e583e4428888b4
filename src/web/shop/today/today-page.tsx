/** How the shop fares: what came in, and what waits for somebody. */
import type { JSX } from "preact";
import { formatAmount } from "../../../shop/money.ts";
import { toNumber } from "../../app/format.ts";
import { type TextName, currentLanguage, text } from "../../app/texts.ts";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, toMessage } from "../../ui/console/problem.tsx";

const STATS = "/api/admin/stats";
const EVERY_MS = 30_000;

interface Stats {
  readonly currency: string;
  readonly revenue: number;
  readonly days: readonly { readonly day: string; readonly orders: number; readonly revenue: number }[];
}

function Figure({ label, value }: { label: TextName; value: string }): JSX.Element {
  return (
    <div class="figure">
      <dt>{text(label)}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The section. */
export function TodayPage(): JSX.Element {
  const { data, error, refresh } = usePolled<Stats>(STATS, EVERY_MS);
  const orders = data?.days.reduce((sum, day) => sum + day.orders, 0) ?? 0;
  return (
    <>
      <PageHead title={text("shop.nav.today")} />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data && (
        <dl class="figures">
          <Figure label="shop.today.orders30" value={toNumber(orders)} />
          <Figure
            label="shop.today.revenue30"
            value={formatAmount(data.revenue, data.currency, currentLanguage())}
          />
        </dl>
      )}
    </>
  );
}
