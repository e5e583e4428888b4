/** The languages that a browser asks for. */
import { parseAccept } from "hono/utils/accept";

const MAX_LANGUAGES = 20;
const MAX_LENGTH = 1_000;

/** The ranges of an Accept-Language header, the most wanted first; what is not wanted, and "*", is left out (RFC 9110 section 12.5.4). */
export function toAcceptedLanguages(header: string): string[] {
  const accepted = parseAccept(header.slice(0, MAX_LENGTH)).slice(0, MAX_LANGUAGES);
  return accepted.filter(({ type, q }) => type !== "*" && q > 0).map(({ type }) => type);
}
