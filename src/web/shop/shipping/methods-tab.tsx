/** All shipping methods, and the one price that applies while there is none. */
import type { JSX } from "preact";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { siteSettingsSchema } from "../../../shop/site/schema.ts";
import { text } from "../../app/texts.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { moneyKind } from "../kinds/goods-kinds.tsx";
import { SITE, type SiteTab } from "../site/site-data.ts";
import { methods } from "./methods.tsx";

export const feeForm = makeForm<typeof siteSettingsSchema, Pick<AdminSite, "currency">>({
  schema: siteSettingsSchema,
  words: "shop.shipping",
  only: "panels",
  panels: [
    {
      title: "shop.shipping.fee",
      hint: "shop.shipping.fee.hint",
      fields: [
        {
          name: "shippingFee",
          label: "shop.shipping.fee.amount",
          kind: ({ initial: _free, ...json }) => moneyKind({ ...json, required: true }),
          fault: "admin.fault.price",
          missing: "admin.fault.price",
        },
      ],
    },
  ],
});

/** The tab: the methods, and while none is on the one price. */
export function MethodsTab({ stored, onSaved }: SiteTab): JSX.Element {
  return (
    <div class="stack">
      <ResourceList
        of={{
          ...methods,
          Below: ({ items, isLoading }) =>
            !isLoading &&
            !items.some(({ enabled }) => enabled) && (
              <SettingsForm
                label={text("shop.shipping.fee")}
                write="shop-settings:write"
                stored={stored}
                of={{ path: SITE, form: feeForm, context: stored, onSaved }}
              />
            ),
        }}
        head="panel"
      />
    </div>
  );
}
