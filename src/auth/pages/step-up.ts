/** Where a person goes whose sign-in is too weak or too old: to prove more, or to set up what that takes. */
import type { Context } from "hono";
import { withQuery } from "../../kit/text/with-query.ts";
import type { SentForm } from "../../html/sent-form.ts";
import { isRecent, type Subject } from "../sessions/subject.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import type { OwnStep } from "../applications/may-use.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";

export const CONFIRM_PATH = "/account/confirm";
/** Where people set up the first factor beside their password. */
export const ENROLMENT_PATH = "/account/two-factor";

/** A proof of more than a password. */
export type NeededProof = Exclude<OwnStep, "fresh sign-in">;

const FIELD = "need";

/** The proof that a word names. */
export function readNeedOf(word: string | undefined): NeededProof | undefined {
  return word === "two-factor" || word === "phishing-resistant" ? word : undefined;
}

/** Which proof a page of the way asks for, by its form or address; undefined: any. */
export function readNeed(
  { c }: { readonly c: Context },
  form?: Pick<SentForm, "values">,
): NeededProof | undefined {
  return readNeedOf(form?.values[FIELD] ?? c.req.query(FIELD));
}

/** A page of the way, with the proof that it asks for. */
export function withNeed(path: string, need: NeededProof | undefined): string {
  return need === undefined ? path : withQuery(path, { [FIELD]: need });
}

export type StepUp = ReturnType<typeof createStepUp>;

export function createStepUp({
  passkeys,
  expiry,
}: {
  readonly passkeys: Pick<Passkeys, "list">;
  readonly expiry: { now(): number };
}) {
  async function findPage(
    subject: Subject,
    { need, isProofDue }: { need: NeededProof | undefined; isProofDue: boolean },
  ): Promise<string | undefined> {
    if (need === undefined) return CONFIRM_PATH;
    if (subject.session.impersonatedBy !== undefined) return undefined;
    const hasFactor =
      (need === "two-factor" && hasSecondFactor(subject.user)) ||
      (await passkeys.list(subject.user.id)).length > 0;
    if (hasFactor) return withNeed(CONFIRM_PATH, need);
    // Setting something up requires a verification first: doing it here keeps the way back short.
    if (isProofDue || !isRecent(subject, expiry.now())) return CONFIRM_PATH;
    return withNeed(ENROLMENT_PATH, need);
  }

  return {
    /**
     * The page where a person verifies their identity before they come back; undefined for an administrator who
     * impersonates the account and cannot do that.
     */
    findPage,
    /** The same for one step. */
    findPageFor: (subject: Subject, step: OwnStep): Promise<string | undefined> => {
      const isProofDue = step === "fresh sign-in";
      return findPage(subject, { need: isProofDue ? undefined : step, isProofDue });
    },
  };
}
