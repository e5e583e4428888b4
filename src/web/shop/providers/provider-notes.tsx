/** What an owner should know of a provider. */
import type { JSX } from "preact";
import type { ProviderView } from "../../../shop/settings/answer-schema.ts";
import type { ProviderKindView } from "../../../shop/payments/providers/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { listNotes } from "./provider-data.ts";

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
        <div class="admin-note is-warn" key={note}>
          <Icon name="alert" />
          <span>{text(`shop.providers.note.${note}`, values)}</span>
        </div>
      ))}
    </>
  );
}
