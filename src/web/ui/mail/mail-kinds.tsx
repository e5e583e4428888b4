/** Emails by their kind, in one language; the address keeps both. */
import type { ComponentChildren, JSX } from "preact";
import { toLanguageName } from "../../app/format.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Segments } from "../controls.tsx";
import { Loaded, PageHead } from "../console/pieces.tsx";
import type { Polled } from "../console/polled.ts";
import { useQuery } from "../console/query.ts";

/** The page; `children` are next to the list of kinds. */
export function MailKinds<T extends { readonly kind: string }>(props: {
  title: TextName;
  hint: TextName;
  languages: readonly string[];
  language: string;
  of: Polled<unknown>;
  /** Those in the language. */
  items: readonly T[];
  nameOf: (item: T) => ComponentChildren;
  children: (chosen: T) => ComponentChildren;
}): JSX.Element {
  const { title, hint, languages, language, of, items, nameOf, children } = props;
  const query = useQuery();
  const chosen = items.find(({ kind }) => kind === query.get("kind")) ?? items[0];
  return (
    <>
      <PageHead title={text(title)} hint={text(hint)}>
        {languages.length > 1 && (
          <Segments<string>
            label={text("header.language")}
            value={language}
            choices={languages.map((value) => ({ value, label: toLanguageName(value) }))}
            onChange={(value) => query.set({ language: value })}
          />
        )}
      </PageHead>
      <Loaded of={of} />
      <div class="mail-kinds">
        <nav aria-label={text(title)}>
          <ul class="plain-list">
            {items.map((item) => (
              <li key={item.kind}>
                <a
                  href={`/admin/mails?kind=${item.kind}&language=${language}`}
                  aria-current={item.kind === chosen?.kind ? "page" : undefined}
                >
                  {nameOf(item)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen && children(chosen)}
      </div>
    </>
  );
}
