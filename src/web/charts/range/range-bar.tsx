/** Above the charts: the range, zooming and moving without a pointer, and units. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toCount } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { rateUnit, rateUnits, temperatureUnit, temperatureUnits } from "../../app/units.ts";
import { Button, type Choice, IconButton, Segments, Select } from "../../ui/controls.tsx";
import { findRange, ranges } from "./ranges.ts";
import { SpanDialog } from "./span-dialog.tsx";
import { toSpanWords } from "./times.ts";
import { chartView, panBy, resetTo, shownSpan, zoomBy } from "./view.ts";

const PAN = 0.5;
const OWN = "own";

function RangeChoice({ onOwn }: { onOwn: () => void }): JSX.Element {
  const { range, span } = chartView.value;
  function list(display: "short" | "narrow"): Choice<string>[] {
    const choices = ranges.map(({ key, amount, unit }) => ({
      value: key as string,
      label: key === "all" ? text("chart.all") : toCount(amount, unit, display),
    }));
    return [...choices, { value: OWN, label: text("span.own") }];
  }
  const props = {
    label: text("chart.range"),
    value: span === undefined ? range.key : OWN,
    onChange: (key: string) => (key === OWN ? onOwn() : resetTo(findRange(key))),
  };
  return (
    <>
      <span class="for-wide">
        <Segments {...props} choices={list("narrow")} />
      </span>
      <span class="for-narrow">
        <Select {...props} choices={list("short")} />
      </span>
    </>
  );
}

function Units(): JSX.Element {
  return (
    <>
      <Select
        label={text("units.rate")}
        value={rateUnit.value}
        choices={rateUnits.map((value) => ({ value, label: text(`units.${value}`) }))}
        onChange={(value) => {
          rateUnit.value = value;
        }}
      />
      <Select
        label={text("units.temperature")}
        value={temperatureUnit.value}
        choices={temperatureUnits.map((value) => ({ value, label: text(`units.${value}`) }))}
        onChange={(value) => {
          temperatureUnit.value = value;
        }}
      />
    </>
  );
}

/** The bar; without units where the charts have none to choose. */
export function RangeBar({ hasUnits = true }: { hasUnits?: boolean }): JSX.Element {
  const [asks, setAsks] = useState(false);
  const isZoomed = chartView.value.span !== undefined;
  return (
    <div class="range-bar">
      <RangeChoice onOwn={() => setAsks(true)} />
      <span class="range-steps" role="group" aria-label={text("chart.move")}>
        <IconButton icon="back" label={text("chart.earlier")} onClick={() => panBy(-PAN)} />
        <IconButton icon="next" label={text("chart.later")} onClick={() => panBy(PAN)} />
        <IconButton icon="plus" label={text("chart.zoomIn")} onClick={() => zoomBy(0.5)} />
        <IconButton icon="minus" label={text("chart.zoomOut")} onClick={() => zoomBy(2)} />
      </span>
      {hasUnits && (
        <span class="range-units">
          <Units />
        </span>
      )}
      {isZoomed && (
        <span class="range-own" role="status">
          <strong>{toSpanWords(shownSpan(), { withDay: true })}</strong>
          <Button small onClick={() => resetTo()}>
            {text("chart.reset")}
          </Button>
        </span>
      )}
      {asks && <SpanDialog onClose={() => setAsks(false)} />}
    </div>
  );
}
