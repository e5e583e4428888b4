/** @jsxImportSource hono/jsx */
/** Setting up two-factor authentication where an application, a group or the site asks for it; then on to where the person was. */
import { Form, FormFaults } from "../../../html/form.tsx";
import { hasSecondFactor } from "../../accounts/status.ts";
import type { Passkeys } from "../../passkeys/passkeys.ts";
import { type Destination, EntryHeading, type FindDestination } from "../oidc/destination.tsx";
import { type PageRoutes, findNext, toNext } from "../page.ts";
import { PasskeyPlace } from "../passkey-place.tsx";
import { ENROLMENT_PATH, type NeededProof, readNeed } from "../step-up.ts";
import type { SignedInVisit } from "../visit.tsx";

interface Parts {
  readonly passkeys: Pick<Passkeys, "list">;
  readonly findDestination: FindDestination;
}

interface EnrolmentProps {
  readonly visit: SignedInVisit;
  readonly need: NeededProof | undefined;
  readonly next: string;
  readonly destination: Destination | undefined;
}

function Choices({ visit, need, next }: Omit<EnrolmentProps, "destination">) {
  const { t, formToken, relyingParty } = visit;
  return (
    <>
      <section class="card is-raised stack">
        <h2>{t("passkeys.title")}</h2>
        <p class="muted">{t("passkeys.lead")}</p>
        <PasskeyPlace
          visit={visit}
          kind="create"
          action="/account/security/passkeys/add"
          label={t("passkeys.add")}
          button="button primary wide"
          next={next}
        >
          <p class="small muted">{t("passkeys.missing")}</p>
        </PasskeyPlace>
        {relyingParty === undefined ? <p class="note">{t("enrolment.noPasskeys")}</p> : <></>}
      </section>
      {need === "phishing-resistant" ? (
        <></>
      ) : (
        <section class="card stack">
          <h2>{t("enrolment.app")}</h2>
          <p class="muted">{t("security.factorLead")}</p>
          <Form action="/account/security/second-factor/begin" token={formToken} next={next}>
            <button class="button wide" type="submit">
              {t("security.addFactor")}
            </button>
          </Form>
        </section>
      )}
    </>
  );
}

function toLead({ visit: { t, graceEnd, enrolling, time }, need, destination }: EnrolmentProps): string {
  if (need === "phishing-resistant") return t("enrolment.leadPasskey");
  if (enrolling !== undefined) return t("enrolment.leadDue");
  if (graceEnd !== undefined && destination === undefined)
    return t("enrolment.leadUntil", { day: time(graceEnd, "day") });
  return t("enrolment.lead");
}

/** Adds /account/two-factor. */
export function addEnrolmentPage(pages: PageRoutes, { passkeys, findDestination }: Parts): void {
  pages.addPersonal({
    path: ENROLMENT_PATH,
    mayEnrol: true,
    show: async (visit, state) => {
      const { t, subject, formToken } = visit;
      const next = toNext(visit, state);
      const need = readNeed(visit, state);
      const { user } = subject;
      const hasPasskey = (await passkeys.list(user.id)).length > 0;
      const isDone = need === "phishing-resistant" ? hasPasskey : hasPasskey || hasSecondFactor(user);
      // An existing factor is used instead: the page that redirected here requires it.
      if (isDone) return visit.c.redirect(next, 303);
      const destination = await findDestination(visit, findNext(visit, state));
      const props = { visit, need, next, destination };
      return visit.render({
        title: t("enrolment.title"),
        narrow: true,
        hasPasskeys: true,
        status: state.status,
        body: (
          <>
            <EntryHeading
              visit={visit}
              title={t("enrolment.title")}
              destination={destination}
              lead={toLead(props)}
            />
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <Choices {...props} />
            <Form action="/sign-out" token={formToken}>
              <button class="button quiet wide" type="submit">
                {t("frame.signOut")}
              </button>
            </Form>
          </>
        ),
      });
    },
  });
}
