/** Matrix, into a room. */
import { z } from "zod";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toPath, toWhole } from "./messages.ts";

const settings = () => ({
  homeserverUrl: webAddress(),
  roomId: z
    .string()
    .max(255)
    .regex(/^![^\s/]+$/u, "must be the internal ID of a room, which starts with !"),
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

export const matrixFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  homeserverUrl: {},
  roomId: {},
  accessToken: {},
};

export const matrixForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.matrix.title",
  destination: ({ roomId }) => roomId,
};
