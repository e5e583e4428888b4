/** The page as a whole: its frame and its current content. */
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { Empty } from "../ui/empty.tsx";
import { Toasts } from "../ui/controls-toast.tsx";
import { FleetPage } from "../pages/fleet.tsx";
import { toState } from "../fleet/home-item.ts";
import { checks } from "./checks.ts";
import { fleet } from "./fleet.ts";
import { Header } from "./header.tsx";
import { loadLaterStyles } from "../pages/later-styles.ts";
import { lazy } from "../pages/lazy.tsx";
import type { Route } from "./path.ts";
import { loadLaterTexts } from "./language.ts";
import { route } from "./route.ts";
import { shut, site } from "./site.ts";
import { StaleNote } from "../ui/stale-note.tsx";
import { findText, text } from "./texts.ts";

// Not part of the first view.
const ServerPage = lazy(async () => (await withStyles(import("../pages/server.tsx"))).ServerPage);
const AdminPage = lazy(async () => (await withTexts(import("../monitor/admin-page.tsx"))).AdminPage);

const ShutPage = lazy(async () => (await withTexts(import("../pages/shut.tsx"))).ShutPage);

async function withStyles<T>(page: Promise<T>): Promise<T> {
  await loadLaterStyles();
  return page;
}

async function withTexts<T>(page: Promise<T>): Promise<T> {
  await loadLaterTexts();
  return withStyles(page);
}

function toPage(present: Route): ComponentChildren {
  if (shut.value && present.page !== "admin") return <ShutPage />;
  switch (present.page) {
    case "fleet":
      return <FleetPage />;
    case "server":
      return <ServerPage id={present.id} key={present.id} />;
    case "admin":
      return <AdminPage section={present.section} id={present.id} />;
    case "unknown":
      return (
        <Empty icon="search" title={text("page.unknown")} hint={text("page.unknownHint")}>
          <a class="button primary" href="/">
            {text("page.home")}
          </a>
        </Empty>
      );
  }
}

/** The window's title: how many servers and checks are down, the server or the section in sight, the site. */
function showTitle(): void {
  if (shut.value) document.title = text("header.shut");
  if (site.value === undefined) return;
  const { servers, byId } = fleet.value;
  const offline = [...servers, ...checks.value.items].filter((item) => toState(item) === "offline").length;
  const present = route.value;
  const name = present.page === "server" ? byId.get(present.id)?.name : undefined;
  // Texts of sections come with their page.
  const admin =
    present.page === "admin"
      ? [findText(`admin.nav.${present.section ?? "servers"}`), text("header.admin")]
      : [];
  const words = [name, ...admin, site.value.title];
  const title = words.filter((word) => word !== undefined).join(" · ");
  document.title = offline > 0 ? `(${offline}) ${title}` : title;
}

/** The dashboard. */
export function App(): JSX.Element {
  useSignalEffect(showTitle);
  const { page } = route.value;
  return (
    <div class={`frame is-${page}`}>
      <a class="skip" href="#main">
        {text("page.skip")}
      </a>
      <Header />
      {page !== "admin" && !shut.value && <StaleNote />}
      <main id="main" tabIndex={-1}>
        {toPage(route.value)}
      </main>
      <Toasts />
    </div>
  );
}
