/** A notification as alerts write it and channels carry it. */

export const noticeKinds = ["firing", "resolved", "reminder", "digest", "test"] as const;
export const noticeSeverities = ["info", "warning", "critical"] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];
/** Characters of a notice's title and text, at most. */
export const MAX_NOTICE_TITLE = 200;
export const MAX_NOTICE_TEXT = 4_000;

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
}
