/** The words of notifications. Kinds get them handed in: browsers, which take their forms, need none. */
import { type KeysOf, type Texts, createTextBook } from "../../../kit/text/text-book.ts";
import { monitorAlerts } from "../../../texts/monitor-alerts.ts";
import { monitorKinds } from "../../../texts/monitor-kinds.ts";

export type NoticeTexts = Texts<KeysOf<typeof monitorAlerts | typeof monitorKinds>>;

export const noticeTexts = createTextBook(monitorAlerts, monitorKinds);
