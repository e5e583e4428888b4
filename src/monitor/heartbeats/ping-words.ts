/** What a ping means by the words in its text, as at healthchecks.io. */
import type { HeartbeatTarget } from "../checks/schema.ts";
import type { Signal } from "./schema.ts";

/** Words are separated by commas; upper and lower case differ. */
function hasWord(text: string, words: string | undefined): boolean {
  return (words ?? "").split(",").some((word) => word.trim() !== "" && text.includes(word.trim()));
}

/** The signal of a text; undefined for a heartbeat without words. */
export function judgeWords(target: HeartbeatTarget, text: string): Signal | undefined {
  const { failWords = "", successWords = "", startWords = "", otherwise = "success" } = target;
  if (`${failWords}${successWords}${startWords}`.replaceAll(/[,\s]/gu, "") === "") return undefined;
  if (hasWord(text, failWords)) return "fail";
  if (hasWord(text, successWords)) return "success";
  return hasWord(text, startWords) ? "start" : otherwise;
}
