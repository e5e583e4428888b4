/** Names that look like the site's staff, such as "Trivet Support": users cannot choose them. */
import type { RegistrationSettings } from "../settings/schema.ts";

/** Beside the reserved names of the settings, in the languages of the pages. */
const TITLES: ReadonlySet<string> = new Set(
  (
    "admin administrator administration moderator support helpdesk kundendienst kundenservice " +
    "管理员 系统管理员 客服 客服中心 官方 官方客服"
  ).split(" "),
);
/** Words around a title or the site's name that are not names of people. */
const OFFICES: ReadonlySet<string> = new Set(
  (
    "the of and team staff office official service services customer help desk account accounts security billing " +
    "der die das und vom offiziell offizielles service sicherheit hilfe abteilung konto konten 团队 中心"
  ).split(" "),
);
/** Letters of other scripts and digits, above the Latin letters that they look like. */
const LOOKS = "аеорсухіјѕԁɡһкмнтвαεορικντυ01345@$|";
const LATIN = "aeopcyxijsdghkmhtbaeopikvtuoieasasi";
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Array.from(LOOKS, (letter, index) => [letter, LATIN.charAt(index)]),
);

/** The words of a name as a reader takes them: without accents, case and lookalikes. */
function toWords(name: string): string[] {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}]/gu, "");
  const seen = Array.from(plain, (letter) => LOOKALIKES.get(letter) ?? letter).join("");
  return seen.match(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]+/gu) ?? [];
}

/** Whether a name says that its bearer speaks for the site: a title alone, or with the site's name and words of offices. */
export function passesForOfficial(
  name: string,
  { reservedUsernames, siteName }: Pick<RegistrationSettings, "reservedUsernames" | "siteName">,
): boolean {
  const words = toWords(name);
  const site = toWords(siteName);
  const reserved = new Set(reservedUsernames.map((each) => toWords(each).join("")));
  const isTitle = (word: string): boolean => TITLES.has(word) || reserved.has(word);
  // "A d m i n" and "Sup-port".
  if (isTitle(words.join(""))) return true;
  const isOfSite = (word: string): boolean => site.includes(word);
  if (!words.every((word) => isTitle(word) || isOfSite(word) || OFFICES.has(word))) return false;
  // A family name may be the site's: that alone is no title.
  return words.some(isTitle) || (words.some(isOfSite) && words.some((word) => OFFICES.has(word)));
}
