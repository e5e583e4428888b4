/** The page as a whole: its frame, and which page stands in it. */
import type { ComponentChildren, JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect } from "preact/hooks";
import { Toasts } from "../ui/controls-toast.tsx";
import { Header } from "../ui/header.tsx";
import { FleetPage } from "../pages/fleet.tsx";
import { useFleet } from "./fleet.ts";
import type { Route } from "./path.ts";
import { useRoute } from "./route.ts";
import { useSite } from "./site.ts";
import { text, useLanguage } from "./texts.ts";

// Not part of the first view.
const ServerPage = lazy(async () => (await import("../pages/server.tsx")).ServerPage);
const AdminPage = lazy(async () => (await import("../pages/admin.tsx")).AdminPage);

function toPage(route: Route): ComponentChildren {
  switch (route.page) {
    case "fleet":
      return <FleetPage />;
    case "server":
      return <ServerPage id={route.id} key={route.id} />;
    case "admin":
      return <AdminPage section={route.section} id={route.id} />;
    case "unknown":
      return <p class="empty">{text("page.unknown")}</p>;
  }
}

/** The window's title: how many are offline, the server in sight, the site. */
function useTitle(route: Route): void {
  const { servers } = useFleet();
  const site = useSite();
  const offline = servers.filter(({ state }) => state === "offline").length;
  const name = route.page === "server" ? servers.find(({ id }) => id === route.id)?.name : undefined;
  useEffect(() => {
    if (site === undefined) return;
    const words = [name, route.page === "admin" ? text("header.admin") : undefined, site.title];
    const title = words.filter((word) => word !== undefined).join(" · ");
    document.title = offline > 0 ? `(${offline}) ${title}` : title;
  }, [offline, name, site, route.page]);
}

/** The dashboard. */
export function App(): JSX.Element {
  const route = useRoute();
  useLanguage();
  useTitle(route);
  return (
    <>
      <a class="skip" href="#main">
        {text("page.skip")}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<p class="empty">{text("page.loading")}</p>}>{toPage(route)}</Suspense>
      </main>
      <Toasts />
    </>
  );
}
