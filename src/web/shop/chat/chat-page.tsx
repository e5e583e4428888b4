/** The desk of the chat: who wrote, and the conversation that is open. */
import type { JSX } from "preact";
import type { ConversationView } from "../../../shop/chat/answer-schema.ts";
import { countText, text } from "../../app/texts.ts";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, Badge, PageHead } from "../../ui/console/pieces.tsx";
import { ListFilters } from "../../ui/resource/list-parts.tsx";
import { useAsked, useIsNarrowed } from "../../ui/resource/list-state.tsx";
import type { TableQuery } from "../../ui/resource/resource.ts";
import { conversationPath, useChatNews } from "./chat-data.ts";
import { Conversation, GuestBadge } from "./conversation.tsx";

function ConversationItem({ conversation, isOpen }: { conversation: ConversationView; isOpen: boolean }) {
  const { id, username, guest, preview, unreadAdmin, status, assignee, lastMessageAt, userPresent } =
    conversation;
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
          {guest !== undefined && <GuestBadge guest={guest} />}
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

const conversations: TableQuery = {
  search: "shop.chat.search",
  filters: [
    {
      name: "unread",
      label: "shop.chat.filter.unread",
      any: "shop.chat.filter.all",
      useChoices: () => [{ value: "true", label: text("shop.chat.filter.unread") }],
    },
    {
      name: "status",
      label: "shop.ui.state",
      any: "shop.chat.filter.anyStatus",
      values: ["open", "resolved"],
      words: "shop.chat.status",
    },
  ],
};

/** The section; `id` is whose conversation is open. */
export function ChatPage({ id }: { id: string | undefined }): JSX.Element {
  const page = useCursorPage<ConversationView>(conversationPath(), useAsked(conversations));
  useChatNews(() => void page.refresh());
  const isNarrowed = useIsNarrowed(conversations);
  return (
    <>
      <PageHead title={text("shop.nav.chat")} />
      <div class={id === undefined ? "desk" : "desk has-open"}>
        <section class="desk-list" aria-label={text("shop.chat.conversations")}>
          <ListFilters table={conversations} />
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
