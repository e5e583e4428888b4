/** All that happened about an order, the newest first. */
import type { JSX } from "preact";
import type { OrderTimeline as Timeline } from "../../../shop/fulfilment/answer-schema.ts";
import { useState } from "preact/hooks";
import { findText, text } from "../../app/texts.ts";
import { Button, Checkbox } from "../../ui/controls.tsx";
import { type IconName, Icon } from "../../ui/icons.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { toActorName, toEventName, toMailName } from "../ui/orders/event-names.ts";
import { showMoney } from "../ui/money.ts";
import { Panel } from "../../ui/panel.tsx";
import { type NamedProvider, useProviders } from "../ui/providers.ts";
import { orderPath } from "../ui/orders/order-data.ts";

type TimelineItem = Timeline["items"][number];

const icons: Readonly<Record<TimelineItem["kind"], IconName>> = {
  history: "history",
  payment_notice: "table",
  mail: "mail",
  event: "send",
  download: "download",
};
/** As many are shown at once. */
const SHOWN = 12;

function toTitle({ kind, what, amount, currency }: TimelineItem): string {
  switch (kind) {
    case "mail":
      return text("shop.order.event.mail", { mail: toMailName(what) });
    case "event":
      return text("shop.order.event.event", { event: what });
    case "download":
      return text("shop.order.event.download", { title: what });
    case "payment_notice": {
      const money = amount === undefined || currency === undefined ? "" : showMoney(amount, currency);
      return text("shop.order.event.notice", { what: toEventName("notice", what), money });
    }
    case "history":
      return toEventName("history", what);
  }
}

/** State of a notification, a mail or an event; none for the usual outcome. */
function StateBadge({ kind, state }: TimelineItem): JSX.Element | null {
  if (state === undefined || kind === "history" || state === "applied" || state === "sent") return null;
  const words = findText(`shop.order.event.state.${state}`) ?? state;
  const isBad = ["failed", "needs_review", "unmatched", "rejected"].includes(state);
  return <Badge kind={isBad ? "bad" : "idle"}>{words}</Badge>;
}

/** Points to check before deciding about a withdrawal. */
function toMarkWords(note: string): string {
  return note
    .split(", ")
    .map((mark) => findText(`shop.withdrawals.mark.${mark}`) ?? mark)
    .join(" ");
}

function toNote({ kind, note, what }: TimelineItem): string | undefined {
  if (kind === "download") return text("shop.order.event.download.count", { count: note ?? "" });
  if (kind === "history" && what === "mail_repeated") return toMailName(note ?? "");
  if (kind === "history" && what === "withdrawal") return note && toMarkWords(note);
  return note === "" ? undefined : note;
}

function Item({ item, providers }: { item: TimelineItem; providers: readonly NamedProvider[] }): JSX.Element {
  const provider = providers.find(({ word }) => word === item.by?.replace(/^provider /u, ""));
  const note = toNote(item);
  const title = toTitle(item);
  return (
    <li class={item.what === "note" ? "is-note" : ""}>
      <Icon name={item.what === "note" ? "edit" : icons[item.kind]} />
      <div>
        <p class="timeline-title">
          {item.kind === "payment_notice" && item.id !== undefined ? (
            <a href={`/admin/payments/${item.id}`}>{title}</a>
          ) : (
            title
          )}{" "}
          <StateBadge {...item} />
        </p>
        {item.changes?.map(({ field, from, to }) => (
          <p class="timeline-note break" key={`${field} ${from}`}>
            {text(`shop.order.edit.field.${field}`)}:{" "}
            {text("shop.order.edit.from", {
              from: from || text("shop.order.edit.none"),
              to: to || text("shop.order.edit.none"),
            })}
          </p>
        ))}
        {note !== undefined && <p class="timeline-note break">{note}</p>}
        <p class="field-hint">
          <Moment at={item.at} />
          {item.by !== undefined &&
            item.kind !== "event" &&
            ` · ${provider?.title ?? item.who ?? toActorName(item.by)}`}
        </p>
      </div>
    </li>
  );
}

/** The list, as it is when it is drawn first. */
export function OrderTimeline({ id }: { id: string }): JSX.Element {
  const path = orderPath(id, "/timeline");
  const { data, error, refresh } = usePolled<Timeline>(path, 0);
  const providers = useProviders();
  const [isAll, setAll] = useState(false);
  const [withTechnical, setTechnical] = useState(false);
  const items = [...(data?.items ?? [])].reverse();
  const wanted = items.filter(({ kind }) => withTechnical || kind !== "event");
  const shown = isAll ? wanted : wanted.slice(0, SHOWN);
  return (
    <Panel title={text("shop.order.timeline")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {wanted.length < items.length || withTechnical ? (
        <Checkbox
          label={text("shop.order.timeline.technical")}
          checked={withTechnical}
          onChange={setTechnical}
        />
      ) : null}
      <ol class="plain-list timeline">
        {shown.map((item, index) => (
          <Item item={item} providers={providers} key={`${item.at} ${item.kind} ${item.what} ${index}`} />
        ))}
      </ol>
      {shown.length < wanted.length && (
        <div class="button-row">
          <Button onClick={() => setAll(true)}>{text("shop.order.timeline.all")}</Button>
        </div>
      )}
    </Panel>
  );
}
