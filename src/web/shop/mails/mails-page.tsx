/** Email templates: what emails to buyers say, in each language of the shop. */
import type { JSX } from "preact";
import type { MailWords, MailWordsList } from "../../../shop/mail-editor/answer-schema.ts";
import { currentLanguage, findText, text } from "../../app/texts.ts";
import { Segments } from "../../ui/controls.tsx";
import { Badge, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { toLanguageName } from "../ui/translations-field.tsx";
import { WordsEditor } from "./words-editor.tsx";
import { MAILS, toWordsPath } from "./words-form.ts";

type WordsSummary = MailWordsList["items"][number];

function Stored({ chosen, onSaved }: { chosen: WordsSummary; onSaved: () => void }): JSX.Element {
  const loaded = usePolled<MailWords>(toWordsPath(chosen), 0);
  return <Loaded of={loaded}>{(data) => <WordsEditor stored={data} onSaved={onSaved} />}</Loaded>;
}

function Kinds(props: { items: readonly WordsSummary[]; chosen: WordsSummary | undefined }): JSX.Element {
  return (
    <nav aria-label={text("shop.nav.mails")}>
      <ul class="plain-list">
        {props.items.map(({ kind, language, isChanged, subject }) => (
          <li key={kind}>
            <a
              href={`/admin/mails?kind=${kind}&language=${language}`}
              aria-current={kind === props.chosen?.kind ? "page" : undefined}
            >
              {findText(`shop.mails.kind.${kind}`) ?? subject}{" "}
              {isChanged && <Badge>{text("shop.mails.changed")}</Badge>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The section. */
export function MailsPage(): JSX.Element {
  const query = useQuery();
  const { data, error, refresh } = usePolled<MailWordsList>(MAILS, 0);
  const all = data?.items ?? [];
  const languages = [...new Set(all.map(({ language }) => language))];
  const wanted = [query.get("language"), currentLanguage()];
  const [language = languages[0] ?? ""] = wanted.flatMap((one) => languages.filter((each) => each === one));
  const items = all.filter((item) => item.language === language);
  const chosen = items.find(({ kind }) => kind === query.get("kind")) ?? items[0];
  return (
    <>
      <PageHead title={text("shop.nav.mails")} hint={text("shop.mails.hint")}>
        {languages.length > 1 && (
          <Segments<string>
            label={text("shop.mails.language")}
            value={language}
            choices={languages.map((value) => ({ value, label: toLanguageName(value) }))}
            onChange={(value) => query.set({ language: value })}
          />
        )}
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      <div class="mail-kinds">
        <Kinds items={items} chosen={chosen} />
        {chosen && (
          <Stored chosen={chosen} onSaved={() => void refresh()} key={`${chosen.kind} ${chosen.language}`} />
        )}
      </div>
    </>
  );
}
