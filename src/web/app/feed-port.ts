/** The browser as the live feed sees it: its WebSocket, timers, and news of the network. */
import type { FeedPort } from "./feed.ts";
import { basePath } from "./path.ts";

function toAddress(): string {
  return `${location.origin.replace(/^http/u, "ws")}${basePath}/api/ws/monitor?mode=delta&encoding=gzip`;
}

/** The browser's own. */
export const browserFeedPort: FeedPort = {
  open({ onMessage, onClose }) {
    const socket = new WebSocket(toAddress());
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => onMessage(data);
    socket.onclose = () => onClose();
    return { send: (text) => socket.send(text), close: () => socket.close() };
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  onWake(callback) {
    const onVisible = (): void => {
      if (document.visibilityState === "visible") callback();
    };
    addEventListener("online", callback);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      removeEventListener("online", callback);
      document.removeEventListener("visibilitychange", onVisible);
    };
  },
  random: () => Math.random(),
};
