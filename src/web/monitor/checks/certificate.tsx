/** A certificate as a target showed it: for whom, by whom, until when, and whether it is trusted. */
import type { JSX } from "preact";
import type { StandingView } from "../../../monitor/checks/view-schema.ts";
import { DAY_MS, toCount } from "../../app/format.ts";
import { minute } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Badge, Moment } from "../../ui/console/pieces.tsx";

type Certificate = NonNullable<StandingView["certificate"]>;

/** So many days before its end are worth a colour. */
const SOON_DAYS = 14;

/** How long a certificate is still good, as a badge. */
export function CertificateEnd({ validTo }: Pick<Certificate, "validTo">): JSX.Element {
  const days = Math.floor((Date.parse(validTo) - minute.value) / DAY_MS);
  if (days < 0)
    return (
      <Badge kind="bad" icon="alert">
        {text("admin.check.certificate.over")}
      </Badge>
    );
  return (
    <Badge kind={days < SOON_DAYS ? "warn" : "good"} icon={days < SOON_DAYS ? "alert" : "check"}>
      {text("admin.check.certificate.days", { span: toCount(days, "day") })}
    </Badge>
  );
}

/** The facts. */
export function CertificateFacts({ certificate }: { certificate: Certificate }): JSX.Element {
  const { subject, issuer, names, validFrom, validTo, isTrusted, chainEnd } = certificate;
  return (
    <dl class="admin-facts">
      <div>
        <dt>{text("admin.check.certificate.ends")}</dt>
        <dd>
          <Moment at={validTo} /> <CertificateEnd validTo={validTo} />
        </dd>
      </div>
      {chainEnd !== undefined && (
        <div>
          <dt>{text("admin.check.certificate.chainEnds", { name: chainEnd.subject })}</dt>
          <dd>
            <Moment at={chainEnd.validTo} /> <CertificateEnd validTo={chainEnd.validTo} />
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
