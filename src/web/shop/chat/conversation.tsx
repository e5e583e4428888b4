/** One conversation: its messages as they come, the answer, and whose it is. */
import type { JSX } from "preact";
import type { AdminHistory, ConversationView, MessageView } from "../../../shop/chat/answer-schema.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest, session } from "../../ui/console/session.ts";
import { AnswerForm } from "./answer-form.tsx";
import { conversationPath, picturePath, useChatNews } from "./chat-data.ts";

const SHOWN = 50;
const MORE = 200;

type GuestView = NonNullable<ConversationView["guest"]>;

/** Which order a guest asks about, or whether their email address is verified. */
export function GuestBadge({ guest: { orderNumber, emailVerified } }: { guest: GuestView }): JSX.Element {
  if (orderNumber !== undefined)
    return <Badge>{text("shop.chat.guestOrder", { number: orderNumber })}</Badge>;
  return emailVerified ? (
    <Badge>{text("shop.chat.guest")}</Badge>
  ) : (
    <Badge kind="warn">{text("shop.chat.unverified")}</Badge>
  );
}

/** How a guest gets the reply, and what staff should know about who asks. */
function GuestNote({ guest }: { guest: GuestView }): JSX.Element {
  const { email, orderId, emailVerified } = guest;
  return (
    <p class="field-hint">
      {orderId === undefined ? (
        <GuestBadge guest={guest} />
      ) : (
        <a href={`/admin/orders/${orderId}`}>
          <GuestBadge guest={guest} />
        </a>
      )}{" "}
      {text("shop.chat.guestReply", { email })}{" "}
      {orderId === undefined && !emailVerified && text("shop.chat.unverifiedHint")}
    </p>
  );
}

type PictureView = MessageView["attachments"][number];

function ShownPicture({ picture, onRemove }: { picture: PictureView; onRemove: () => void }): JSX.Element {
  const { id, url, width, height } = picture;
  if (url === undefined) return <p class="field-hint">{text("shop.chat.pictureRemoved")}</p>;
  const address = picturePath(id);
  return (
    <span class="desk-picture">
      <a href={address} target="_blank" rel="noopener">
        <img src={address} width={width} height={height} alt={text("shop.chat.pictureAlt")} loading="lazy" />
      </a>
      <IconButton icon="trash" label={text("shop.chat.removePicture")} onClick={onRemove} />
    </span>
  );
}

function Message(props: {
  message: MessageView;
  name: string;
  readByUser: number;
  onRemove: (picture: PictureView) => void;
}): JSX.Element {
  const { message, name, readByUser, onRemove } = props;
  const { sender, body, attachments, createdAt, seq, orderId, productId } = message;
  const who = sender === "user" ? name : text(`shop.chat.sender.${sender}`);
  return (
    <li class={`desk-message is-${sender}`}>
      <p class="field-hint">
        <strong>{who}</strong> · <Moment at={createdAt} />
        {sender === "admin" && seq <= readByUser && ` · ${text("shop.chat.read")}`}
      </p>
      {body !== "" && <p class="message">{body}</p>}
      {attachments.map((picture) => (
        <ShownPicture picture={picture} key={picture.id} onRemove={() => onRemove(picture)} />
      ))}
      {orderId !== undefined && <a href={`/admin/orders/${orderId}`}>{text("shop.chat.aboutOrder")}</a>}
      {productId !== undefined && (
        <a href={`/admin/products/${productId}`}>{text("shop.chat.aboutProduct")}</a>
      )}
    </li>
  );
}

