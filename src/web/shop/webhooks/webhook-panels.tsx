/** What stands around the form of a webhook: waiting after failures, a test, its secret. */
import type { JSX } from "preact";
import type { DeliveryView } from "../../../shop/webhooks-out/answer-schema.ts";
import { useState } from "preact/hooks";
import type { EndpointView } from "../../../shop/webhooks-out/schema.ts";
import { text } from "../../app/texts.ts";
import { Moment } from "../../ui/console/pieces.tsx";
import { ErrorNote, TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { DeliveryFacts } from "./deliveries.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { type WebhookSecret, toWebhookPath } from "./webhook-data.ts";

/** What an endpoint that fails waits for, and a button that ends the wait. */
export function FailingPanel({
  webhook,
  onResumed,
}: {
  webhook: EndpointView;
  onResumed: (view: EndpointView) => void;
}): JSX.Element {
  const task = useTask();
  async function resume(): Promise<void> {
    onResumed(await adminRequest<EndpointView>(toWebhookPath(webhook.id, "/resume"), { method: "POST" }));
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
export function TestPanel({ webhook, dirty }: { webhook: EndpointView; dirty: boolean }): JSX.Element {
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
export function SecretPanel({
  webhook,
  onRotated,
}: {
  webhook: EndpointView;
  onRotated: (view: EndpointView) => void;
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
