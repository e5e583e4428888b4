/** One subscription: what it renews, how it was paid, and its end. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SubscriptionView } from "../../../shop/renewals/answer-schema.ts";
import { subscriptionExtensionSchema } from "../../../shop/renewals/change-schema.ts";
import { text } from "../../app/texts.ts";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { Note } from "../../ui/console/note.tsx";
import { Crumbs, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { showMoney } from "../ui/money.ts";
import { toActorName } from "../ui/orders/event-names.ts";
import { mayWriteOrders } from "../ui/orders/order-data.ts";
import { OrderLink } from "../ui/orders/order-marks.tsx";
import { SUBSCRIPTIONS, SubscriptionMark, nameProduct, sayPrice } from "./subscription-data.tsx";

const extension = makeForm({
  schema: subscriptionExtensionSchema,
  words: "shop.subscriptions.field",
  only: "panels",
  fields: { paidUntil: { json: { required: true } } },
  panels: [{ fields: ["paidUntil"] }],
});

interface ContentProps {
  readonly of: SubscriptionView;
  readonly onChange: () => Promise<void>;
}

/** Cancel, undo that, extend. */
function Actions({ of, onChange }: ContentProps): JSX.Element | null {
  const [asked, setAsked] = useState<"cancel" | "resume" | "extend">();
  const { id, version, state, number } = of;
  if (!mayWriteOrders() || state === "ended") return null;
  const move = state === "canceled" ? "resume" : "cancel";
  const send = async (name: string, body: object): Promise<void> => {
    await adminRequest(`${SUBSCRIPTIONS}/${id}/${name}`, { method: "POST", body: { ...body, version } });
    setAsked(undefined);
    await onChange();
  };
  return (
    <div class="button-row">
      <Button onClick={() => setAsked(move)}>{text(`shop.subscriptions.${move}`)}</Button>
      <Button onClick={() => setAsked("extend")}>{text("shop.subscriptions.extend")}</Button>
      {(asked === "cancel" || asked === "resume") && (
        <ConfirmTask
          title={text(`shop.subscriptions.${asked}`)}
          danger={asked === "cancel"}
          send={() => send(asked, {})}
          onClose={() => setAsked(undefined)}
        >
          {text(`shop.subscriptions.${asked}.text`, { number })}
        </ConfirmTask>
      )}
      {asked === "extend" && (
        <FieldsDialog
          title={text("shop.subscriptions.extend")}
          action={text("shop.subscriptions.extend")}
          form={extension}
          context={undefined}
          send={(fields) => send("extend", fields)}
          onDone={() => Promise.resolve()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function Renewals({ of: { renewals, currency } }: Pick<ContentProps, "of">): JSX.Element {
  return (
    <Panel title={text("shop.subscriptions.renewals")}>
      {renewals.length === 0 && <p class="empty">{text("shop.subscriptions.renewals.none")}</p>}
      <ul class="plain-list lines">
        {renewals.toReversed().map(({ number, orderId, orderNumber, total, state, from, until }) => (
          <li key={number}>
            <span>
              <OrderLink id={orderId} number={orderNumber} /> · {showMoney(total, currency)} ·{" "}
              {text(`shop.subscriptions.renewal.${state}`)}
              <br />
              <span class="field-hint">
                <Moment at={from} /> – <Moment at={until} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function History({ of: { events } }: Pick<ContentProps, "of">): JSX.Element {
  return (
    <Panel title={text("shop.ui.history")}>
      <ol class="plain-list timeline">
        {events.toReversed().map(({ at, by, event, note }) => (
          <li key={`${at} ${event}`}>
            <Icon name="history" />
            <div>
              <p class="timeline-title">{text(`shop.subscriptions.event.${event}`)}</p>
              {note !== undefined && <p class="timeline-note break">{note}</p>}
              <p class="field-hint">
                <Moment at={at} /> · {toActorName(by)}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Content({ of, onChange }: ContentProps): JSX.Element {
  const { number, state, way, paidUntil, renewsAt, orderId, orderNumber = "", email, problem } = of;
  return (
    <>
      <PageHead title={text("shop.subscriptions.title", { number })}>
        <SubscriptionMark state={state} />
      </PageHead>
      {problem !== undefined && (
        <Note kind="warn">{text("shop.subscriptions.problem", { message: problem })}</Note>
      )}
      <Actions of={of} onChange={onChange} />
      <div class="order-columns">
        <Panel title={text("shop.subscriptions.terms")}>
          <Facts
            facts={[
              [text("shop.subscriptions.product"), nameProduct(of)],
              [text("shop.subscriptions.price"), sayPrice(of)],
              [text("shop.subscriptions.paidUntil"), <Moment at={paidUntil} />],
              [
                text("shop.subscriptions.renewsAt"),
                renewsAt === undefined ? undefined : <Moment at={renewsAt} />,
              ],
              [text("shop.subscriptions.way"), way && text(`shop.subscriptions.way.${way}`)],
              [text("shop.ui.order"), <OrderLink id={orderId} number={orderNumber} />],
              [text("shop.ui.buyer"), email],
            ]}
          />
        </Panel>
        <Renewals of={of} />
        <History of={of} />
      </div>
    </>
  );
}

/** The page. */
export function SubscriptionPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<SubscriptionView>(`${SUBSCRIPTIONS}/${encodeURIComponent(id)}`, 0);
  return (
    <>
      <Crumbs to="/admin/licenses/subscriptions" label="shop.subscriptions.all" />
      <Loaded of={loaded}>{(data) => <Content of={data} onChange={loaded.refresh} />}</Loaded>
    </>
  );
}
