/** One notice that waits for a person: why, and what can be done about it. */
import type { JSX } from "preact";
import { Ago } from "../../ui/console/pieces.tsx";
import type { NoticeView } from "../ui/orders/notice-data.ts";
import { NoticeState, nameNotice, toAdvice, toReason } from "../ui/orders/notice-marks.tsx";
import { useProviderTitle } from "../ui/providers.ts";
import { NoticeActions } from "./notice-actions.tsx";

/** The case. */
export function InboxCase(props: { notice: NoticeView; onChange: () => Promise<void> }): JSX.Element {
  const { notice, onChange } = props;
  const title = useProviderTitle(notice.provider);
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
