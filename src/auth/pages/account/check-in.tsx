/** @jsxImportSource hono/jsx */
/** The daily check-in: a button, the streak, and a month of days. */
import { z } from "zod";
import { Form, FormFaults } from "../../../html/form.tsx";
import { findReturnPath } from "../../../html/return-path.ts";
import type { CheckInMonth, CheckIns, CheckInStatus } from "../../check-in/check-in.ts";
import type { FormState } from "../../../html/faults.ts";
import { Done } from "../done.tsx";
import type { PageRoutes } from "../page.ts";
import type { SignedInVisit } from "../visit.tsx";

const DAY_MS = 86_400_000;
const monthSchema = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u);

/** The button that checks in for today. */
export function CheckInButton({ visit, from }: { readonly visit: SignedInVisit; readonly from: string }) {
  return (
    <Form action="/account/check-in" token={visit.formToken} class="push">
      <input type="hidden" name="rd" value={from} />
      <button class="button primary" type="submit">
        {visit.t("checkIn.button")}
      </button>
    </Form>
  );
}

/** The month before or after. */
function addMonths(month: string, by: number): string {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Weeks of a month from Monday, with undefined for days of other months. */
function listWeeks(month: string): (string | undefined)[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const days: (string | undefined)[] = Array.from({ length: (new Date(first).getUTCDay() + 6) % 7 });
  for (let ms = first; new Date(ms).toISOString().startsWith(month); ms += DAY_MS)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_unused, day) => days[week * 7 + day]),
  );
}

interface CalendarProps {
  readonly visit: SignedInVisit;
  readonly history: CheckInMonth;
  readonly today: string;
}

function Calendar({ visit, history, today }: CalendarProps) {
  const { language, t } = visit;
  const { month } = history;
  const gains = new Map(history.days.map(({ day, reward, bonus }) => [day, reward + bonus]));
  const format = (options: Intl.DateTimeFormatOptions, day: string): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(Date.parse(`${day}T00:00:00Z`));
  // 2024 began on a Monday.
  const weekdays = Array.from({ length: 7 }, (_, day) => `2024-01-0${day + 1}`);
  return (
    <section class="stack month">
      <div class="row">
        <h2>{format({ month: "long", year: "numeric" }, `${month}-01`)}</h2>
        <a class="button quiet push" href={`/account/check-in?month=${addMonths(month, -1)}`}>
          {t("checkIn.before")}
        </a>
        {month < today.slice(0, 7) ? (
          <a class="button quiet" href={`/account/check-in?month=${addMonths(month, 1)}`}>
            {t("checkIn.after")}
          </a>
        ) : (
          <></>
        )}
      </div>
      <table class="calendar">
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th scope="col">{format({ weekday: "short" }, day)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listWeeks(month).map((week) => (
            <tr>
              {week.map((day) => {
                const gain = day === undefined ? undefined : gains.get(day);
                const marks = [gain === undefined ? "" : "is-done", day === today ? "is-today" : ""];
                return (
                  <td class={marks.join(" ").trim()}>
                    {day === undefined ? "" : String(Number(day.slice(8)))}
                    {gain === undefined ? <></> : <small>+{gain}</small>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small muted">{t("checkIn.total", { points: history.total })}</p>
    </section>
  );
}

/** Today's reward, and the next ones. */
function Rewards({ visit, status }: { readonly visit: SignedInVisit; readonly status: CheckInStatus }) {
  const { t } = visit;
  const { reward, nextBonus } = status;
  return (
    <p class="muted">
      {reward.min === reward.max
        ? t("checkIn.reward", { points: reward.min })
        : t("checkIn.rewardRange", { min: reward.min, max: reward.max })}{" "}
      {nextBonus === undefined ? "" : t("checkIn.nextBonus", nextBonus)}
    </p>
  );
}

function showCheckIn(
  visit: SignedInVisit,
  state: FormState,
  parts: { status: CheckInStatus; history: CheckInMonth },
) {
  const { t } = visit;
  const { status, history } = parts;
  return (
    <>
      <div class="row">
        <div class="stack is-tight">
          <h1>{t("checkIn.title")}</h1>
          <p class="muted">
            {t(status.checkedInToday ? "checkIn.doneToday" : "checkIn.open", {
              next: visit.time(status.nextReset),
            })}
          </p>
        </div>
        {status.enabled && !status.checkedInToday ? (
          <CheckInButton visit={visit} from="/account/check-in" />
        ) : (
          <></>
        )}
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      {status.enabled ? <></> : <p class="note">{t("error.checkin_disabled")}</p>}
      <div class="figures">
        <p class="figure">
          <span class="small muted">{t("checkIn.streak")}</span>
          <b>{status.streak}</b>
        </p>
        <p class="figure">
          <span class="small muted">{t("checkIn.points")}</span>
          <b>{status.points}</b>
        </p>
      </div>
      {status.enabled ? <Rewards visit={visit} status={status} /> : <></>}
      <Calendar visit={visit} history={history} today={status.today} />
    </>
  );
}

export function addCheckInPage(pages: PageRoutes, { checkIns }: { readonly checkIns: CheckIns }): void {
  pages.addPersonal({
    path: "/account/check-in",
    show: async (visit, state) => {
      const { id } = visit.subject.user;
      const month = monthSchema.safeParse(visit.c.req.query("month"));
      const [status, history] = await Promise.all([
        checkIns.status(id),
        checkIns.history(id, month.success ? month.data : undefined),
      ]);
      return visit.render({
        title: visit.t("checkIn.title"),
        place: "/account/check-in",
        status: state.status,
        body: showCheckIn(visit, state, { status, history }),
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async ({ subject, c }, form) => {
          const { alreadyCheckedIn } = await checkIns.checkIn(subject);
          const from = findReturnPath(form.values["rd"]) ?? "/account/check-in";
          return c.redirect(`${from}?done=${alreadyCheckedIn ? "checkedInBefore" : "checkedIn"}`, 303);
        },
      },
    },
  });
}
