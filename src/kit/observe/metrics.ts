/** Counters, gauges and histograms of a process, rendered as OpenMetrics text. */

/** Label values by name; every declared label must be given. */
export type Labels = Readonly<Record<string, string | number>>;

/** Common to all metrics. Names and units follow OpenMetrics: `_seconds`, `_bytes`, counters without `_total`. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Only grows. */
export interface Counter {
  add(by?: number, labels?: Labels): void;
}

/** Goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void;
}

/** Counts values into buckets. */
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** The reader of the text: hidden values are only for administrators. */
export type MetricsAudience = "everyone" | "administrators";

/** A value that is read when the text is rendered; a list gives one per label set. */
export type Reading = (
  audience: MetricsAudience,
) => number | readonly { readonly labels: Labels; readonly value: number }[];

/** The metrics of one process or service. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions & { readonly read?: Reading }): Gauge;
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): Histogram;
  /** A counter that something else keeps. */
  counterFrom(options: MetricOptions & { readonly read: Reading }): void;
  /** OpenMetrics 1.0 text, ended by `# EOF`; for everyone by default. */
  render(audience?: MetricsAudience): string;
}

/** Media type of {@link Metrics.render}. */
export const METRICS_CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Label sets a metric may have; what comes later is counted under "other". */
const MAX_SERIES = 2_000;
const OTHER = "other";

/** Upper bounds in seconds that OpenTelemetry recommends for http.server.request.duration. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

function escape(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, "\ufffd");
  return wellFormed.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function toNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value);
}

function toLabelText(names: readonly string[], values: readonly string[]): string {
  return names.map((name, i) => `${name}="${escape(values[i] ?? "")}"`).join(",");
}

const braced = (text: string): string => (text === "" ? "" : `{${text}}`);

/** The series of one metric by their label values. */
class Family<S> {
  readonly #names: readonly string[];
  readonly #create: () => S;
  readonly #series = new Map<string, { readonly text: string; readonly state: S }>();

  constructor(names: readonly string[], create: () => S) {
    this.#names = names;
    this.#create = create;
    // A metric without labels shows from the start, at zero.
    if (names.length === 0) this.get({});
  }

  get(labels: Labels): S {
    let key = "";
    for (const name of this.#names) key += `${labels[name] ?? ""}\u0000`;
    const known = this.#series.get(key);
    if (known !== undefined) return known.state;
    const isFull = this.#series.size >= MAX_SERIES;
    const values = this.#names.map((name) => (isFull ? OTHER : String(labels[name] ?? "")));
    const storedKey = isFull ? values.map((value) => `${value}\u0000`).join("") : key;
    const existing = this.#series.get(storedKey);
    if (existing !== undefined) return existing.state;
    const series = { text: toLabelText(this.#names, values), state: this.#create() };
    this.#series.set(storedKey, series);
    return series.state;
  }

  all(): Iterable<{ readonly text: string; readonly state: S }> {
    return this.#series.values();
  }
}

interface Buckets {
  readonly counts: number[];
  sum: number;
  count: number;
}

function renderHistogram(name: string, bounds: readonly number[], family: Family<Buckets>): string[] {
  const lines: string[] = [];
  for (const { text, state } of family.all()) {
    const prefix = text === "" ? "" : `${text},`;
    let total = 0;
    bounds.forEach((bound, i) => {
      total += state.counts[i] ?? 0;
      lines.push(`${name}_bucket{${prefix}le="${toNumber(bound)}"} ${total}`);
    });
    lines.push(`${name}_bucket{${prefix}le="+Inf"} ${state.count}`);
    lines.push(
      `${name}_count${braced(text)} ${state.count}`,
      `${name}_sum${braced(text)} ${toNumber(state.sum)}`,
    );
  }
  return lines;
}

function renderReading(name: string, names: readonly string[], reading: ReturnType<Reading>): string[] {
  if (typeof reading === "number") return [`${name} ${toNumber(reading)}`];
  return reading.map(({ labels, value }) => {
    const values = names.map((label) => String(labels[label] ?? ""));
    return `${name}${braced(toLabelText(names, values))} ${toNumber(value)}`;
  });
}

function renderValues(name: string, family: Family<{ value: number }>): string[] {
  return Array.from(family.all(), ({ text, state }) => `${name}${braced(text)} ${toNumber(state.value)}`);
}

/** Creates an empty set of metrics. Declaring a name twice throws. */
export function createMetrics(): Metrics {
  const renderers = new Map<string, (audience: MetricsAudience) => string[]>();

  function declare(
    kind: string,
    options: MetricOptions,
    render: (audience: MetricsAudience) => string[],
  ): void {
    if (!/^[a-z_][a-z0-9_]*$/u.test(options.name)) throw new Error(`"${options.name}" is not a metric name`);
    if (renderers.has(options.name)) throw new Error(`The metric "${options.name}" is declared twice`);
    const head = [`# TYPE ${options.name} ${kind}`, `# HELP ${options.name} ${escape(options.help)}`];
    renderers.set(options.name, (audience) => [...head, ...render(audience)]);
  }

  return {
    counter: (options) => {
      const family = new Family(options.labels ?? [], () => ({ value: 0 }));
      declare("counter", options, () => renderValues(`${options.name}_total`, family));
      return {
        add: (by = 1, labels = {}) => {
          if (by > 0) family.get(labels).value += by;
        },
      };
    },
    counterFrom: (options) => {
      declare("counter", options, (audience) =>
        renderReading(`${options.name}_total`, options.labels ?? [], options.read(audience)),
      );
    },
    gauge: (options) => {
      const { read } = options;
      const family = new Family(options.labels ?? [], () => ({ value: 0 }));
      declare("gauge", options, (audience) =>
        read === undefined
          ? renderValues(options.name, family)
          : renderReading(options.name, options.labels ?? [], read(audience)),
      );
      return {
        set: (value, labels = {}) => {
          family.get(labels).value = value;
        },
      };
    },
    histogram: (options) => {
      const bounds = [...(options.buckets ?? defaultBuckets)].sort((a, b) => a - b);
      const create = (): Buckets => ({ counts: bounds.map(() => 0), sum: 0, count: 0 });
      const family = new Family(options.labels ?? [], create);
      declare("histogram", options, () => renderHistogram(options.name, bounds, family));
      return {
        observe: (value, labels = {}) => {
          const state = family.get(labels);
          const at = bounds.findIndex((bound) => value <= bound);
          if (at !== -1) state.counts[at] = (state.counts[at] ?? 0) + 1;
          state.sum += value;
          state.count += 1;
        },
      };
    },
    render: (audience = "everyone") => {
      const blocks = Array.from(renderers.values(), (render) => render(audience).join("\n"));
      return `${[...blocks, "# EOF"].join("\n")}\n`;
    },
  };
}
