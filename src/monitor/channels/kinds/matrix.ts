/** Matrix, into a room. */
import { z } from "zod";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toPath, toWhole } from "./messages.ts";

const settings = () => ({
  homeserverUrl: webAddress(),
  roomId: z
    .string()
    .max(255)
    .regex(/^![^\s/]+$/u, "must be a room's internal id, which begins with !"),
});
const secrets = () => ({ accessToken: token().optional() });

export const matrix: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["accessToken"],
  server: ({ homeserverUrl }) => homeserverUrl,
  // https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
  request: ({ homeserverUrl, roomId }, { secrets: { accessToken = "" }, notice, id }) => {
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(roomId)}/send/m.room.message/${encodeURIComponent(id)}`;
    const body = { msgtype: "m.text", body: toWhole(notice) };
    const authorization = `Bearer ${accessToken}`;
    // The same transaction again is the same message.
    return { ...postJson(toPath(homeserverUrl, path), body, { authorization }), method: "PUT" };
  },
};

export const matrixForm: ChannelForm<ReturnType<typeof settings>> = {
  title: { en: "Matrix", zh: "Matrix", de: "Matrix" },
  fields: [
    {
      name: "homeserverUrl",
      input: "text",
      label: { en: "Home server", zh: "主服务器", de: "Homeserver" },
      hint: {
        en: "Such as https://matrix.org.",
        zh: "例如 https://matrix.org。",
        de: "Etwa https://matrix.org.",
      },
    },
    {
      name: "roomId",
      input: "text",
      label: { en: "Room ID", zh: "房间 ID", de: "Raum-ID" },
      hint: {
        en: "Room settings → Advanced → Internal room ID, such as !abc:matrix.org. The bot must be in the room.",
        zh: "房间设置 → 高级 → 内部房间 ID，例如 !abc:matrix.org。机器人账号须已加入该房间。",
        de: "Raumeinstellungen → Erweitert → Interne Raum-ID, etwa !abc:matrix.org. Der Bot muss im Raum sein.",
      },
    },
    {
      name: "accessToken",
      input: "secret",
      label: { en: "Access token", zh: "访问令牌", de: "Zugriffstoken" },
      hint: {
        en: "Of the account that writes; in Element under Settings → Help & About.",
        zh: "发送账号的令牌；Element 中位于设置 → 帮助及关于。",
        de: "Des Kontos, das schreibt; in Element unter Einstellungen → Hilfe & Über.",
      },
    },
  ],
  destination: ({ roomId }) => roomId,
};
