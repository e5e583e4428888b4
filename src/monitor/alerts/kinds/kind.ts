/**
 * A kind of alert rule: its condition, its evaluation, its texts, and its form in the dashboard. Each kind has a file
 * here, and `kinds.ts` lists them.
 */
import type { z } from "zod";
import type { Refined } from "../../../kit/fields/refine.ts";
import type { NoticeSeverity } from "../../channels/kinds/notice.ts";
import type { CheckFault, CheckRecord, CheckStanding } from "../../checks/schema.ts";
import type { LatestSample, LiveServer } from "../../fleet/live.ts";
import type { KindText } from "../../base/labels.ts";
import type { MetricName } from "../../base/metrics.ts";
import type { PartKindName, PartReading } from "../../base/part-metrics.ts";
import type { ServerRecord } from "../../base/schema.ts";
import type { NoticeTexts } from "../words/words.ts";
import type { WatchedType } from "./watched.ts";

/** Facts for alerts other than the live state. */
export interface AlertFacts {
  /** The traffic of the current cycle; `cycleFrom` in epoch milliseconds. */
  traffic(record: ServerRecord): {
    readonly limitBytes: number;
    readonly percent?: number;
    readonly cycleFrom: number;
  };
  /** When the paid time ends, epoch milliseconds; undefined when nothing says so, or when it renews itself. */
  expiresAt(record: ServerRecord): number | undefined;
}

/** Whether the condition is met; "unknown" without data. */
export type Breach = boolean | "unknown";

/** The finding of a rule. */
export interface Finding {
  readonly breached: Breach;
  /** A metric's value, percent of the traffic, or the end of the paid time, a certificate, or a domain in epoch milliseconds. */
  readonly value?: number;
  /** When the breach began, where that is known, epoch milliseconds; else the first look that found it counts. */
  readonly since?: number | undefined;
  /** The same by the monotonic clock; how long it must last counts from then. */
  readonly sinceMs?: number;
  /** The occasion that is announced only once, such as a traffic cycle. */
  readonly occasion?: string;
}

/** Details of a breach, stored when it fires for later notifications. */
export interface Details {
  /** Of which part of the server, such as the path of a mount. */
  readonly subject?: string | undefined;
  readonly found?: Found | undefined;
}

export interface Found {
  readonly fault?: CheckFault | undefined;
  /** The target's message, in one line, unfiltered; it must be made safe for display. */
  readonly detail: string;
  /** When the sign of a heartbeat that stays away was due, epoch milliseconds. */
  readonly dueAt?: number | undefined;
  /** Places that found it down; {@link CheckStanding} says what a place is. */
  readonly places: readonly string[];
  /** How many places reported. */
  readonly reported: number;
  /** Whether those that found it down are fewer than the quorum. */
  readonly isPartial: boolean;
}

/** Nothing can be said. */
export const UNKNOWN: Finding = { breached: "unknown" };

/** A server as rules see it. */
export interface ServerView {
  readonly type: "server";
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
  /** The parts of a kind that it reported last; undefined when it says nothing of them. Costs the same. */
  readonly readParts: (live: LiveServer, kind: PartKindName) => readonly PartReading[] | undefined;
  /**
   * The last sign of life from before the start. A server is back only after a newer one, because a restart itself
   * counts servers as online for a while.
   */
  readonly staleSeenAt?: number | undefined;
}

/** A check as rules see it. */
export interface CheckView {
  readonly type: "check";
  readonly record: CheckRecord;
  readonly standing: CheckStanding;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface Views {
  readonly server: ServerView;
  readonly check: CheckView;
}

/** An administrator's parameters of a kind. */
export type ConditionOf<P extends z.ZodRawShape> = z.infer<z.ZodObject<P>>;

interface KindOf<W extends keyof Views, P extends z.ZodRawShape> {
  /** The type of target of this kind. */
  readonly watches: W;
  /** Made when asked for, so that the dashboard, which takes the forms, needs no schemas. */
  parameters(): P;
  /** "report": evaluated after each report. "hour": changes by the hour, also for servers that are offline. */
  readonly cadence: "report" | "hour";
  /** The kind of its notification. */
  readonly notice: "firing" | "reminder";
  /** Whether it is an outage: its line says since when. */
  readonly isOutage?: boolean;
  /** How long a breach must last before it fires. */
  waitSeconds(condition: ConditionOf<P>): number;
  /** How long a recovery must last before it counts; without it, not at all. */
  recoverSeconds?(condition: ConditionOf<P>): number;
  evaluate(condition: ConditionOf<P>, view: Views[W]): Finding;
  /** Asked for once, when it fires. */
  findDetails?(condition: ConditionOf<P>, view: Views[W]): Details;
  readonly words: RuleWords<P>;
}

/** A kind's logic and words, of rules that watch servers. `P`: the schema of its parameters. */
export type ServerRuleKind<P extends z.ZodRawShape = z.ZodRawShape> = KindOf<"server", P>;
/** The same of rules that watch checks. */
export type CheckRuleKind<P extends z.ZodRawShape = z.ZodRawShape> = KindOf<"check", P>;
export type RuleKind = ServerRuleKind | CheckRuleKind;

/** Values for texts. */
export interface Finds {
  /** As in {@link Finding}; NaN when none was found. */
  readonly value: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly found?: Found | undefined;
}

/** Texts of a kind in notifications. */
export interface RuleWords<P extends z.ZodRawShape = z.ZodRawShape> {
  /** The condition. */
  condition(condition: ConditionOf<P>, t: NoticeTexts): string;
  /** The problem, after the name of the server or check. */
  down(condition: ConditionOf<P>, finds: Finds, t: NoticeTexts): string;
  /** That it is over, after the name; `value` is what was found at the end. */
  up(condition: ConditionOf<P>, value: number | undefined, t: NoticeTexts): string;
  /** The number or finding and its limit, where the kind has them. */
  amounts?(
    condition: ConditionOf<P>,
    finds: Finds,
    t: NoticeTexts,
  ): { readonly value?: string; readonly threshold?: string };
  /** The text for several, such as "12 servers offline"; without it, alerts are counted. */
  readonly many?: (direction: "down" | "up", count: number, t: NoticeTexts) => string;
}

/** The fields of a kind's form in their order, with what the schema does not say of them. */
export type RuleFields<P extends z.ZodRawShape = z.ZodRawShape> = { readonly [K in keyof P]: Refined };

type Parameters = Readonly<Record<string, unknown>>;

/** How the dashboard shows a kind; texts of its fields begin with "rule.<kind>". */
export interface RuleForm<W extends WatchedType = WatchedType> {
  readonly watches: W;
  readonly title: KindText;
  /** The condition as a sentence with its parameters. */
  says(condition: Parameters): KindText;
  /** How the number of an incident is read; without it, the number says nothing. */
  readonly finding?: "metric" | "part" | "percent" | "time";
  /** Rules that suit most fleets. */
  readonly suggestions: readonly {
    readonly name: KindText;
    readonly severity: NoticeSeverity;
    readonly condition: Parameters;
  }[];
}
