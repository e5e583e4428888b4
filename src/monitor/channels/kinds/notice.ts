/** A notification as alerts write it and channels carry it. */

export const noticeKinds = ["firing", "resolved", "reminder", "digest", "test", "acknowledged"] as const;
export const noticeSeverities = ["info", "warning", "critical"] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];
/** Characters of a notice's title and text, at most. */
export const MAX_NOTICE_TITLE = 200;
export const MAX_NOTICE_TEXT = 4_000;

/** What templates can name of an alert, besides its words. */
export const factNames = [
  "key",
  "rule",
  "check",
  "server",
  "group",
  "value",
  "threshold",
  "duration",
  "target",
] as const;
export type FactName = (typeof factNames)[number];

/**
 * Facts of an alert; "" where it has none. `key` is the same in everything that is sent about one alert. A message
 * about several alerts has those that they share.
 */
export type NoticeFacts = Readonly<Record<FactName, string>>;

/** One message to people. */
export interface Notice {
  readonly kind: (typeof noticeKinds)[number];
  readonly severity: NoticeSeverity;
  /** One line of at most 200 characters. */
  readonly title: string;
  /** Plain text of several lines, at most 4,000 characters. */
  readonly text: string;
  /** Where a person sees more; http or https. */
  readonly url?: string;
  readonly facts?: NoticeFacts | undefined;
}
