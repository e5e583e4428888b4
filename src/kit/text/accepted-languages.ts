/** The languages that a browser asks for, and which of ours a request gets. */
import { parseAccept } from "hono/utils/accept";
import { type Language, findLanguage } from "./languages.ts";

const MAX_LANGUAGES = 20;
const MAX_LENGTH = 1_000;

/** The ranges of an Accept-Language header, the most wanted first; what is not wanted, and "*", is left out (RFC 9110 section 12.5.4). */
export function toAcceptedLanguages(header: string): string[] {
  const accepted = parseAccept(header.slice(0, MAX_LENGTH)).slice(0, MAX_LANGUAGES);
  return accepted.filter(({ type, q }) => type !== "*" && q > 0).map(({ type }) => type);
}

/** The first language of an Accept-Language header that there are texts for. */
export function findAcceptedLanguage(header: string | undefined): Language | undefined {
  return toAcceptedLanguages(header ?? "")
    .map(findLanguage)
    .find((language) => language !== undefined);
}

/** The person's choice here takes precedence over the account's language, and that over the browser's. */
export function chooseLanguage(asked: {
  readonly cookie: string | undefined;
  readonly account: string | undefined;
  readonly header: string | undefined;
  /** The site's own. */
  readonly site: Language;
}): Language {
  return (
    findLanguage(asked.cookie) ??
    findLanguage(asked.account) ??
    findAcceptedLanguage(asked.header) ??
    asked.site
  );
}
