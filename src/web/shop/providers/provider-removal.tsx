/** Asks before a provider is removed, and says how many orders wait to be paid with it. */
import type { JSX } from "preact";
import { countText, text } from "../../app/texts.ts";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { type ProviderDetails, type ProviderView, toProviderPath } from "./provider-data.ts";

function toWaitingText({ waitingOrders }: ProviderDetails): string {
  return waitingOrders === 0
    ? text("shop.providers.delete.noneWaits")
    : countText("shop.providers.delete.waiting", waitingOrders);
}

/** The dialog. */
export function ProviderRemoval(props: {
  provider: ProviderView;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { provider, onDone, onClose } = props;
  const path = toProviderPath(provider.word);
  const details = usePolled<ProviderDetails>(path, 0);
  return (
    <DeleteDialog
      title={text("shop.providers.delete")}
      path={path}
      name={provider.title}
      onDone={onDone}
      onClose={onClose}
    >
      {text("shop.providers.delete.text", { name: provider.title })}{" "}
      {details.data && <strong>{toWaitingText(details.data)}</strong>}
    </DeleteDialog>
  );
}
