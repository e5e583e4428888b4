import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** One like; the id is "<profile>:<liker>", where the liker is a user's id or a keyed hash of address and agent. */
export const likeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  profileId: z.string(),
  likerId: z.string().optional(),
  at: timeMs,
});

/** The content of a picture; the id is "<userId>:<hash>". */
export const avatarRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
  base64: z.string(),
});
