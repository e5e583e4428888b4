/** @jsxImportSource hono/jsx */
/** Where people type the code that a device shows, and say whether it may come in with their account (RFC 8628 section 3.3). */
import { z } from "zod";
import { toAppError } from "../../../kit/http/problem.ts";
import { withQuery } from "../../../kit/text/with-query.ts";
import type { FormState } from "../../../html/faults.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import { withReturn } from "../../../html/return-path.ts";
import { findMissingStep, isOwnStep } from "../../applications/may-use.ts";
import { DEVICE_PATH } from "../../oidc/device-routes.ts";
import { type Devices, type WaitingDevice, toQuestion, toShownCode } from "../../oidc/devices.ts";
import type { Resources, ShownResource } from "../../resources/resources.ts";
import { toDeviceLabel } from "../../sessions/device-label.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { nameDevice } from "../device-name.ts";
import { Done } from "../done.tsx";
import { toFaults } from "../form-faults.ts";
import { type FormStatus, toStatus } from "../../../html/form-pages.ts";
import { parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import { toRefusal } from "../refusal.tsx";
import type { StepUp } from "../step-up.ts";
import type { SignedInVisit } from "../visit.tsx";
import { Question } from "./consent.tsx";

interface Parts {
  readonly devices: Devices;
  readonly resources: Pick<Resources, "describe">;
  readonly browserSignIn: BrowserSignIn;
  readonly stepUp: StepUp;
  readonly expiry: { now(): number };
}

type State = FormState & { readonly status: FormStatus };

const FIELD = "user_code";
const fields = { code_invalid: FIELD };
const typedSchema = z.object({ [FIELD]: z.string().trim().min(1).max(40) });

const toPath = (code: string | undefined): string =>
  withQuery(DEVICE_PATH, code === undefined || code === "" ? {} : { [FIELD]: code.slice(0, 40) });

function showForm(visit: SignedInVisit, state: State): Response {
  const { t, formToken, subject } = visit;
  const title = t("device.title");
  return visit.render({
    title,
    narrow: true,
    status: state.status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{title}</h1>
          <p class="muted">{t("device.lead", { username: subject.user.username })}</p>
        </div>
        <FormFaults title={t("form.faults")} faults={state.faults} />
        <Done visit={visit} />
        <Form action={DEVICE_PATH} token={formToken} class="card is-raised stack">
          <Field
            name={FIELD}
            label={t("device.code")}
            hint={t("device.hint")}
            state={state}
            autocomplete="off"
            required
          />
          <button class="button primary wide" type="submit">
            {t("device.continue")}
          </button>
        </Form>
      </>
    ),
  });
}

/** The application and its location: they reveal a code that someone else sent (section 5.4). */
function showQuestion(
  visit: SignedInVisit,
  state: State,
  parts: WaitingDevice & { code: string; resources: readonly ShownResource[] },
): Response {
  const { t, time } = visit;
  const { request, client, code, resources } = parts;
  const { ipPrefix, userAgent, createdAt } = request;
  return visit.render({
    title: t("consent.title", { application: client.name }),
    narrow: true,
    status: state.status,
    place: toPath(code),
    body: (
      <Question
        visit={visit}
        state={state}
        client={client}
        scopes={toQuestion(request).scopes}
        resources={resources}
        path={DEVICE_PATH}
        fields={{ [FIELD]: code }}
      >
        <dl class="facts">
          <dt>{t("device.code")}</dt>
          <dd class="mono">{code}</dd>
          <dt>{t("device.from")}</dt>
          <dd>{`${nameDevice(visit, toDeviceLabel(userAgent))} · ${ipPrefix}`}</dd>
          <dt>{t("device.at")}</dt>
          <dd>{time(createdAt)}</dd>
        </dl>
        <p class="note">{t("device.warning")}</p>
      </Question>
    ),
  });
}

export function addDevicePage(pages: PageRoutes, parts: Parts): void {
  const { devices, browserSignIn, stepUp, expiry, resources } = parts;
  pages.addPersonal({
    path: DEVICE_PATH,
    toAddress: (values) => toPath(values[FIELD]),
    show: async (visit, state) => {
      const typed = (state.action === undefined ? visit.c.req.query(FIELD) : state.values[FIELD]) ?? "";
      const code = toShownCode(typed.slice(0, 40));
      const values = { [FIELD]: code };
      // A rejected code is not looked up again: that would count as a second guess.
      if (code === "" || state.faults.some(({ field }) => field === FIELD))
        return showForm(visit, { ...state, values });
      try {
        const waiting = await devices.find(code, visit);
        const { client } = waiting;
        const { user, session, rules = {} } = visit.subject;
        const address = visit.caller.clientAddress;
        const missing = findMissingStep(client, { user, session, rules, address, nowMs: expiry.now() });
        if (missing === undefined) {
          const described = await resources.describe(waiting.request.audience);
          return showQuestion(visit, state, { ...waiting, code, resources: described });
        }
        const page = isOwnStep(missing) ? await stepUp.findPageFor(visit.subject, missing) : undefined;
        if (page !== undefined) return visit.c.redirect(withReturn(page, toPath(code)), 303);
        const form = { action: `${DEVICE_PATH}/another`, token: visit.formToken, fields: values };
        return visit.render(toRefusal(visit, { client, username: user.username, form, reason: missing }));
      } catch (error) {
        const known = toAppError(error);
        if (known.code === "internal") throw error;
        const faults = toFaults(known, { ...visit, fields });
        return showForm(visit, { ...state, values, faults, status: toStatus(known) });
      }
    },
    actions: {
      "": {
        submit: async ({ c }, form) => {
          const { [FIELD]: typed } = parseForm(typedSchema, form);
          return c.redirect(toPath(toShownCode(typed)), 303);
        },
      },
      "/answer": {
        fields,
        submit: async (visit, { values }) => {
          const isAllowed = values["answer"] === "allow";
          await devices.answer(values[FIELD] ?? "", visit, isAllowed);
          return visit.c.redirect(`${DEVICE_PATH}?done=device${isAllowed ? "Allowed" : "Denied"}`, 303);
        },
      },
      "/another": {
        submit: async (visit, { values }) => {
          await browserSignIn.end(visit);
          return visit.c.redirect(withReturn("/sign-in", toPath(values[FIELD])), 303);
        },
      },
    },
  });
}
