/** What is posted on a status page: drafts, what is open, what is over; and what can be said next. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PostView, StatusPageView } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { showProblem } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { EditPostDialog } from "./edit-post-dialog.tsx";
import { EditUpdateDialog, NewPostDialog, UpdateDialog } from "./post-dialogs.tsx";
import { statusKinds, stepNames, toPostPath, toPostsPath } from "./status-data.ts";

type Opened =
  | { readonly kind: "new"; readonly type: PostView["type"] }
  | { readonly kind: "update"; readonly post: PostView; readonly step: PostView["step"] }
  | { readonly kind: "edit"; readonly post: PostView; readonly update: PostView["updates"][number] }
  | { readonly kind: "head" | "delete"; readonly post: PostView };

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
  onEdit: () => void;
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
      <IconButton icon="edit" label={text("admin.status.update.edit")} onClick={onEdit} />
    </li>
  );
}

function PostCard(props: {
  page: StatusPageView;
  post: PostView;
  onOpen: (opened: Opened) => void;
  onPublish: () => void;
}): JSX.Element {
  const { page, post, onOpen, onPublish } = props;
  const { state, type } = post;
  const next = findNextStep(post);
  const end = type === "incident" ? "resolved" : "completed";
  return (
    <li class="admin-panel stack-small" aria-label={post.title}>
      <div class="admin-head rule-head">
        <h2>{post.title}</h2>
        <PostMarks post={post} />
        <span class="spacer" />
        <IconButton
          icon="edit"
          label={text(type === "incident" ? "admin.status.post.edit" : "admin.status.post.plan")}
          onClick={() => onOpen({ kind: "head", post })}
        />
        <IconButton
          icon="trash"
          label={text("admin.status.post.delete", { title: post.title })}
          onClick={() => onOpen({ kind: "delete", post })}
        />
      </div>
      <ol class="plain-list stack-small">
        {post.updates.toReversed().map((update) => (
          <UpdateLine
            key={update.id}
            page={page}
            update={update}
            onEdit={() => onOpen({ kind: "edit", post, update })}
          />
        ))}
      </ol>
      <div class="button-row">
        {state === "draft" && (
          <Button kind="primary" onClick={onPublish}>
            {text("admin.publish")}
          </Button>
        )}
        <Button icon="plus" onClick={() => onOpen({ kind: "update", post, step: next })}>
          {text("admin.status.update.add")}
        </Button>
        {state === "open" && next !== end && (
          <Button icon="check" onClick={() => onOpen({ kind: "update", post, step: end })}>
            {text(`admin.status.end.${type}`)}
          </Button>
        )}
      </div>
    </li>
  );
}

/** The panel. */
export function PostsPanel({ page }: { page: StatusPageView }): JSX.Element {
  const list = useCursorPage<PostView>(toPostsPath(page.id), {});
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  const common = { page, onDone: list.refresh, onClose: close };
  async function publish(post: PostView): Promise<void> {
    await adminRequest(`${toPostPath(post)}/publish`, { method: "POST", body: {} });
    showToast(text("admin.status.published.done"));
    await list.refresh();
  }
  return (
    <div class="stack">
      <div class="button-row">
        <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: "new", type: "incident" })}>
          {text("admin.status.new.incident")}
        </Button>
        <Button icon="wrench" onClick={() => setOpened({ kind: "new", type: "maintenance" })}>
          {text("admin.status.new.maintenance")}
        </Button>
      </div>
      <CursorList page={list} empty={<p>{text("admin.status.posts.none")}</p>}>
        <ul class="plain-list stack">
          {list.items.map((post) => (
            <PostCard
              key={post.id}
              page={page}
              post={post}
              onOpen={setOpened}
              onPublish={() => void publish(post).catch(showProblem)}
            />
          ))}
        </ul>
      </CursorList>
      {opened?.kind === "new" && <NewPostDialog {...common} type={opened.type} />}
      {opened?.kind === "update" && <UpdateDialog {...common} post={opened.post} step={opened.step} />}
      {opened?.kind === "edit" && <EditUpdateDialog {...common} post={opened.post} update={opened.update} />}
      {opened?.kind === "head" && <EditPostDialog post={opened.post} onDone={list.refresh} onClose={close} />}
      {opened?.kind === "delete" && (
        <DeleteDialog
          title={text("admin.status.post.delete", { title: opened.post.title })}
          path={toPostPath(opened.post)}
          name={opened.post.title}
          onDone={list.refresh}
          onClose={close}
        >
          {text("admin.status.post.delete.text")}
        </DeleteDialog>
      )}
    </div>
  );
}
