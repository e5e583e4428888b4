/** The span that all charts of the page show together, and what zooms and moves it. */
import { computed, signal } from "@preact/signals";
import { toOwnPath } from "../../app/path.ts";
import { serviceNow } from "../../ui/server-clock.ts";
import { navigate, search } from "../../app/route.ts";
import {
  type ChartView,
  MAX_BACK_MS,
  type Span,
  clampSpan,
  panSpan,
  readView,
  scaleSpan,
  toQuery,
} from "./span.ts";

/** As the address says it. */
export const chartView = computed<ChartView>(() => readView(search.value));
/** The span while it is being dragged; the address follows when that ends. */
export const movedSpan = signal<Span | undefined>(undefined);
/** The span being chosen to zoom to. */
export const selectedSpan = signal<Span | undefined>(undefined);
/** When the history of the server begins: there "all" does. Epoch ms. */
export const historyStart = signal<number | undefined>(undefined);

/** Nothing is shown shorter than a range, be the history as young as it may. */
const LEAST_ALL_MS = 15 * 60_000;

/** The span that a view shows now. */
export function toShownSpan({ range, span }: ChartView, firstAt: number | undefined): Span {
  if (span !== undefined) return span;
  const to = serviceNow();
  if (range.key !== "all" || firstAt === undefined) return { from: to - range.ms, to };
  return { from: Math.min(firstAt, to - LEAST_ALL_MS), to };
}

/** The span that is shown now, also while it is being dragged. */
export function shownSpan(): Span {
  return movedSpan.value ?? toShownSpan(chartView.value, historyStart.value);
}

function limits(): Span {
  const to = serviceNow();
  return { from: to - MAX_BACK_MS, to };
}

function show(view: ChartView, { replace = false }: { replace?: boolean } = {}): void {
  const query = toQuery(view);
  if (query !== location.search) navigate(toOwnPath(location.pathname) + query, { replace });
}

/** Shows a span of the reader's own, as a step of the browser's history. */
export function zoomTo(span: Span): void {
  show({ range: chartView.peek().range, span: clampSpan(span, limits()) });
}

/** Shows the span around its middle, `factor` times as long. */
export function zoomBy(factor: number): void {
  zoomTo(scaleSpan(shownSpan(), factor));
}

/** Shows an earlier or later span of the same length; `share` of it, negative is earlier. */
export function panBy(share: number): void {
  show(
    { range: chartView.peek().range, span: clampSpan(panSpan(shownSpan(), share), limits()) },
    { replace: true },
  );
}

/** Moves the span while a pointer is held; {@link dropSpan} puts it into the address. */
export function dragSpan(start: Span, share: number): void {
  movedSpan.value = clampSpan(panSpan(start, share), limits());
}

/** Ends moving. */
export function dropSpan(): void {
  const span = movedSpan.peek();
  if (span === undefined) return;
  show({ range: chartView.peek().range, span }, { replace: chartView.peek().span !== undefined });
  movedSpan.value = undefined;
}

/** Shows a range up to now: the chosen one, or the one that there was before zooming. */
export function resetTo(range = chartView.peek().range): void {
  show({ range, span: undefined });
}
