/** Body of a sign-in with the administrator token. */
import { z } from "zod";

export const tokenSignInSchema = z.strictObject({ token: z.string().min(1).max(512) });
