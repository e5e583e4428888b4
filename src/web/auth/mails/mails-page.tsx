/** What mails say: each kind with sample values, in the languages that people get them in. */
import type { Items } from "../../ui/console/paged.ts";
import { type Language, languages } from "../../../kit/text/languages.ts";
import type { JSX } from "preact";
import type { MailPreview } from "../../../auth/mails/preview-schema.ts";
import { currentLanguage, text } from "../../app/texts.ts";
import { Segments } from "../../ui/controls.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toLanguageName } from "../../app/format.ts";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";

const PREVIEWS = "/api/admin/mail-previews";

type Kind = Pick<MailPreview, "kind" | "subject">;

function MailText({ kind, language }: { kind: string; language: Language }): JSX.Element {
  const { data, error, refresh } = usePolled<MailPreview>(`${PREVIEWS}/${kind}?language=${language}`, 0);
  if (error) return <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />;
  if (data === undefined) return <p class="empty">{text("page.loading")}</p>;
  return (
    <section class="admin-panel stack-small" aria-label={data.subject} lang={language}>
      <h2>{data.subject}</h2>
      <iframe
        class="mail-frame"
        title={text("admin.mails.html")}
        sandbox=""
        src={`${PREVIEWS}/${kind}/page?language=${language}`}
      />
      <h3>{text("admin.mails.asText")}</h3>
      <pre class="mail-text" tabIndex={0}>
        {data.text}
      </pre>
    </section>
  );
}

/** The section. */
export function MailsPage(): JSX.Element {
  const query = useQuery();
  const own = languages.find((one) => one === currentLanguage()) ?? "en";
  const language = languages.find((one) => one === query.get("language")) ?? own;
  const { data, error, refresh } = usePolled<Items<Kind>>(`${PREVIEWS}?language=${language}`, 0);
  const items = data?.items ?? [];
  const chosen = items.find(({ kind }) => kind === query.get("kind")) ?? items[0];
  return (
    <>
      <PageHead title={text("auth.nav.mails")} hint={text("auth.mails.hint")}>
        <Segments<Language>
          label={text("auth.settings.language")}
          value={language}
          choices={languages.map((value) => ({ value, label: toLanguageName(value) }))}
          onChange={(value) => query.set({ language: value })}
        />
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      <div class="mail-kinds">
        <nav aria-label={text("auth.nav.mails")}>
          <ul class="plain-list">
            {items.map(({ kind, subject }) => (
              <li key={kind}>
                <a
                  href={`/admin/mails?kind=${kind}&language=${language}`}
                  aria-current={kind === chosen?.kind ? "page" : undefined}
                >
                  {subject}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen && <MailText kind={chosen.kind} language={language} />}
      </div>
    </>
  );
}
