/** What expires: a certificate as a target showed it, and the registration of a domain. */
import type { JSX } from "preact";
import type { StandingView } from "../../../monitor/checks/view-schema.ts";
import { DAY_MS, toCount } from "../../app/format.ts";
import { minute } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Badge, Moment } from "../../ui/console/pieces.tsx";

type Certificate = NonNullable<StandingView["certificate"]>;
type Registration = NonNullable<StandingView["registration"]>;

/** So many days before the end of a certificate or domain are worth a color. */
const SOON_DAYS = 14;
const SOON_DAYS_OF_DOMAINS = 30;

/** How long something is still valid, as a badge. */
function EndBadge({ end, soonDays }: { end: string; soonDays: number }): JSX.Element {
  const days = Math.floor((Date.parse(end) - minute.value) / DAY_MS);
  if (days < 0)
    return (
      <Badge kind="bad" icon="alert">
        {text("admin.check.certificate.over")}
      </Badge>
    );
  return (
    <Badge kind={days < soonDays ? "warn" : "good"} icon={days < soonDays ? "alert" : "check"}>
      {text("admin.check.certificate.days", { span: toCount(days, "day") })}
    </Badge>
  );
}

/** The facts of a domain. */
export function RegistrationFacts({ registration }: { registration: Registration }): JSX.Element {
  const { domain, expiresAt } = registration;
  return (
    <dl class="admin-facts">
      <div>
        <dt>{text("admin.check.certificate.ends")}</dt>
        <dd>
          <Moment at={expiresAt} /> <EndBadge end={expiresAt} soonDays={SOON_DAYS_OF_DOMAINS} />
        </dd>
      </div>
      <div>
        <dt>{text("admin.check.domain")}</dt>
        <dd>{domain}</dd>
      </div>
    </dl>
  );
}

/** The facts of a certificate. */
export function CertificateFacts({ certificate }: { certificate: Certificate }): JSX.Element {
  const { subject, issuer, names, validFrom, validTo, isTrusted, chainEnd } = certificate;
  return (
    <dl class="admin-facts">
      <div>
        <dt>{text("admin.check.certificate.ends")}</dt>
        <dd>
          <Moment at={validTo} /> <EndBadge end={validTo} soonDays={SOON_DAYS} />
        </dd>
      </div>
      {chainEnd !== undefined && (
        <div>
          <dt>{text("admin.check.certificate.chainEnds", { name: chainEnd.subject })}</dt>
          <dd>
            <Moment at={chainEnd.validTo} /> <EndBadge end={chainEnd.validTo} soonDays={SOON_DAYS} />
          </dd>
        </div>
      )}
      <div>
        <dt>{text("admin.check.certificate.chain")}</dt>
        <dd>
          <Badge kind={isTrusted ? "good" : "bad"} icon={isTrusted ? "check" : "alert"}>
            {text(isTrusted ? "admin.check.certificate.trusted" : "admin.check.certificate.untrusted")}
          </Badge>
        </dd>
      </div>
      <div>
        <dt>{text("admin.check.certificate.subject")}</dt>
        <dd>{subject === "" ? "–" : subject}</dd>
      </div>
      <div>
        <dt>{text("admin.check.certificate.issuer")}</dt>
        <dd>{issuer === "" ? "–" : issuer}</dd>
      </div>
      <div>
        <dt>{text("admin.check.certificate.names")}</dt>
        <dd>{names.length === 0 ? "–" : names.join(", ")}</dd>
      </div>
      <div>
        <dt>{text("admin.check.certificate.from")}</dt>
        <dd>
          <Moment at={validFrom} />
        </dd>
      </div>
    </dl>
  );
}
