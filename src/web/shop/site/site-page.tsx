/** The site: its name and looks, what it announces, how it sells, its pages and its limits, a tab for each. */
import type { JSX } from "preact";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { useRenewed } from "../../ui/console/renewed.ts";
import { useQuery } from "../../ui/console/query.ts";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { AnnouncementTab } from "./announcement-tab.tsx";
import { fieldTabs } from "./groups.ts";
import { PagesTab } from "./pages-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { SITE, type SiteTab } from "./site-data.ts";

const HomeTab = lazy(async () => (await import("./home/home-tab.tsx")).HomeTab);
const LookTab = lazy(async () => (await import("./look-tab.tsx")).LookTab);

const tabs = [
  { name: "general", label: "shop.site.general" },
  { name: "home", label: "shop.site.home" },
  { name: "look", label: "shop.site.look" },
  { name: "announcement", label: "shop.site.announcement" },
  { name: "selling", label: "shop.site.selling" },
  { name: "pages", label: "shop.site.pages" },
  { name: "law", label: "shop.site.law" },
  { name: "limits", label: "shop.site.limits" },
] as const satisfies readonly Tab<string>[];
type TabName = (typeof tabs)[number]["name"];

function TabContent(props: SiteTab & { name: TabName }): JSX.Element {
  const { name, ...rest } = props;
  switch (name) {
    case "home":
      return <HomeTab {...rest} />;
    case "look":
      return <LookTab {...rest} />;
    case "announcement":
      return <AnnouncementTab {...rest} />;
    case "pages":
      return <PagesTab {...rest} />;
    case "general":
    case "selling":
    case "law":
    case "limits":
      return <SettingsTab label={text(`shop.site.${name}`)} form={fieldTabs[name]} {...rest} />;
  }
}

/** The section. */
export function SitePage(): JSX.Element {
  const query = useQuery();
  const present = tabs.find(({ name }) => name === query.get("tab"))?.name ?? "general";
  const loaded = useRenewed<AdminSite>(SITE);
  return (
    <>
      <PageHead title={text("shop.nav.site")} hint={text("shop.site.hint")}>
        <a class="button" href="/" target="_blank" rel="noopener">
          {text("shop.site.visit")}
        </a>
      </PageHead>
      <Tabs section="site" label={text("shop.nav.site")} tabs={tabs} present={present} />
      <Loaded of={loaded}>
        {(data) => <TabContent name={present} stored={data} onSaved={loaded.renew} key={present} />}
      </Loaded>
    </>
  );
}
