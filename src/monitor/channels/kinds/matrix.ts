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
  title: "channel.matrix.title",
  fields: [
    {
      name: "homeserverUrl",
      input: "text",
      label: "channel.matrix.homeserverUrl",
      hint: "channel.matrix.homeserverUrl.hint",
    },
    {
      name: "roomId",
      input: "text",
      label: "channel.matrix.roomId",
      hint: "channel.matrix.roomId.hint",
    },
    {
      name: "accessToken",
      input: "secret",
      label: "channel.matrix.accessToken",
      hint: "channel.matrix.accessToken.hint",
    },
  ],
  destination: ({ roomId }) => roomId,
};
