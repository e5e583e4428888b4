/** Asks before a provider is deleted, and says how many orders wait to be paid with it. */
import type { JSX } from "preact";
import type { ProviderDetails, ProviderView } from "../../../shop/settings/answer-schema.ts";
import { navigate } from "../../app/route.ts";
import { countText, text } from "../../app/texts.ts";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { PROVIDERS } from "./provider-data.ts";

function toWaitingText({ waitingOrders }: ProviderDetails): string {
  return waitingOrders === 0
    ? text("shop.providers.delete.noneWaits")
    : countText("shop.providers.delete.waiting", waitingOrders);
}

/** The dialog. */
export function ProviderRemoval(props: { view: ProviderView; onClose: () => void }): JSX.Element {
  const { view, onClose } = props;
  const path = `${PROVIDERS}/${view.word}`;
  const details = usePolled<ProviderDetails>(path, 0);
  return (
    <DeleteDialog
      title={text("shop.providers.delete")}
      path={path}
      name={view.title}
      onDone={async () => navigate("/admin/providers", { replace: true })}
      onClose={onClose}
    >
      {text("shop.providers.delete.text", { name: view.title })}{" "}
      {details.data && <strong>{toWaitingText(details.data)}</strong>}
    </DeleteDialog>
  );
}
