import { z } from "zod";

export const codePurposeSchema = z.enum(["verify", "login", "email", "reauth", "identity"]);

export type CodePurpose = z.infer<typeof codePurposeSchema>;
