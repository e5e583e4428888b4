/** The languages that a browser asks for, and which of ours a request gets. */
import { parseAccept } from "hono/utils/accept";
import { type Language, findLanguage, languages } from "./languages.ts";

const MAX_LANGUAGES = 20;
const MAX_LENGTH = 1_000;

/** The ranges of an Accept-Language header, the most wanted first; what is not wanted, and "*", is left out (RFC 9110 section 12.5.4). */
export function toAcceptedLanguages(header: string): string[] {
  const accepted = parseAccept(header.slice(0, MAX_LENGTH)).slice(0, MAX_LANGUAGES);
  return accepted.filter(({ type, q }) => type !== "*" && q > 0).map(({ type }) => type);
}

/** The first language of an Accept-Language header that there are texts for, of those that a site speaks. */
export function findAcceptedLanguage(
  header: string | undefined,
  spoken: readonly Language[] = languages,
): Language | undefined {
  return toAcceptedLanguages(header ?? "")
    .map(findLanguage)
    .find((language) => language !== undefined && spoken.includes(language));
}

/** The person's choice here takes precedence over the account's language, and that over the browser's. */
export function chooseLanguage(asked: {
  readonly cookie: string | undefined;
  readonly account: string | undefined;
  readonly header: string | undefined;
  /** The site's own. */
  readonly site: Language;
  /** Those that the site speaks; all by default. */
  readonly spoken?: readonly Language[];
}): Language {
  const { spoken = languages } = asked;
  const find = (tag: string | undefined): Language | undefined => {
    const language = findLanguage(tag);
    return language !== undefined && spoken.includes(language) ? language : undefined;
  };
  return (
    find(asked.cookie) ?? find(asked.account) ?? findAcceptedLanguage(asked.header, spoken) ?? asked.site
  );
}
