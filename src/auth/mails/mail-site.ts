/** Data about the site and the recipient for emails. */
import { type Language, findLanguage } from "../../kit/text/languages.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { readSettings } from "../settings/settings.ts";

/** The product's own, as in web/styles/tokens.css. */
const ACCENT = "#0d6b5c";

export interface MailSite {
  readonly siteName: string;
  readonly language: Language;
  /** The colour of buttons, "#rrggbb"; white is written on it. */
  readonly accent: string;
  /** Where the pages are; without it mails have no buttons. */
  readonly publicUrl: string | undefined;
}

export interface MailReader {
  /** Of the account or the registration. */
  readonly locale?: string | undefined;
  /** The caller whose request caused the email. */
  readonly caller?: Pick<Caller, "language">;
}

/** The reader's own language goes before that of the request, and that before the site's. */
export async function readMailSite(
  tx: ReadTx,
  { publicUrl }: Pick<AuthDeps, "publicUrl">,
  { locale, caller }: MailReader,
): Promise<MailSite> {
  const { siteName, language: ownLanguage } = (await readSettings(tx, "registration")).fields;
  const { accent } = (await readSettings(tx, "branding")).fields;
  const language = findLanguage(locale) ?? caller?.language ?? ownLanguage;
  return { siteName, publicUrl, language, accent: accent.light || ACCENT };
}
