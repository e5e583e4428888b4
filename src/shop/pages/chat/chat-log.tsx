/** @jsxImportSource hono/jsx */
/** The messages of a conversation as its buyer reads them, the newest last. */
import type { MessageView } from "../../chat/answer-schema.ts";
import { toMessageView } from "../../chat/views.ts";
import type { History } from "../../chat/chat.ts";
import type { Visit } from "../visit.tsx";

type Picture = MessageView["attachments"][number];

interface Shown {
  readonly visit: Visit;
  /** The page of the conversation. */
  readonly path: string;
  /** Where pictures are for those who are not signed in. */
  readonly toPictureUrl?: (id: string) => string;
}

function ShownPicture({ picture, visit: { t }, toPictureUrl }: Shown & { readonly picture: Picture }) {
  const { id, width, height } = picture;
  const url = picture.url === undefined ? undefined : (toPictureUrl?.(id) ?? picture.url);
  if (url === undefined) return <p class="small muted">{t("chat.removed")}</p>;
  return (
    <a href={url}>
      <img
        class="chat-picture"
        src={url}
        width={width}
        height={height}
        alt={t("chat.pictureAlt")}
        loading="lazy"
      />
    </a>
  );
}

function Message({
  message: { sender, body, attachments, createdAt, seq },
  readByAdmin,
  ...shown
}: Shown & { readonly message: MessageView; readonly readByAdmin: number }) {
  const { t, time } = shown.visit;
  const who = { user: t("chat.you"), admin: t("chat.shop"), system: t("chat.note") }[sender];
  const isRead = sender === "user" && seq <= readByAdmin;
  return (
    <li class={`chat-message is-${sender}`}>
      <p class="small muted">
        <strong>{who}</strong>
        {" · "}
        <time datetime={createdAt}>{time(Date.parse(createdAt))}</time>
        {isRead ? ` · ${t("chat.read")}` : ""}
      </p>
      {body === "" ? <></> : <p class="pre-line">{body}</p>}
      {attachments.map((picture) => (
        <ShownPicture picture={picture} {...shown} />
      ))}
    </li>
  );
}

/** The messages with the ways to older and newer ones. */
export function ChatLog({ history, ...shown }: Shown & { readonly history: History }) {
  const { path } = shown;
  const { t, c } = shown.visit;
  const { items, nextCursor, conversation } = history;
  if (items.length === 0) return <p class="muted">{t("chat.empty")}</p>;
  return (
    <>
      {nextCursor === undefined ? (
        <></>
      ) : (
        <a href={`${path}?cursor=${encodeURIComponent(nextCursor)}`}>{t("chat.older")}</a>
      )}
      <ol class="chat-log">
        {items.toReversed().map((record) => (
          <Message message={toMessageView(record)} {...shown} readByAdmin={conversation?.readByAdmin ?? 0} />
        ))}
      </ol>
      {c.req.query("cursor") === undefined ? <></> : <a href={path}>{t("chat.newest")}</a>}
    </>
  );
}
