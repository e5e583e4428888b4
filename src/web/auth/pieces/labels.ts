/** Words of a field that are made now, in the language of the page. */
import type { Labels } from "../../../kit/fields/field-json.ts";
import { currentLanguage } from "../../app/texts.ts";

/** Words that have a name or a number in them. */
export function toLabels(words: string): Labels {
  return { en: words, [currentLanguage()]: words };
}
