/** The sections of the monitor's console. */
import type { JSX } from "preact";
import { fleet } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import type { Section } from "../ui/console/frame.tsx";
import { OnlyWith } from "../ui/console/only-with.tsx";
import { lazy } from "../pages/lazy.tsx";
import { ApiKeysPage } from "../ui/rights/api-keys-page.tsx";

const AccessPage = lazy(async () => (await import("./access/access-page.tsx")).AccessPage);
const AlertsPage = lazy(async () => (await import("./alerts/alerts-page.tsx")).AlertsPage);
const RulesPage = lazy(async () => (await import("./alerts/rules-page.tsx")).RulesPage);
const ChannelsPage = lazy(async () => (await import("./channels/channels-page.tsx")).ChannelsPage);
const NoticesPage = lazy(async () => (await import("./channels/notices-page.tsx")).NoticesPage);
const MaintenancePage = lazy(
  async () => (await import("./maintenance/maintenance-page.tsx")).MaintenancePage,
);
const ServerPage = lazy(async () => (await import("./servers/server-page.tsx")).ServerPage);
const ServersPage = lazy(async () => (await import("./servers/servers-page.tsx")).ServersPage);
const OrderPage = lazy(async () => (await import("./servers/order-page.tsx")).OrderPage);
const AboutPage = lazy(async () => (await import("./site/about-page.tsx")).AboutPage);
const AuditPage = lazy(async () => (await import("./site/audit-page.tsx")).AuditPage);
const SettingsPage = lazy(async () => (await import("./site/settings-page.tsx")).SettingsPage);

const ChecksPage = lazy(async () => (await import("./checks/checks-page.tsx")).ChecksPage);
const CheckPage = lazy(async () => (await import("./checks/page/check-page.tsx")).CheckPage);
const NewCheckPage = lazy(async () => (await import("./checks/editor/new-check-page.tsx")).NewCheckPage);
const ImportPage = lazy(async () => (await import("./checks/import/import-page.tsx")).ImportPage);

function toChecksPage(id: string | undefined): JSX.Element {
  if (id === undefined) return <ChecksPage />;
  // No check can have these ids: all begin with "chk_".
  if (id === "new")
    return (
      <OnlyWith scope="checks:write">
        <NewCheckPage />
      </OnlyWith>
    );
  if (id === "import")
    return (
      <OnlyWith scope="checks:write">
        <ImportPage />
      </OnlyWith>
    );
  return <CheckPage id={id} key={id} />;
}

const StatusListPage = lazy(async () => (await import("./status/status-list-page.tsx")).StatusListPage);
const StatusPage = lazy(async () => (await import("./status/status-page.tsx")).StatusPage);
const NewStatusPage = lazy(async () => (await import("./status/status-page.tsx")).NewStatusPage);

function toStatusPage(id: string | undefined): JSX.Element {
  if (id === undefined) return <StatusListPage />;
  // No page can have this id: all begin with "stp_".
  return id === "new" ? <NewStatusPage /> : <StatusPage id={id} key={id} />;
}

function toServersPage(id: string | undefined): JSX.Element {
  if (id === undefined) return <ServersPage />;
  // No server can have this id: it is a path of the API, too.
  if (id === "reorder")
    return (
      <OnlyWith scope="servers:write">
        <OrderPage />
      </OnlyWith>
    );
  return <ServerPage id={id} key={id} />;
}

/** How many alerts are open. */
function AlertCount(): JSX.Element | null {
  const { critical, warning, info } = fleet.value.alerts ?? { critical: 0, warning: 0, info: 0 };
  const count = critical + warning + info;
  if (count === 0) return null;
  return (
    <span class={`count-badge ${critical > 0 ? "is-bad" : ""}`}>
      {count}
      <span class="for-readers"> {text("admin.present.title")}</span>
    </span>
  );
}

/** In the order of the navigation. */
export const sections: readonly Section[] = [
  { name: "servers", scope: "servers:read", label: "admin.nav.servers", icon: "server", page: toServersPage },
  { name: "checks", scope: "checks:read", label: "admin.nav.checks", icon: "pulse", page: toChecksPage },
  {
    name: "alerts",
    scope: "alerts:read",
    label: "admin.nav.alerts",
    icon: "bell",
    Mark: AlertCount,
    page: () => <AlertsPage />,
  },
  { name: "rules", scope: "alerts:read", label: "admin.nav.rules", icon: "rules", page: () => <RulesPage /> },
  {
    name: "maintenance",
    scope: "alerts:read",
    label: "admin.nav.maintenance",
    icon: "wrench",
    page: () => <MaintenancePage />,
  },
  {
    name: "status",
    scope: "status-pages:read",
    label: "admin.nav.status",
    icon: "signpost",
    page: toStatusPage,
  },
  {
    name: "channels",
    scope: "alerts:read",
    label: "admin.nav.channels",
    icon: "channel",
    page: () => <ChannelsPage />,
  },
  {
    name: "notices",
    scope: "alerts:read",
    label: "admin.nav.notices",
    icon: "mail",
    page: () => <NoticesPage />,
  },
  {
    name: "access",
    scope: "administrator",
    label: "admin.nav.access",
    icon: "key",
    page: () => <AccessPage />,
  },
  {
    name: "settings",
    scope: "monitor-settings:read",
    label: "admin.nav.settings",
    icon: "gear",
    page: () => <SettingsPage />,
  },
  {
    name: "api-keys",
    scope: "administrator",
    label: "admin.nav.apiKeys",
    icon: "plug",
    page: () => <ApiKeysPage />,
  },
  {
    name: "audit",
    scope: "monitor-settings:read",
    label: "admin.nav.audit",
    icon: "history",
    page: () => <AuditPage />,
  },
  {
    name: "about",
    scope: "monitor-settings:read",
    label: "admin.nav.about",
    icon: "info",
    page: () => <AboutPage />,
  },
];
