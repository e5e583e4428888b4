/** Conversations as the administration's routes give them, and their news as they come. */
import { useEffect, useRef } from "preact/hooks";
import type { MessageRecord } from "../../../shop/chat/schema.ts";
import { basePath } from "../../app/path.ts";
import type { WithTimes } from "../../ui/forms/with-times.ts";

const CHAT = "/api/admin/chat";
/** Several events at once are one look. */
const GATHER_MS = 150;

export interface PictureView {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Absent once it was removed. */
  readonly url?: string;
}

type OfMessage = "id" | "seq" | "sender" | "body" | "createdAt" | "orderId" | "productId";

export interface MessageView extends WithTimes<Pick<MessageRecord, OfMessage>, "createdAt"> {
  readonly attachments: readonly PictureView[];
}

export interface ConversationView {
  readonly id: string;
  readonly username: string;
  readonly preview: string;
  readonly status: "open" | "resolved";
  readonly unreadAdmin: number;
  readonly readByUser: number;
  readonly lastSeq: number;
  readonly lastMessageAt?: string;
  readonly assignee?: string;
  /** Whether the buyer has the chat open. */
  readonly userPresent?: boolean;
}

/** A page of messages with its conversation. */
export interface HistoryView {
  readonly items: readonly MessageView[];
  readonly nextCursor?: string;
  readonly conversation: ConversationView;
}

/** The routes of conversations, or of one. */
export function conversationPath(id = "", action = ""): string {
  return id === "" ? `${CHAT}/conversations` : `${CHAT}/conversations/${encodeURIComponent(id)}${action}`;
}

/** The routes of pictures, or of one. */
export function picturePath(id = ""): string {
  return id === "" ? `${CHAT}/attachments` : `${CHAT}/attachments/${encodeURIComponent(id)}`;
}

/** Calls `onNews` whenever something is written or read; who has it open counts as present. */
export function useChatNews(onNews: () => void): void {
  const latest = useRef(onNews);
  latest.current = onNews;
  useEffect(() => {
    const stream = new EventSource(`${basePath}${CHAT}/stream`);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        latest.current();
      }, GATHER_MS);
    };
    stream.addEventListener("message", look);
    stream.addEventListener("conversation", look);
    return () => {
      clearTimeout(waiting);
      stream.close();
    };
  }, []);
}
