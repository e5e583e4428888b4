/** The panels around the form of a webhook: waiting after failures, a test, its secret. */
import type { JSX } from "preact";
import type { DeliveryView } from "../../../shop/webhooks-out/answer-schema.ts";
import { useState } from "preact/hooks";
import type { EndpointView } from "../../../shop/webhooks-out/schema.ts";
import { text } from "../../app/texts.ts";
import { Moment } from "../../ui/console/pieces.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { DeliveryFacts } from "./deliveries.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { type WebhookSecret, toWebhookPath } from "./webhook-data.ts";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { Panel } from "../../ui/panel.tsx";

/** The next attempt of a paused endpoint, with a button that resumes it. */
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
    <Panel
      small
      title={text("shop.webhooks.paused")}
      hint={text("shop.webhooks.paused.hint")}
      class="beside-form"
    >
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
    </Panel>
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
    <Panel
      small
      title={text("shop.webhooks.test")}
      hint={text(dirty ? "shop.webhooks.test.dirty" : "shop.webhooks.test.hint")}
      class="beside-form"
    >
      <TaskNote task={task} pointers={[]} />
      <div class="button-row">
        <Button icon="send" disabled={task.busy || dirty} onClick={() => void task.run(run)}>
          {text(task.busy ? "admin.busy" : "admin.test")}
        </Button>
      </div>
      <div role="status">{delivery && <DeliveryFacts delivery={delivery} />}</div>
    </Panel>
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
  async function rotate(): Promise<void> {
    const made = await adminRequest<WebhookSecret>(toWebhookPath(webhook.id, "/rotate-secret"), {
      method: "POST",
    });
    setAsking(false);
    setSecret(made.secret);
    onRotated(made);
  }
  return (
    <Panel
      small
      title={text("shop.webhooks.secret")}
      hint={text("shop.webhooks.secret.hint")}
      class="beside-form"
    >
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
        <ConfirmTask title={text("shop.webhooks.rotate")} send={rotate} onClose={() => setAsking(false)}>
          {text("shop.webhooks.rotate.text")}
        </ConfirmTask>
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Panel>
  );
}
