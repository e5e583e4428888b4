/** One webhook: where it goes and what it tells, its secret, a test, and what was sent. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { FieldWordsContext } from "../../ui/console/conflict-dialog.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Crumbs, FieldGroup, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { SettingFields, toFieldWords } from "../../ui/settings/setting-fields.tsx";
import { Deliveries, DeliveryFacts } from "./deliveries.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import {
  type DeliveryView,
  type WebhookSecret,
  type WebhookView,
  edited,
  specs,
  toWebhookPath,
} from "./webhook-data.ts";
import { WebhookState } from "./webhook-state.tsx";

const LIST = "/admin/webhooks";

/** What an endpoint that fails waits for, and a button that ends the wait. */
function FailingPanel({
  webhook,
  onResumed,
}: {
  webhook: WebhookView;
  onResumed: (view: WebhookView) => void;
}): JSX.Element {
  const task = useTask();
  async function resume(): Promise<void> {
    onResumed(await adminRequest<WebhookView>(toWebhookPath(webhook.id, "/resume"), { method: "POST" }));
    showToast(text("shop.webhooks.resumed"));
  }
  return (
    <section class="admin-panel stack-small beside-form" aria-labelledby="webhook-failing">
      <h2 id="webhook-failing">{text("shop.webhooks.paused")}</h2>
      <p class="field-hint">{text("shop.webhooks.paused.hint")}</p>
      {webhook.nextAttemptAt !== undefined && (
        <p>
          {text("shop.webhooks.next")}: <Moment at={webhook.nextAttemptAt} />
        </p>
      )}
      <TaskNote task={task} pointers={[]} />
      <div class="button-row">
        <Button icon="refresh" disabled={task.busy} onClick={() => void task.run(resume)}>
          {text("shop.webhooks.resume")}
        </Button>
      </div>
    </section>
  );
}

/** A message that is sent now, and what came back. */
function TestPanel({ webhook, dirty }: { webhook: WebhookView; dirty: boolean }): JSX.Element {
  const [delivery, setDelivery] = useState<DeliveryView | undefined>();
  const task = useTask();
  async function run(): Promise<void> {
    setDelivery(undefined);
    setDelivery(await adminRequest<DeliveryView>(toWebhookPath(webhook.id, "/test"), { method: "POST" }));
  }
  return (
    <section class="admin-panel stack-small beside-form" aria-labelledby="webhook-test">
      <h2 id="webhook-test">{text("shop.webhooks.test")}</h2>
      <p class="field-hint">{text(dirty ? "shop.webhooks.test.dirty" : "shop.webhooks.test.hint")}</p>
      <TaskNote task={task} pointers={[]} />
      <div class="button-row">
        <Button icon="send" disabled={task.busy || dirty} onClick={() => void task.run(run)}>
          {text(task.busy ? "admin.busy" : "admin.test")}
        </Button>
      </div>
      <div role="status">{delivery && <DeliveryFacts delivery={delivery} />}</div>
    </section>
  );
}

/** Another secret; the one before signs as well for a day. */
function SecretPanel({
  webhook,
  onRotated,
}: {
  webhook: WebhookView;
  onRotated: (view: WebhookView) => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const task = useTask();
  async function rotate(): Promise<void> {
    const made = await adminRequest<WebhookSecret>(toWebhookPath(webhook.id, "/rotate-secret"), {
      method: "POST",
    });
    setAsking(false);
    setSecret(made.secret);
    onRotated(made);
  }
  return (
    <section class="admin-panel stack-small beside-form" aria-labelledby="webhook-secret">
      <h2 id="webhook-secret">{text("shop.webhooks.secret")}</h2>
      <p class="field-hint">{text("shop.webhooks.secret.hint")}</p>
      {webhook.previousUntil !== undefined && Date.parse(webhook.previousUntil) > Date.now() && (
        <p>
          {text("shop.webhooks.secret.previous")} <Moment at={webhook.previousUntil} />
        </p>
      )}
      <div class="button-row">
        <Button icon="key" onClick={() => setAsking(true)}>
          {text("shop.webhooks.rotate")}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={text("shop.webhooks.rotate")}
          action={text("shop.webhooks.rotate")}
          busy={task.busy}
          onConfirm={() => void task.run(rotate)}
          onClose={() => setAsking(false)}
        >
          <div class="stack-small">
            {task.message !== undefined && <ErrorNote message={task.message} />}
            <p>{text("shop.webhooks.rotate.text")}</p>
          </div>
        </ConfirmDialog>
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

function WebhookEditor({ stored }: { stored: WebhookView }): JSX.Element {
  const editor = useEditor<WebhookView, ReturnType<typeof edited.toForm>, ReturnType<typeof edited.pick>>(
    stored,
    edited,
  );
  const words = useMemo(() => toFieldWords(specs), []);
  const [isDeleting, setDeleting] = useState(false);
  const { base, form, dirty, task } = editor;
  const host = URL.canParse(base.url) ? new URL(base.url).host : base.url;
  return (
    <>
      <PageHead title={host}>
        <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
          {text("admin.delete")}
        </Button>
      </PageHead>
      <div>
        <WebhookState webhook={base} />
      </div>
      {base.enabled && base.failingSince !== undefined && (
        <FailingPanel webhook={base} onResumed={editor.begin} />
      )}
      <FieldWordsContext.Provider value={words}>
        <EditorForm label={host} editor={editor} pointers={specs.map(({ key }) => `/${key}`)}>
          <FieldGroup title={text("shop.webhooks.general")}>
            <SettingFields specs={specs} part={{ form, errors: task.errors, onChange: editor.change }} />
          </FieldGroup>
        </EditorForm>
      </FieldWordsContext.Provider>
      <TestPanel webhook={base} dirty={dirty} />
      <SecretPanel webhook={base} onRotated={editor.begin} />
      <Deliveries id={base.id} />
      {isDeleting && (
        <DeleteDialog
          title={text("shop.webhooks.delete")}
          path={toWebhookPath(base.id)}
          name={host}
          onDone={async () => navigate(LIST, { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text("shop.webhooks.delete.text", { name: host })}
        </DeleteDialog>
      )}
    </>
  );
}

/** The section with a webhook in its address. */
export function WebhookPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<WebhookView>(toWebhookPath(id), 0);
  return (
    <>
      <Crumbs to={LIST} label="shop.nav.webhooks" />
      <Loaded of={loaded}>{(data) => <WebhookEditor stored={data} />}</Loaded>
    </>
  );
}
