/** The order in which everybody sees the servers. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { ApiError } from "../../app/api.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { reconcileOrder } from "../../ui/forms/moves.ts";
import { Crumbs, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { SaveBar } from "../../ui/console/save-bar.tsx";
import { type ServerList, SERVERS } from "../server-data.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { UnsavedGuard } from "../../ui/console/unsaved.tsx";
import { OrderList, type OrderItem } from "../../ui/forms/order-list.tsx";

function toItem(server: AdminServer): OrderItem {
  return { id: server.id, name: server.name, detail: server.group };
}

function toIds(items: readonly { readonly id: string }[]): readonly string[] {
  return items.map(({ id }) => id);
}

function pickItems(ids: readonly string[], servers: readonly AdminServer[]): readonly OrderItem[] {
  const byId = new Map(servers.map((server) => [server.id, toItem(server)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function OrderEditor({ servers }: { servers: readonly AdminServer[] }): JSX.Element {
  const [saved, setSaved] = useState(() => servers.map(toItem));
  const [items, setItems] = useState<readonly OrderItem[]>(saved);
  const task = useTask();
  const dirty = items.some(({ id }, place) => saved[place]?.id !== id);

  async function send(): Promise<void> {
    try {
      await adminRequest(`${SERVERS}/reorder`, { method: "PUT", body: { ids: toIds(items) } });
      setSaved([...items]);
      showToast(text("admin.order.saved"));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422) throw error;
      // Servers were added or removed: keeps the new order, and the others in place.
      const { items: present } = await adminRequest<ServerList>(SERVERS);
      setSaved(present.map(toItem));
      setItems(pickItems(reconcileOrder(toIds(items), toIds(present)), present));
      showToast(text("admin.order.changed"), "bad");
    }
  }
  function sortByName(): void {
    const { compare } = new Intl.Collator(undefined, { numeric: true });
    setItems(items.slice().sort((a, b) => compare(a.name, b.name)));
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void task.run(send);
      }}
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <div class="button-row">
        <Button small onClick={sortByName}>
          {text("admin.order.by-name")}
        </Button>
      </div>
      <OrderList label={text("admin.order.label")} items={items} onChange={setItems} />
      <SaveBar dirty={dirty} busy={task.busy} onRevert={() => setItems(saved)} />
      <UnsavedGuard dirty={dirty} />
    </form>
  );
}

/** The page. */
export function OrderPage(): JSX.Element {
  const { data, error, refresh } = usePolled<ServerList>(SERVERS, 0);
  return (
    <>
      <Crumbs to="/admin/servers" label="admin.nav.servers" />
      <PageHead title={text("admin.order.title")} hint={text("admin.order.hint")}>
        <Button onClick={() => navigate("/admin/servers")}>{text("admin.done")}</Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data && <OrderEditor servers={data.items} />}
    </>
  );
}
