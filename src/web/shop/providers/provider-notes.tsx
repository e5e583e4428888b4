/** Warnings about the settings of a provider. */
import type { JSX } from "preact";
import type { ProviderView } from "../../../shop/settings/answer-schema.ts";
import type { ProviderKindView } from "../../../shop/payments/providers/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { listNotes } from "./provider-data.ts";
import { Note } from "../../ui/console/note.tsx";

/** The notes, each on a panel. */
export function ProviderNotes(props: {
  provider: ProviderView;
  kind: ProviderKindView | undefined;
  currency: string;
}): JSX.Element {
  const { provider, kind, currency } = props;
  const values = { title: provider.title, currency, takes: kind?.currencies?.join(", ") ?? "" };
  return (
    <>
      {listNotes(provider, { currency, kind }).map((note) => (
        <Note kind="warn" key={note}>
          {text(`shop.providers.note.${note}`, values)}
        </Note>
      ))}
    </>
  );
}
