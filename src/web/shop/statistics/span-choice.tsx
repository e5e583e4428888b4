/** Which days are looked at, and by what they are summed; the address keeps both. */
import type { JSX } from "preact";
import type { SalesView } from "../../../shop/operation/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Field, Segments } from "../../ui/controls.tsx";
import type { Query } from "../../ui/console/query.ts";
import { type Unit, daysBefore, spans, units } from "./sales-data.ts";

/** The span of the address as the API takes it; "" of what it leaves open. */
export function toSalesQuery(query: Query): string {
  const asked = new URLSearchParams();
  for (const name of ["from", "to", "unit"]) if (query.get(name) !== "") asked.set(name, query.get(name));
  const words = asked.toString();
  return words === "" ? "" : `?${words}`;
}

/** How many of the offered days are shown; "" for others. */
function toShownDays({ from, to }: SalesView): string {
  return String(spans.find(({ days }) => from === daysBefore(to, days - 1))?.days ?? "");
}

function DayField(props: { name: "from" | "to"; value: string; query: Query }): JSX.Element {
  const { name, value, query } = props;
  return (
    <Field label={text(`shop.statistics.${name}`)}>
      {(links) => (
        <input
          {...links}
          type="date"
          value={value}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== "") query.set({ [name]: currentTarget.value });
          }}
        />
      )}
    </Field>
  );
}

/** The choices. */
export function SpanChoice({ view, query }: { view: SalesView; query: Query }): JSX.Element {
  return (
    <div class="span-choice">
      <Segments<string>
        label={text("shop.statistics.span")}
        value={toShownDays(view)}
        choices={spans.map(({ days }) => ({
          value: String(days),
          label: text(`shop.statistics.days${days}`),
        }))}
        onChange={(chosen) => {
          const span = spans.find(({ days }) => String(days) === chosen);
          if (span === undefined) return;
          query.set({ from: daysBefore(view.to, span.days - 1), to: view.to, unit: span.unit });
        }}
      />
      <DayField name="from" value={view.from} query={query} />
      <DayField name="to" value={view.to} query={query} />
      <Segments<Unit>
        label={text("shop.statistics.unit")}
        value={view.unit}
        choices={units.map((value) => ({ value, label: text(`shop.statistics.unit.${value}`) }))}
        onChange={(unit) => query.set({ unit })}
      />
    </div>
  );
}
