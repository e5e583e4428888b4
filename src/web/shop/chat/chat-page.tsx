/** The desk of the chat: who wrote, and the conversation that is open. */
import type { JSX } from "preact";
import type { ConversationView } from "../../../shop/chat/answer-schema.ts";
import { countText, text } from "../../app/texts.ts";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, Badge, PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { ClearFilters, FilterSelect } from "../ui/filter-bar.tsx";
import { conversationPath, useChatNews } from "./chat-data.ts";
import { Conversation } from "./conversation.tsx";

function ConversationItem({ conversation, isOpen }: { conversation: ConversationView; isOpen: boolean }) {
  const { id, username, preview, unreadAdmin, status, assignee, lastMessageAt, userPresent } = conversation;
  return (
    <li>
      <a
        class="desk-item"
        href={`/admin/chat/${encodeURIComponent(id)}${location.search}`}
        aria-current={isOpen ? "true" : undefined}
      >
        <span class="desk-who">
          <strong>{username || id}</strong>
          {unreadAdmin > 0 && <Badge kind="warn">{countText("shop.chat.unread", unreadAdmin)}</Badge>}
          {userPresent === true && <Badge kind="good">{text("shop.chat.present")}</Badge>}
          {status === "resolved" && <Badge>{text("shop.chat.status.resolved")}</Badge>}
        </span>
        <span class="desk-preview">{preview}</span>
        <span class="field-hint">
          <Ago at={lastMessageAt} />
          {assignee !== undefined && ` · ${text("shop.chat.has", { name: assignee })}`}
        </span>
      </a>
    </li>
  );
}

/** The section; `id` is whose conversation is open. */
export function ChatPage({ id }: { id: string | undefined }): JSX.Element {
  const query = useQuery();
  const filters = { q: query.get("q"), status: query.get("status"), unread: query.get("unread") };
  const page = useCursorPage<ConversationView>(conversationPath(), filters);
  useChatNews(() => void page.refresh());
  const isNarrowed = Object.values(filters).some((value) => value !== "");
  return (
    <>
      <PageHead title={text("shop.nav.chat")} />
      <div class={id === undefined ? "desk" : "desk has-open"}>
        <section class="desk-list" aria-label={text("shop.chat.conversations")}>
          <div class="admin-filters is-many">
            <SearchField query={query} label={text("shop.chat.search")} />
            <FilterSelect
              query={query}
              name="unread"
              label={text("shop.chat.filter.unread")}
              any={text("shop.chat.filter.all")}
              choices={[{ value: "true", label: text("shop.chat.filter.unread") }]}
            />
            <FilterSelect
              query={query}
              name="status"
              label={text("shop.ui.state")}
              any={text("shop.chat.filter.anyStatus")}
              choices={[
                { value: "open", label: text("shop.chat.status.open") },
                { value: "resolved", label: text("shop.chat.status.resolved") },
              ]}
            />
            <ClearFilters query={query} names={["q", "unread", "status"]} />
          </div>
          <CursorList page={page} empty={text(isNarrowed ? "shop.chat.noneFound" : "shop.chat.none")}>
            <ul class="plain-list desk-items">
              {page.items.map((conversation) => (
                <ConversationItem
                  conversation={conversation}
                  isOpen={conversation.id === id}
                  key={conversation.id}
                />
              ))}
            </ul>
          </CursorList>
        </section>
        {id === undefined ? (
          <p class="empty desk-open">{text("shop.chat.choose")}</p>
        ) : (
          <Conversation id={id} key={id} onChange={page.refresh} />
        )}
      </div>
    </>
  );
}
