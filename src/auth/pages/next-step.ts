/**
 * What a browser keeps between two pages of a sign-in or a registration: encrypted, so that it can be neither read nor
 * forged.
 */
import type { Context } from "hono";
import { z } from "zod";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { createHostCookie } from "../../kit/http/cookies.ts";

const PURPOSE = "page-step";
const STEP_SECONDS = 86_400;

const stepSchema = z.discriminatedUnion("kind", [
  /** The second factor is required. */
  z.object({
    kind: z.literal("factor"),
    challengeId: z.string(),
    methods: z.array(z.enum(["totp", "recovery", "passkey"])),
    next: z.string(),
  }),
  /** A code is on its way to a mailbox. */
  z.object({
    kind: z.literal("mailbox"),
    email: z.string(),
    challengeId: z.string().optional(),
    /** Input of a registration, for corrections. */
    username: z.string().optional(),
    inviteCode: z.string().optional(),
    next: z.string(),
  }),
  /** A link to set a new password is on its way. */
  z.object({ kind: z.literal("reset"), next: z.string() }),
  /** Recovery codes that the person has not put away yet. */
  z.object({
    kind: z.literal("recovery"),
    userId: z.string(),
    codes: z.array(z.string()),
    /** Where setting up the factor was requested. */
    next: z.string().optional(),
  }),
]);
export type Step = z.infer<typeof stepSchema>;

export interface Steps {
  read<K extends Step["kind"]>(c: Context, kind: K): Extract<Step, { kind: K }> | undefined;
  write(c: Context, step: Step): void;
  clear(c: Context): void;
}

export function createSteps({ box, publicUrl }: { box: SecretBox; publicUrl: string | undefined }): Steps {
  const cookie = createHostCookie("trivet_step", publicUrl);
  function open(sealed: string): Step | undefined {
    try {
      return stepSchema.parse(JSON.parse(box.open(sealed, PURPOSE)));
    } catch {
      // Made by another secret, or cut: the person begins again.
      return undefined;
    }
  }
  const isKind = <K extends Step["kind"]>(
    step: Step | undefined,
    kind: K,
  ): step is Extract<Step, { kind: K }> => step?.kind === kind;
  return {
    read: (c, kind) => {
      const sealed = cookie.read(c);
      const step = sealed === undefined ? undefined : open(sealed);
      return isKind(step, kind) ? step : undefined;
    },
    write: (c, step) => cookie.write(c, box.seal(JSON.stringify(step), PURPOSE), STEP_SECONDS),
    clear: cookie.clear,
  };
}
