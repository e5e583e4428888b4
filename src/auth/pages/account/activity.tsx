/** @jsxImportSource hono/jsx */
/** Activity of an account, newest first. */
import type { Store } from "../../../store/store.ts";
import { listEvents } from "../../accounts/events.ts";
import { readApplicationNames } from "../../applications/names.ts";
import type { EventRecord } from "../../accounts/ledger-schema.ts";
import type { Amr } from "../../base/amr.ts";
import { toDeviceLabel } from "../../sessions/device-label.ts";
import { nameDevice } from "../device-name.ts";
import type { PageRoutes } from "../page.ts";
import type { SignedInVisit } from "../visit.tsx";
import { toApplicationName } from "./sessions.tsx";

const PAGE = 30;

/** What people call the means of a sign-in; the others of RFC 8176 say how many or which kind there were. */
const factors = ["pwd", "email", "fed", "hwk", "swk", "otp", "recovery", "impersonation"] as const;

/** "Password + authenticator app". */
function toFactors({ t }: SignedInVisit, amr: readonly Amr[]): string {
  return factors
    .filter((factor) => amr.includes(factor))
    .map((factor) => t(`factor.${factor}`))
    .join(" + ");
}

interface EventProps {
  readonly visit: SignedInVisit;
  readonly event: EventRecord;
  /** Of applications, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Happened since the owner was here before, and not by this sign-in. */
  readonly isNew?: boolean;
}

/** One entry: what happened, on which device and when. */
export function Event({ visit, event, names, isNew = false }: EventProps) {
  const { t, time } = visit;
  const { kind, at, userAgent, ipPrefix, clientId, amr = [] } = event;
  const device = userAgent === "" ? "" : nameDevice(visit, toDeviceLabel(userAgent));
  return (
    <li>
      {t.find(`event.${kind}`) ?? kind} {isNew ? <span class="tag is-warn">{t("activity.new")}</span> : <></>}
      <br />
      <span class="small muted">
        {[toApplicationName(clientId, names), toFactors(visit, amr), device, ipPrefix, time(at)]
          .filter((part) => part !== "")
          .join(" · ")}
      </span>
    </li>
  );
}

export function addActivityPage(pages: PageRoutes, { store }: { readonly store: Store }): void {
  pages.addPersonal({
    path: "/account/activity",
    show: async (visit, state) => {
      const { t, subject, c } = visit;
      const cursor = c.req.query("cursor");
      const { items, nextCursor } = await listEvents(store, { userId: subject.user.id, limit: PAGE, cursor });
      const names = await readApplicationNames(
        store,
        items.map(({ clientId }) => clientId),
      );
      return visit.render({
        title: t("activity.title"),
        place: "/account/activity",
        status: state.status,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{t("activity.title")}</h1>
              <p class="muted">{t("activity.lead")}</p>
            </div>
            {items.length === 0 ? <p class="muted">{t("activity.empty")}</p> : <></>}
            <ul class="timeline">
              {items.map((event) => (
                <Event visit={visit} event={event} names={names} />
              ))}
            </ul>
            {nextCursor === undefined ? (
              <></>
            ) : (
              <p>
                <a class="button" href={`/account/activity?cursor=${encodeURIComponent(nextCursor)}`}>
                  {t("list.older")}
                </a>
              </p>
            )}
          </>
        ),
      });
    },
  });
}
