/** Generated texts of posts, emails to followers and feeds, in the language of a page or a reader. */
import { createTextBook } from "../../kit/text/text-book.ts";
import { monitorStatus } from "../../texts/monitor-status.ts";

export const statusTexts = createTextBook(monitorStatus);
