/** Texts of metrics, channels, rules and faults on servers; browsers get them with those of the dashboard. */
import { createTextBook } from "../../kit/text/text-book.ts";
import { monitorKinds } from "../../texts/monitor-kinds.ts";

export const kindTexts = createTextBook(monitorKinds);
