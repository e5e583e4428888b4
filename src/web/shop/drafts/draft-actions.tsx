/** The buttons of a draft's page: a payment link, a payment, an invoice, a copy. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DraftLink, DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type MenuItem, Menu } from "../../ui/controls-menu.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { draftPath } from "./draft-data.ts";
import type { Action } from "./draft-dialogs.tsx";

const ActionDialog = lazy(async () => (await import("./draft-dialogs.tsx")).ActionDialog, null);
const LinkDialog = lazy(async () => (await import("./draft-dialogs.tsx")).LinkDialog, null);

/** The buttons of a draft's page. */
export function DraftActions({ view, mayWrite, dirty, refresh }: ItemTools<DraftView>): JSX.Element | null {
  const [open, setOpen] = useState<Action | undefined>();
  const [url, setUrl] = useState<string | undefined>();
  const task = useTask();
  if (!mayWrite) return null;
  const isOpen = view.state !== "ordered";
  const duplicate = (): void =>
    void task.run(async () => {
      const copy = await adminRequest<DraftView>(draftPath(view.id, "/duplicate"), { method: "POST" });
      showToast(text("shop.drafts.duplicated"));
      navigate(`/admin/drafts/${copy.id}`);
    });
  const showLink = (): void =>
    void task.run(async () => {
      setUrl((await adminRequest<DraftLink>(draftPath(view.id, "/link"), { method: "POST" })).url);
    });
  const items: MenuItem[] = [{ label: text("shop.drafts.duplicate"), onSelect: duplicate }];
  if (isOpen && view.link !== undefined) items.push({ label: text("shop.drafts.link"), onSelect: showLink });
  const button = (action: Action): JSX.Element | false =>
    isOpen && (
      <Button kind={action === "send" ? "primary" : "plain"} disabled={dirty} onClick={() => setOpen(action)}>
        {text(`shop.drafts.${action}`)}
      </Button>
    );
  return (
    <>
      {button("send")}
      {button("paid")}
      {button("invoice")}
      <Menu label={text("shop.order.more")} items={items} />
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {open && (
        <ActionDialog action={open} draft={view} refresh={refresh} onClose={() => setOpen(undefined)} />
      )}
      {url !== undefined && <LinkDialog url={url} draft={view} onClose={() => setUrl(undefined)} />}
    </>
  );
}
