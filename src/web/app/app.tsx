/** The page as a whole: its frame, and which page stands in it. */
import type { ComponentChildren, JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect } from "preact/hooks";
import { Toasts } from "../parts/controls-toast.tsx";
import { Header } from "../parts/header.tsx";
import { FleetPage } from "../pages/fleet.tsx";
import { followFleet } from "./fleet.ts";
import type { Route } from "./path.ts";
import { useRoute } from "./route.ts";
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

/** The dashboard. */
export function App(): JSX.Element {
  const route = useRoute();
  useLanguage();
  useEffect(() => followFleet(), []);
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
