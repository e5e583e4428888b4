/** The words of notifications. Kinds get them handed in: browsers, which take their forms, need none. */
import { type KeysOf, type Texts, createTextBook } from "../../../kit/text/text-book.ts";
import { monitorAlerts } from "../../../texts/monitor-alerts.ts";

export type NoticeTexts = Texts<KeysOf<typeof monitorAlerts>>;

export const noticeTexts = createTextBook(monitorAlerts);
