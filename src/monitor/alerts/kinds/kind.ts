/**
 * What a kind of alert rule is: what it looks for, how, and in which words; and its form in the dashboard. Each kind
 * has a file here, and `kinds.ts` lists them.
 */
import type { z } from "zod";
import type { NoticeSeverity } from "../../channels/kinds/notice.ts";
import type { LatestSample, LiveServer } from "../../fleet/live.ts";
import type { Labels, Language } from "../../labels.ts";
import type { MetricName } from "../../metrics.ts";
import type { ServerRecord } from "../../schema.ts";

/** What alerts need from the monitor besides the live state. */
export interface AlertFacts {
  /** The traffic of the present cycle; `cycleFrom` in epoch milliseconds. */
  traffic(record: ServerRecord): {
    readonly limitBytes: number;
    readonly percent?: number;
    readonly cycleFrom: number;
  };
  /** When the paid time ends, epoch milliseconds; undefined when nothing says so, or when it renews itself. */
  expiresAt(record: ServerRecord): number | undefined;
}

/** Whether what a rule looks for is there; "unknown" when nobody can say. */
export type Breach = boolean | "unknown";

/** What a rule found. */
export interface Finding {
  readonly breached: Breach;
  /** A metric's value, percent of the traffic, or the end of the paid time in epoch milliseconds. */
  readonly value?: number;
  /** Of which part of the server, such as the path of a mount. */
  readonly subject?: string | undefined;
  /** What is announced only once, such as a traffic cycle. */
  readonly occasion?: string;
}

/** Nothing can be said. */
export const UNKNOWN: Finding = { breached: "unknown" };

/** A server as rules see it. */
export interface ServerView {
  readonly record: ServerRecord;
  readonly live: LiveServer;
  readonly facts: AlertFacts;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the rule fires for it already. */
  readonly isFiring?: boolean;
  /** One number of a latest sample; NaN when it has none. */
  readonly readMetric: (latest: LatestSample, name: MetricName) => number;
  /** Of which part of the server that number is, when it is of one. Costs more than the number. */
  readonly readSubject: (live: LiveServer, name: MetricName) => string | undefined;
  /**
   * The last sign of life from before the start. A server is back only after a newer one, because a restart itself
   * counts servers as online for a while.
   */
  readonly staleSeenAt?: number | undefined;
}

/** What an administrator sets of a kind. */
export type ConditionOf<P extends z.ZodRawShape> = z.infer<z.ZodObject<P>>;

/** The kind's logic and words. `P`: the schema of its parameters. */
export interface RuleKind<P extends z.ZodRawShape = z.ZodRawShape> {
  /** Made when asked for, so that the dashboard, which takes the forms, needs no schemas. */
  parameters(): P;
  /** "report": looked at after each report. "hour": it changes by the hour, and also of servers that nobody hears of. */
  readonly cadence: "report" | "hour";
  /** What a notification of it is. */
  readonly notice: "firing" | "reminder";
  /** It began with the server's last sign of life, not with the look that found it; the wait counts from then too. */
  readonly isSinceLastSeen?: boolean;
  /** How long a breach must last before it fires. */
  waitSeconds(condition: ConditionOf<P>): number;
  /** How long a recovery must last before it counts; without it, not at all. */
  recoverSeconds?(condition: ConditionOf<P>): number;
  evaluate(condition: ConditionOf<P>, view: ServerView): Finding;
  /** Of which part of the server a finding is; asked for once, when it fires. */
  findSubject?(condition: ConditionOf<P>, view: ServerView): string | undefined;
  readonly words: Readonly<Record<Language, RuleWords<P>>>;
}

/** What notifications say of a kind. */
export interface RuleWords<P extends z.ZodRawShape = z.ZodRawShape> {
  /** What the rule looks for. */
  condition(condition: ConditionOf<P>): string;
  /** What is wrong, after the server's name. */
  down(condition: ConditionOf<P>, value: number): string;
  /** That it is over, after the server's name; `value` is what was found at the end. */
  up(condition: ConditionOf<P>, value: number | undefined): string;
  /** What so many servers are, such as "12 servers offline"; without it, alerts are counted. */
  readonly many?: { down(count: number): string; up(count: number): string };
}

/** A field of a kind's form; `name` is the parameter's. */
export type RuleField = { readonly name: string; readonly label: Labels; readonly hint?: Labels } & (
  | { readonly input: "span"; readonly initial: number }
  | {
      readonly input: "number";
      readonly initial: number;
      readonly min: number;
      readonly max: number;
      readonly isWhole?: boolean;
      readonly unit?: "percent";
      /** Why a value is refused. */
      readonly fault: Labels;
    }
  | {
      readonly input: "choice";
      readonly initial: string;
      readonly choices: Readonly<Record<string, Labels>>;
    }
  | { readonly input: "metric"; readonly initial: MetricName }
  /** A number in the unit of the metric that another field names. */
  | {
      readonly input: "threshold";
      readonly initial: number;
      readonly metric: string;
      /** Never below 0. */
      readonly isMargin?: true;
    }
);

type Parameters = Readonly<Record<string, unknown>>;

/** How the dashboard shows a kind. */
export interface RuleForm {
  readonly title: Labels;
  readonly fields: readonly RuleField[];
  /** What a rule looks for, in a sentence with its parameters. */
  says(condition: Parameters): Labels;
  /** How the number of an incident is read; without it, the number says nothing. */
  readonly finding?: "metric" | "percent" | "time";
  /** Rules that suit most fleets. */
  readonly suggestions: readonly {
    readonly name: Labels;
    readonly severity: NoticeSeverity;
    readonly condition: Parameters;
  }[];
}
