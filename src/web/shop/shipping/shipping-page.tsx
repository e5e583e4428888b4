/** How goods are sent and what tax there is on them; who sells, and how invoices are numbered. */
import type { JSX } from "preact";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { useRenewed } from "../../ui/console/renewed.ts";
import { useQuery } from "../../ui/console/query.ts";
import { SettingsTab } from "../site/settings-tab.tsx";
import { SITE, type SiteTab } from "../site/site-data.ts";
import { InvoiceNeeds } from "../ui/orders/invoice-needs.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { fieldTabs } from "./groups.ts";
import { RatesTab } from "./rates-tab.tsx";
import { VatCheck } from "./vat-check.tsx";

const MethodsTab = lazy(async () => (await import("./methods-tab.tsx")).MethodsTab);

const tabs = [
  { name: "methods", label: "shop.shipping.methods" },
  { name: "seller", label: "shop.shipping.seller" },
  { name: "vat", label: "shop.shipping.vat" },
  { name: "rates", label: "shop.shipping.rates" },
  { name: "invoices", label: "shop.shipping.invoices" },
] as const satisfies readonly Tab<string>[];
type TabName = (typeof tabs)[number]["name"];

function TabContent(props: SiteTab & { name: TabName }): JSX.Element {
  const { name, ...rest } = props;
  switch (name) {
    case "methods":
      return <MethodsTab {...rest} />;
    case "rates":
      return <RatesTab {...rest} />;
    case "seller":
    case "vat":
    case "invoices":
      return (
        <>
          {name === "invoices" && <InvoiceNeeds isSwitch />}
          <SettingsTab label={text(`shop.shipping.${name}`)} form={fieldTabs[name]} {...rest} />
          {name === "vat" && (
            <>
              <VatCheck />
              <p>
                <a href="/admin/site?tab=law">{text("shop.shipping.toLaw")}</a>
              </p>
            </>
          )}
        </>
      );
  }
}

/** The section without a method in its address. */
export function ShippingPage(): JSX.Element {
  const query = useQuery();
  const present = tabs.find(({ name }) => name === query.get("tab"))?.name ?? "methods";
  const loaded = useRenewed<AdminSite>(SITE);
  return (
    <>
      <PageHead title={text("shop.nav.shipping")} />
      <Tabs section="shipping" label={text("shop.nav.shipping")} tabs={tabs} present={present} />
      <Loaded of={loaded}>
        {(data) => <TabContent name={present} stored={data} onSaved={loaded.renew} key={present} />}
      </Loaded>
    </>
  );
}
