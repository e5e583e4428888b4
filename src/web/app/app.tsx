/** The page as a whole: its frame, and which page stands in it. */
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { Toasts } from "../ui/controls-toast.tsx";
import { FleetPage } from "../pages/fleet.tsx";
import { fleet } from "./fleet.ts";
import { Header } from "./header.tsx";
import type { Route } from "./path.ts";
import { route } from "./route.ts";
import { site } from "./site.ts";
import { text } from "./texts.ts";

// Not part of the first view.
const ServerPage = lazy(async () => (await import("../pages/server.tsx")).ServerPage);
const AdminPage = lazy(async () => (await import("../pages/admin.tsx")).AdminPage);

function toPage(present: Route): ComponentChildren {
  switch (present.page) {
    case "fleet":
      return <FleetPage />;
    case "server":
      return <ServerPage id={present.id} key={present.id} />;
    case "admin":
      return <AdminPage section={present.section} id={present.id} />;
    case "unknown":
      return <p class="empty">{text("page.unknown")}</p>;
  }
}

/** The window's title: how many are offline, the server in sight, the site. */
function showTitle(): void {
  if (site.value === undefined) return;
  const { servers, byId } = fleet.value;
  const offline = servers.filter(({ state }) => state === "offline").length;
  const present = route.value;
  const name = present.page === "server" ? byId.get(present.id)?.name : undefined;
  const words = [name, present.page === "admin" ? text("header.admin") : undefined, site.value.title];
  const title = words.filter((word) => word !== undefined).join(" · ");
  document.title = offline > 0 ? `(${offline}) ${title}` : title;
}

/** The dashboard. */
export function App(): JSX.Element {
  useSignalEffect(showTitle);
  return (
    <>
      <a class="skip" href="#main">
        {text("page.skip")}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<p class="empty">{text("page.loading")}</p>}>{toPage(route.value)}</Suspense>
      </main>
      <Toasts />
    </>
  );
}
