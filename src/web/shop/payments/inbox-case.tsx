/** One payment notification that needs a decision: why, and what can be done about it. */
import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import type { NoticeView } from "../../../shop/payments/answer-schema.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import type { ListTools } from "../../ui/resource/resource.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toAdvice, toReason } from "../ui/orders/notice-words.ts";
import { ProviderTitles } from "../ui/providers.ts";
import { NoticeActions } from "./notice-actions.tsx";

/** The case. */
export function InboxCase(props: { view: NoticeView; tools: ListTools<NoticeView> }): JSX.Element {
  const { view: notice, tools } = props;
  const title = useContext(ProviderTitles).get(notice.provider) ?? notice.provider;
  return (
    <li>
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
        <NoticeActions notice={notice} onChange={tools.refresh} />
      </article>
    </li>
  );
}
