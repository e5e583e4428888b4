/** Email templates: what emails to buyers say, in each language of the shop. */
import type { JSX } from "preact";
import type { MailWords, MailWordsList } from "../../../shop/mail-editor/answer-schema.ts";
import { currentLanguage, findText, text } from "../../app/texts.ts";
import { Badge, Loaded } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useQuery } from "../../ui/console/query.ts";
import { MailKinds } from "../../ui/mail/mail-kinds.tsx";
import { WordsEditor } from "./words-editor.tsx";
import { MAILS, toWordsPath } from "./words-form.ts";

type WordsSummary = MailWordsList["items"][number];

function Stored({ chosen, onSaved }: { chosen: WordsSummary; onSaved: () => void }): JSX.Element {
  const loaded = usePolled<MailWords>(toWordsPath(chosen), 0);
  return <Loaded of={loaded}>{(data) => <WordsEditor stored={data} onSaved={onSaved} />}</Loaded>;
}

/** The section. */
export function MailsPage(): JSX.Element {
  const wanted = [useQuery().get("language"), currentLanguage()];
  const list = usePolled<MailWordsList>(MAILS, 0);
  const all = list.data?.items ?? [];
  const languages = [...new Set(all.map(({ language }) => language))];
  const [language = languages[0] ?? ""] = wanted.flatMap((one) => languages.filter((each) => each === one));
  return (
    <MailKinds
      title="shop.nav.mails"
      hint="shop.mails.hint"
      languages={languages}
      language={language}
      of={list}
      items={all.filter((item) => item.language === language)}
      nameOf={({ kind, isChanged, subject }) => (
        <>
          {findText(`shop.mails.kind.${kind}`) ?? subject}{" "}
          {isChanged && <Badge>{text("shop.mails.changed")}</Badge>}
        </>
      )}
    >
      {(chosen) => (
        <Stored
          chosen={chosen}
          onSaved={() => void list.refresh()}
          key={`${chosen.kind} ${chosen.language}`}
        />
      )}
    </MailKinds>
  );
}
