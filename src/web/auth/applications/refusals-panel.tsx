/** Why sign-ins by an application failed, and what helps. */
import type { JSX } from "preact";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import type { RefusalView } from "../../../auth/applications/refusal-schema.ts";
import { Button } from "../../ui/controls.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { PagedRows } from "../../ui/console/paged-rows.tsx";
import { Ago } from "../../ui/console/pieces.tsx";
import { toApplicationPath } from "./application-data.ts";
import { findDifference, findNearest } from "./refusal-words.ts";

/** Where names go that are not registered. */
const UNKNOWN = "unknown";

/** The two addresses, one above the other, with what differs marked. */
function Addresses(props: { sent: string; registered: readonly string[] }): JSX.Element {
  const { sent, registered } = props;
  if (registered.includes(sent))
    return (
      <p class="field-hint">
        <code class="break">{sent}</code> {text("auth.refusals.meanwhile")}
      </p>
    );
  const nearest = findNearest(sent, registered);
  const difference = nearest && findDifference(sent, nearest.registered);
  return (
    <>
      <dl class="two-addresses">
        <dt>{text("auth.refusals.sent")}</dt>
        <dd>
          {nearest?.before}
          <mark>{nearest === undefined ? sent : nearest.sentPart}</mark>
          {nearest?.after}
        </dd>
        <dt>{text("auth.refusals.registered")}</dt>
        <dd>
          {nearest === undefined ? (
            text("auth.refusals.noAddress")
          ) : (
            <>
              {nearest.before}
              <mark>{nearest.registeredPart}</mark>
              {nearest.after}
            </>
          )}
        </dd>
      </dl>
      {difference && <p>{text(`auth.refusals.difference.${difference}`)}</p>}
    </>
  );
}

function Refusal(props: {
  refusal: RefusalView;
  registered: Readonly<Record<string, readonly string[]>>;
}): JSX.Element {
  const { at, reason, sent, ipPrefix, device, times, username, reference } = props.refusal;
  const addresses = props.registered[reason];
  const values = { sent, name: username ?? text("auth.refusals.gone") };
  return (
    <li>
      <div class="refusal-head">
        <strong>{text(`auth.refusals.${reason}`, values)}</strong>
        <span class="field-hint">
          {times > 1 && `${text("auth.refusals.times", { count: toNumber(times) })} · `}
          <Ago at={at} />
        </span>
      </div>
      {addresses && <Addresses sent={sent} registered={addresses} />}
      <p>{text(`auth.refusals.${reason}.help`, values)}</p>
      <p class="field-hint break">
        {[ipPrefix, device, reference === undefined ? "" : text("auth.refusals.reference", { reference })]
          .filter((word) => word !== "")
          .join(" · ")}
      </p>
    </li>
  );
}

/** The panel of an application; without one, of names that are not registered, and nothing while there are none. */
export function RefusalsPanel(props: {
  application?: {
    readonly id: string;
    readonly redirectUris: readonly string[];
    readonly postLogoutRedirectUris: readonly string[];
    readonly protectedOrigins: readonly string[];
  };
}): JSX.Element | null {
  const { application } = props;
  const pages = usePages<RefusalView>(`${toApplicationPath(application?.id ?? UNKNOWN)}/refusals?limit=10`);
  if (application === undefined && pages.items.length === 0) return null;
  const registered = {
    redirect_uri: application?.redirectUris ?? [],
    logout_uri: application?.postLogoutRedirectUris ?? [],
    protected_origin: application?.protectedOrigins ?? [],
  };
  return (
    <section class="admin-panel stack-small beside-form" aria-labelledby="refusals-title">
      <div class="panel-head">
        <h2 id="refusals-title">
          {text(application === undefined ? "auth.refusals.unknown" : "auth.refusals.title")}
        </h2>
        <Button small icon="refresh" disabled={pages.busy} onClick={pages.refresh}>
          {text("auth.refusals.refresh")}
        </Button>
      </div>
      <PagedRows pages={pages} none="auth.refusals.none">
        <ul class="plain-list refusals">
          {pages.items.map((refusal) => (
            <Refusal key={refusal.id} refusal={refusal} registered={registered} />
          ))}
        </ul>
      </PagedRows>
    </section>
  );
}
