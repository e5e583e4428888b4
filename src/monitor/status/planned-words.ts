/** What posts of planned maintenance say by themselves. */
import type { Language } from "../base/labels.ts";

/** The words of each step, in the language of a page. */
export const plannedWords: Readonly<
  Record<Language, { readonly scheduled: string; readonly in_progress: string; readonly completed: string }>
> = {
  en: {
    scheduled: "Maintenance is planned. What it concerns may be out of reach meanwhile.",
    in_progress: "The maintenance has begun.",
    completed: "The maintenance is over.",
  },
  zh: {
    scheduled: "已计划进行维护，期间相关服务可能无法访问。",
    in_progress: "维护已开始。",
    completed: "维护已结束。",
  },
  de: {
    scheduled: "Eine Wartung ist geplant. Was sie betrifft, ist währenddessen vielleicht nicht erreichbar.",
    in_progress: "Die Wartung hat begonnen.",
    completed: "Die Wartung ist beendet.",
  },
};
