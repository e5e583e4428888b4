/** Posts of a status page: drafts, open and closed ones; and the next update. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { PostView, StatusPageView } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { showProblem } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { ListTools, Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { EditPostDialog, EditUpdateDialog, NewPostDialog, UpdateDialog } from "./post-dialogs.tsx";
import { statusKinds, stepNames, toPostPath, toPostsPath } from "./status-data.ts";

/** The step that most often comes next. */
function findNextStep({ type, step, state }: PostView): PostView["step"] {
  const steps: readonly PostView["step"][] = stepNames[type];
  if (state === "ended") return type === "incident" ? "postmortem" : "completed";
  return steps[Math.min(steps.indexOf(step) + 1, steps.length - 1)] ?? step;
}

function PostMarks({ post }: { post: PostView }): JSX.Element {
  const { state, step, type, plannedFrom, plannedTo } = post;
  return (
    <>
      {state === "draft" && <Badge kind="warn">{text("admin.status.state.draft")}</Badge>}
      <Badge kind={state === "ended" ? "good" : type === "maintenance" ? "idle" : "bad"}>
        {text(`admin.status.step.${step}`)}
      </Badge>
      {plannedFrom !== undefined && plannedTo !== undefined && (
        <span class="field-hint">
          <Moment at={plannedFrom} /> – <Moment at={plannedTo} />
        </span>
      )}
    </>
  );
}

function UpdateLine(props: {
  page: StatusPageView;
  update: PostView["updates"][number];
  onEdit: (() => void) | undefined;
}): JSX.Element {
  const { page, update, onEdit } = props;
  const names = new Map(page.components.map(({ id, name }) => [id, name]));
  const said = Object.entries(update.components);
  return (
    <li class="status-update">
      <div class="stack-small">
        <p class="field-hint">
          <strong>{text(`admin.status.step.${update.step}`)}</strong> · <Moment at={update.at} />
        </p>
        <p class="status-text">{update.text}</p>
        {said.length > 0 && (
          <p class="badge-row">
            {said.map(([id, status]) => (
              <Badge key={id} kind={statusKinds[status]}>
                {names.get(id) ?? id}: {text(`admin.status.is.${status}`)}
              </Badge>
            ))}
          </p>
        )}
      </div>
      {onEdit && <IconButton icon="edit" label={text("admin.status.update.edit")} onClick={onEdit} />}
    </li>
  );
}

function PostCard({
  page,
  post,
  tools,
}: {
  page: StatusPageView;
  post: PostView;
  tools: ListTools<PostView>;
}): JSX.Element {
  const { state, type } = post;
  const next = findNextStep(post);
  const end = type === "incident" ? "resolved" : "completed";
  async function publish(): Promise<void> {
    await adminRequest(`${toPostPath(post)}/publish`, { method: "POST", body: {} });
    showToast(text("admin.status.published.done"));
    await tools.refresh();
  }
  return (
    <li class="admin-panel stack-small" aria-label={post.title}>
      <div class="admin-head rule-head">
        <h2>{post.title}</h2>
        <PostMarks post={post} />
        <span class="spacer" />
        {tools.mayWrite && (
          <>
            <IconButton
              icon="edit"
              label={text(type === "incident" ? "admin.status.post.edit" : "admin.status.post.plan")}
              onClick={() => tools.open(post, "head")}
            />
            <IconButton
              icon="trash"
              label={text("admin.status.post.delete", { title: post.title })}
              onClick={() => tools.open(post, "delete")}
            />
          </>
        )}
      </div>
      <ol class="plain-list stack-small">
        {post.updates.toReversed().map((update) => (
          <UpdateLine
            key={update.id}
            page={page}
            update={update}
            onEdit={tools.mayWrite ? () => tools.open(post, update.id) : undefined}
          />
        ))}
      </ol>
      {tools.mayWrite && (
        <div class="button-row">
          {state === "draft" && (
            <Button kind="primary" onClick={() => void publish().catch(showProblem)}>
              {text("admin.publish")}
            </Button>
          )}
          <Button icon="plus" onClick={() => tools.open(post, next)}>
            {text("admin.status.update.add")}
          </Button>
          {state === "open" && next !== end && (
            <Button icon="check" onClick={() => tools.open(post, end)}>
              {text(`admin.status.end.${type}`)}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** `what`: the post itself, its end, the next step, or the ID of an update that is edited. */
function PostDialogs(props: {
  page: StatusPageView;
  post: PostView;
  what: string;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { post, what, onDone, onClose } = props;
  const update = post.updates.find(({ id }) => id === what);
  if (update !== undefined) return <EditUpdateDialog {...props} update={update} />;
  if (what === "head") return <EditPostDialog {...props} />;
  if (what !== "delete") return <UpdateDialog {...props} step={what} />;
  return (
    <DeleteDialog
      title={text("admin.status.post.delete", { title: post.title })}
      path={toPostPath(post)}
      name={post.title}
      onDone={onDone}
      onClose={onClose}
    >
      {text("admin.status.post.delete.text")}
    </DeleteDialog>
  );
}

function NewPosts({ page, tools }: { page: StatusPageView; tools: ListTools<PostView> }): JSX.Element | null {
  const [type, setType] = useState<PostView["type"]>();
  if (!tools.mayWrite) return null;
  return (
    <div class="button-row">
      <Button kind="primary" icon="plus" onClick={() => setType("incident")}>
        {text("admin.status.new.incident")}
      </Button>
      <Button icon="wrench" onClick={() => setType("maintenance")}>
        {text("admin.status.new.maintenance")}
      </Button>
      {type && (
        <NewPostDialog page={page} type={type} onDone={tools.refresh} onClose={() => setType(undefined)} />
      )}
    </div>
  );
}

/** The posts of a page. */
export function toPosts(page: StatusPageView): Listing<PostView> {
  return {
    api: toPostsPath(page.id),
    navigation: "admin.status.tab.posts",
    texts: "admin.status.posts",
    write: "status-pages:write",
    idOf: ({ id }) => id,
    nameOf: ({ title }) => title,
    Above: ({ tools }) => <NewPosts page={page} tools={tools} />,
    Item: ({ view, what = "head", tools, onClose }) => (
      <PostDialogs page={page} post={view} what={what} onDone={tools.refresh} onClose={onClose} />
    ),
    table: { Card: ({ view, tools }) => <PostCard page={page} post={view} tools={tools} /> },
  };
}

/** The panel. */
export function PostsPanel({ page }: { page: StatusPageView }): JSX.Element {
  const posts = useMemo(() => toPosts(page), [page]);
  return (
    <div class="stack">
      <ResourceList of={posts} head="none" />
    </div>
  );
}
