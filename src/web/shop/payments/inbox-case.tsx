/** One notice that waits for a person: why, and what can be done about it. */
import type { JSX } from "preact";
import { Ago } from "../../ui/console/pieces.tsx";
import type { NoticeView } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toAdvice, toReason } from "../ui/orders/notice-words.ts";
import { NoticeActions } from "./notice-actions.tsx";

/** The case; `title` is that of its provider. */
export function InboxCase(props: {
  notice: NoticeView;
  title: string;
  onChange: () => Promise<void>;
}): JSX.Element {
  const { notice, title, onChange } = props;
  return (
    <article class="admin-panel stack-small" aria-label={nameNotice(notice)}>
      <div class="panel-head">
        <h2>
          <a href={`/admin/payments/${notice.id}`}>{nameNotice(notice)}</a>
        </h2>
        <NoticeState state={notice.state} />
      </div>
      <p>
        <strong>{toReason(notice.reason)}</strong>
      </p>
      <p>{toAdvice(notice)}</p>
      <p class="field-hint break">
        {title} · {notice.providerRef} · <Ago at={notice.receivedAt} />
      </p>
      <NoticeActions notice={notice} onChange={onChange} />
    </article>
  );
}
