/** The frame of the administration: which sections there are, the way out, and news of the connection. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { text, type TextName } from "../app/texts.ts";
import { Button } from "../ui/controls.tsx";
import { type IconName, Icon } from "../ui/icons.tsx";
import { AlertsPage } from "./alerts/alerts-page.tsx";
import { RulesPage } from "./alerts/rules-page.tsx";
import { ChannelsPage } from "./channels/channels-page.tsx";
import { NoticesPage } from "./channels/notices-page.tsx";
import { showProblem } from "./problem.tsx";
import { OrderPage } from "./servers/order-page.tsx";
import { ServerPage } from "./servers/server-page.tsx";
import { ServersPage } from "./servers/servers-page.tsx";
import { askAgain, reachable, signOut } from "./session.ts";
import { AboutPage } from "./site/about-page.tsx";
import { AuditPage } from "./site/audit-page.tsx";
import { SettingsPage } from "./site/settings-page.tsx";

/** How long to wait before an unreachable monitor is asked again, in milliseconds. */
const RETRY_MS = 5_000;

interface Section {
  readonly name: string;
  readonly label: TextName;
  readonly icon: IconName;
  readonly page: (id: string | undefined) => JSX.Element;
}

function toServersPage(id: string | undefined): JSX.Element {
  if (id === undefined) return <ServersPage />;
  // No server can have this id: it is a path of the API, too.
  if (id === "reorder") return <OrderPage />;
  return <ServerPage id={id} key={id} />;
}

const sections: readonly Section[] = [
  { name: "servers", label: "admin.nav.servers", icon: "server", page: toServersPage },
  { name: "alerts", label: "admin.nav.alerts", icon: "alert", page: () => <AlertsPage /> },
  { name: "rules", label: "admin.nav.rules", icon: "bell", page: () => <RulesPage /> },
  { name: "channels", label: "admin.nav.channels", icon: "out", page: () => <ChannelsPage /> },
  { name: "notices", label: "admin.nav.notices", icon: "list", page: () => <NoticesPage /> },
  { name: "settings", label: "admin.nav.settings", icon: "gear", page: () => <SettingsPage /> },
  { name: "audit", label: "admin.nav.audit", icon: "search", page: () => <AuditPage /> },
  { name: "about", label: "admin.nav.about", icon: "info", page: () => <AboutPage /> },
];

function SignOutButton(): JSX.Element {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      kind="quiet"
      icon="out"
      disabled={busy}
      onClick={() => {
        setBusy(true);
        void signOut()
          .catch(showProblem)
          .finally(() => setBusy(false));
      }}
    >
      {text("admin.signout")}
    </Button>
  );
}

function Navigation({ present }: { present: string }): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the sections stand in a row that scrolls.
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [present]);
  return (
    <nav class="admin-nav" aria-label={text("admin.nav.label")}>
      <ul ref={list}>
        {sections.map(({ name, label, icon }) => (
          <li key={name}>
            <a href={`/admin/${name}`} aria-current={name === present ? "page" : undefined}>
              <Icon name={icon} />
              {text(label)}
            </a>
          </li>
        ))}
      </ul>
      <SignOutButton />
    </nav>
  );
}

function ReachableNote(): JSX.Element | null {
  useEffect(() => {
    if (reachable.value) return undefined;
    // Not every section asks by itself.
    const timer = setInterval(() => void askAgain(), RETRY_MS);
    return () => clearInterval(timer);
  }, [reachable.value]);
  // The live region stands there before it has something to say, or it would not be read.
  return (
    <div role="status">
      {!reachable.value && (
        <div class="admin-note is-warn">
          <Icon name="alert" />
          <span>{text("admin.unreachable")}</span>
        </div>
      )}
    </div>
  );
}

/** The administration for whoever is signed in. */
export function AdminFrame({ section, id }: { section: string; id: string | undefined }): JSX.Element {
  const found = sections.find(({ name }) => name === section);
  return (
    <div class="admin">
      <Navigation present={section} />
      <div class="admin-content">
        <ReachableNote />
        {found === undefined ? <p class="empty">{text("page.unknown")}</p> : found.page(id)}
      </div>
    </div>
  );
}
