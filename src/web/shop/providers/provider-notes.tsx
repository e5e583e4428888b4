/** What an owner should know of a provider that is switched on. */
import type { JSX } from "preact";
import { type TextName, text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { type KindView, type ProviderNote, type ProviderView, listNotes } from "./provider-data.ts";

const noteTexts: Readonly<Record<ProviderNote, TextName>> = {
  demo: "shop.providers.note.demo",
  currency: "shop.providers.note.currency",
  unsecured: "shop.providers.note.unsecured",
  noSecret: "shop.providers.note.noSecret",
  noInstructions: "shop.providers.note.noInstructions",
  off: "shop.providers.note.off",
};

/** The notes, each on a panel. */
export function ProviderNotes(props: {
  provider: ProviderView;
  kind: KindView | undefined;
  currency: string;
}): JSX.Element {
  const { provider, kind, currency } = props;
  const values = { title: provider.title, currency, takes: kind?.currencies?.join(", ") ?? "" };
  return (
    <>
      {listNotes(provider, { currency, kind }).map((note) => (
        <div class="admin-note is-warn" key={note}>
          <Icon name="alert" />
          <span>{text(noteTexts[note], values)}</span>
        </div>
      ))}
    </>
  );
}