function Actions({
  conversation,
  onChange,
}: {
  conversation: ConversationView;
  onChange: () => Promise<void>;
}) {
  const { id, status, assignee, username } = conversation;
  const [isRemoving, setRemoving] = useState(false);
  const present = session.value;
  const mine = (present.kind === "in" ? present.info.name : "") || text("shop.chat.sender.admin");
  function send(action: string, body: object): void {
    const sent = adminRequest(conversationPath(id, action), { method: "POST", body });
    void sent.then(onChange).catch(showProblem);
  }
  const next = status === "open" ? "resolved" : "open";
  return (
    <div class="admin-actions">
      <Button small onClick={() => send("/status", { status: next })}>
        {text(status === "open" ? "shop.chat.resolve" : "shop.chat.reopen")}
      </Button>
      <Button small onClick={() => send("/assign", { assignee: assignee === undefined ? mine : null })}>
        {text(assignee === undefined ? "shop.chat.take" : "shop.chat.giveBack")}
      </Button>
      <Button small kind="danger" onClick={() => setRemoving(true)}>
        {text("admin.delete")}
      </Button>
      {isRemoving && (
        <DeleteDialog
          title={text("shop.chat.removeTitle")}
          path={conversationPath(id)}
          name={username || id}
          onDone={async () => {
            navigate("/admin/chat");
            await onChange();
          }}
          onClose={() => setRemoving(false)}
        >
          {text("shop.chat.removeText", { name: username || id })}
        </DeleteDialog>
      )}
    </div>
  );
}

/** Marks the conversation as read while the page is visible. */
function useReading(conversation: ConversationView | undefined, onChange: () => Promise<void>): void {
  const unread = conversation?.unreadAdmin ?? 0;
  const id = conversation?.id;
  const lastSeq = conversation?.lastSeq;
  useEffect(() => {
    if (unread === 0 || id === undefined || document.visibilityState !== "visible") return;
    const sent = adminRequest(conversationPath(id, "/read"), { method: "POST", body: { upTo: lastSeq } });
    void sent.then(onChange).catch(() => undefined);
  }, [unread, id, lastSeq]);
}

/** The conversation of a user. */
export function Conversation({ id, onChange }: { id: string; onChange: () => Promise<void> }): JSX.Element {
  const [limit, setLimit] = useState(SHOWN);
  const { data, error, refresh } = usePolled<AdminHistory>(
    conversationPath(id, `/messages?limit=${limit}`),
    30_000,
  );
  const [removing, setRemoving] = useState<PictureView | undefined>();
  const end = useRef<HTMLDivElement>(null);
  const both = async (): Promise<void> => {
    await Promise.all([refresh(), onChange()]);
  };
  useChatNews(() => void refresh());
  useReading(data?.conversation, both);
  const lastSeq = data?.conversation.lastSeq;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lastSeq]);
  if (data === undefined)
    return (
      <section class="desk-open">
        {error === undefined ? (
          <p class="empty">{text("page.loading")}</p>
        ) : (
          <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />
        )}
      </section>
    );
  const { conversation, items, nextCursor } = data;
  const name = conversation.username || id;
  return (
    <section class="desk-open" aria-labelledby="desk-name">
      <a class="desk-back" href={`/admin/chat${location.search}`}>
        {text("shop.chat.back")}
      </a>
      <h2 id="desk-name">
        {name} {conversation.userPresent === true && <Badge kind="good">{text("shop.chat.present")}</Badge>}
      </h2>
      {conversation.guest !== undefined && <GuestNote guest={conversation.guest} />}
      <Actions conversation={conversation} onChange={both} />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {nextCursor !== undefined && limit < MORE && (
        <Button small onClick={() => setLimit(limit * 2)}>
          {text("shop.chat.older")}
        </Button>
      )}
      <ol class="plain-list desk-log" aria-live="polite">
        {items.toReversed().map((message) => (
          <Message
            message={message}
            name={name}
            readByUser={conversation.readByUser}
            onRemove={setRemoving}
            key={message.id}
          />
        ))}
      </ol>
      <div ref={end} />
      <AnswerForm id={id} onSent={both} />
      {removing !== undefined && (
        <DeleteDialog
          title={text("shop.chat.removePicture")}
          path={picturePath(removing.id)}
          name={text("shop.chat.pictureAlt")}
          onDone={refresh}
          onClose={() => setRemoving(undefined)}
        >
          {text("shop.chat.removePictureText")}
        </DeleteDialog>
      )}
    </section>
  );
}
