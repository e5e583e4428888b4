/** Email templates: each kind with sample values, in the languages of the recipients. */
import type { JSX } from "preact";
import type { MailPreview } from "../../../auth/mails/preview-schema.ts";
import { type Language, languages } from "../../../kit/text/languages.ts";
import { currentLanguage, text } from "../../app/texts.ts";
import type { Items } from "../../ui/console/paged.ts";
import { Loaded } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useQuery } from "../../ui/console/query.ts";
import { MailKinds } from "../../ui/mail/mail-kinds.tsx";

const PREVIEWS = "/api/admin/mail-previews";

function MailText({ kind, language }: { kind: string; language: Language }): JSX.Element {
  const loaded = usePolled<MailPreview>(`${PREVIEWS}/${kind}?language=${language}`, 0);
  return (
    <Loaded of={loaded}>
      {({ subject, text: words }) => (
        <section class="admin-panel stack-small" aria-label={subject} lang={language}>
          <h2>{subject}</h2>
          <iframe
            class="mail-frame"
            title={text("admin.mails.html")}
            sandbox=""
            src={`${PREVIEWS}/${kind}/page?language=${language}`}
          />
          <h3>{text("admin.mails.asText")}</h3>
          <pre class="mail-text" tabIndex={0}>
            {words}
          </pre>
        </section>
      )}
    </Loaded>
  );
}

/** The section. */
export function MailsPage(): JSX.Element {
  const wanted = [useQuery().get("language"), currentLanguage()];
  const language = wanted.flatMap((one) => languages.filter((each) => each === one))[0] ?? "en";
  const previews = usePolled<Items<Pick<MailPreview, "kind" | "subject">>>(
    `${PREVIEWS}?language=${language}`,
    0,
  );
  return (
    <MailKinds
      title="auth.nav.mails"
      hint="auth.mails.hint"
      languages={languages}
      language={language}
      of={previews}
      items={previews.data?.items ?? []}
      nameOf={({ subject }) => subject}
    >
      {({ kind }) => <MailText kind={kind} language={language} />}
    </MailKinds>
  );
}
