/** Conversations as the administration's routes give them, and their news as they come. */
import { useEffect, useRef } from "preact/hooks";
import { basePath } from "../../app/path.ts";

const CHAT = "/api/admin/chat";
/** Several events at once are one look. */
const GATHER_MS = 150;

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
