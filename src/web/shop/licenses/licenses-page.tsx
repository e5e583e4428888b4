/** All licenses of the shop. */
import type { JSX } from "preact";
import type { LicenseView } from "../../../shop/licenses/answer-schema.ts";
import { licenseStatuses } from "../../../shop/licence-keys/license-schema.ts";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { text } from "../../app/texts.ts";
import { SubscriptionsPage } from "../subscriptions/subscriptions-page.tsx";
import { License } from "./license-list.tsx";
import { SigningKeys } from "./signing-keys.tsx";

function SubscriptionsLink(): JSX.Element {
  return (
    <a class="button" href="/admin/licenses/subscriptions">
      {text("shop.subscriptions.all")}
    </a>
  );
}

export const licenses: Listing<LicenseView> = {
  api: "/api/admin/licenses",
  navigation: "shop.nav.licenses",
  texts: "shop.licenses",
  write: "orders:write",
  idOf: ({ id }) => id,
  nameOf: ({ key }) => key,
  Below: SigningKeys,
  ListActions: SubscriptionsLink,
  table: {
    search: "shop.licenses.search",
    filters: [
      {
        name: "status",
        label: "shop.ui.state",
        values: [...licenseStatuses],
        words: "shop.licenses.status",
        any: "shop.ui.anyState",
      },
      { name: "productId", as: "link" },
    ],
    Card: ({ view, tools }) => <License license={view} hasProduct onChange={() => void tools.refresh()} />,
  },
};

/** The section. Subscriptions are those that renew. */
export function LicensesPage({ id }: { id: string | undefined }): JSX.Element {
  return id === undefined ? <ResourceList of={licenses} /> : <SubscriptionsPage id={id} />;
}
