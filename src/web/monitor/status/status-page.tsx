/** One status page: what is posted on it, how it is set, who follows it. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Crumbs, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { type Renewed, useRenewed } from "../../ui/console/renewed.ts";
import { useQuery } from "../../ui/console/query.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { Icon } from "../../ui/icons.tsx";
import { mayWrite, toEdited } from "../../ui/resource/resource.ts";
import { ItemForm, NewResourcePage } from "../../ui/resource/resource-page.tsx";
import { FollowersPanel } from "./followers-panel.tsx";
import { useSources } from "./components-kind.tsx";
import { statusPages } from "./page-form.tsx";
import { PostsPanel } from "./posts-panel.tsx";
import { toStatusPath } from "./status-data.ts";

const tabs = ["posts", "followers", "settings"] as const;
type Tab = (typeof tabs)[number];

function Tabs({ present }: { present: Tab }): JSX.Element {
  return (
    <nav class="status-tabs" aria-label={text("admin.status.parts")}>
      {tabs.map((tab) => (
        <a
          key={tab}
          href={tab === "posts" ? "?" : `?tab=${tab}`}
          aria-current={tab === present ? "page" : undefined}
        >
          {text(`admin.status.tab.${tab}`)}
        </a>
      ))}
    </nav>
  );
}

function Settings(props: { page: StatusPageView; onSaved: (saved?: StatusPageView) => void }): JSX.Element {
  const { page, onSaved } = props;
  const sources = useSources();
  const editor = useEditor(
    page,
    useMemo(() => toEdited({ ...statusPages, onSaved }, sources), [sources]),
  );
  return <ItemForm of={statusPages} context={sources} editor={editor} />;
}

function Panels({
  page,
  renew,
}: {
  page: StatusPageView;
  renew: Renewed<StatusPageView>["renew"];
}): JSX.Element {
  const query = useQuery();
  const present = tabs.find((tab) => tab === query.get("tab")) ?? "posts";
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <>
      <PageHead title={page.title} hint={page.published ? undefined : text("admin.status.unpublished")}>
        <a class="button" href={`/status/${page.slug}`} target="_blank" rel="noopener">
          <Icon name="link" />
          {text(page.published ? "admin.openPage" : "admin.status.preview")}
        </a>
        {mayWrite(statusPages) && (
          <Button icon="trash" kind="danger" onClick={() => setIsDeleting(true)}>
            {text("admin.delete")}
          </Button>
        )}
      </PageHead>
      <Tabs present={present} />
      {present === "posts" && <PostsPanel page={page} />}
      {present === "followers" && <FollowersPanel page={page} />}
      {present === "settings" && <Settings page={page} onSaved={renew} key={page.id} />}
      {isDeleting && (
        <DeleteDialog
          title={text("admin.status.delete")}
          path={toStatusPath(page.id)}
          name={page.title}
          onDone={async () => navigate("/admin/status", { replace: true })}
          onClose={() => setIsDeleting(false)}
        >
          {text("admin.status.delete.text", { title: page.title })}
        </DeleteDialog>
      )}
    </>
  );
}

/** The page. */
export function StatusPage({ id }: { id: string }): JSX.Element {
  const loaded = useRenewed<StatusPageView>(toStatusPath(id));
  return (
    <>
      <Crumbs to="/admin/status" label="admin.nav.status" />
      <Loaded of={loaded}>{(data) => <Panels page={data} renew={loaded.renew} />}</Loaded>
    </>
  );
}

/** Making a page. */
export function NewStatusPage(): JSX.Element {
  return <NewResourcePage of={statusPages} />;
}
