/** All licenses of the shop. */
import type { JSX } from "preact";
import type { LicenseView } from "../../../shop/licenses/answer-schema.ts";
import { licenseStatuses } from "../../../shop/licence-keys/license-schema.ts";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { License } from "./license-list.tsx";
import { SigningKeys } from "./signing-keys.tsx";

export const licenses: Listing<LicenseView> = {
  api: "/api/admin/licenses",
  navigation: "shop.nav.licenses",
  texts: "shop.licenses",
  write: "orders:write",
  idOf: ({ id }) => id,
  nameOf: ({ key }) => key,
  Below: SigningKeys,
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

/** The section. */
export function LicensesPage(): JSX.Element {
  return <ResourceList of={licenses} />;
}
