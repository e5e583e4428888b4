/** A server's price, paid until, and the traffic of its cycle. */
import type { JSX } from "preact";
import type { PublicServer, ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { toDay, toPercent, toPrice, toTraffic, toUsedTraffic } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { ExpiryWords } from "../fleet/card.tsx";
import { Bar } from "../ui/meter.tsx";

function Cycle({ traffic }: { traffic: ServerDetail["traffic"] }): JSX.Element {
  const { limitBytes, percent, mode, cycleFrom, cycleTo, timeZone } = traffic;
  // The cycle ends before the next one begins.
  const span = {
    from: toDay(Date.parse(cycleFrom), timeZone),
    to: toDay(Date.parse(cycleTo) - 1, timeZone),
  };
  return (
    <div class="cycle">
      <div class="cycle-head">
        <span class="quiet-text">{text("metric.traffic")}</span>
        <strong>
          {toUsedTraffic(traffic)}
          {percent !== undefined && ` · ${toPercent(percent)}`}
        </strong>
      </div>
      {limitBytes > 0 && <Bar percent={percent} />}
      <p class="quiet-text">
        {text("server.cycle", span)} · {text(limitBytes > 0 ? `server.mode.${mode}` : "server.noLimit")}
      </p>
      <p class="quiet-text">
        {text("server.received")} {toTraffic(traffic.rxBytes)} · {text("server.sent")}{" "}
        {toTraffic(traffic.txBytes)}
      </p>
    </div>
  );
}

/** The panel. */
export function Billing(props: {
  server: PublicServer;
  detail: ServerDetail | undefined;
}): JSX.Element | null {
  const { server, detail } = props;
  const { billing, nextExpiryAt } = server;
  const hasTraffic = server.traffic !== undefined && detail !== undefined;
  if (billing === undefined && !hasTraffic) return null;
  return (
    <section class="panel" aria-labelledby="billing">
      <h2 id="billing">{text("server.billing")}</h2>
      {billing !== undefined && (
        <dl class="facts">
          <div>
            <dt>{text("server.price")}</dt>
            <dd>{toPrice(billing)}</dd>
          </div>
          {nextExpiryAt !== undefined && (
            <div>
              <dt>{text("server.expiry")}</dt>
              <dd>
                {toDay(nextExpiryAt)} <ExpiryWords server={server} />
                {billing.autoRenew && (
                  <span class="quiet-text" aria-hidden="true">
                    {" "}
                    · {text("fleet.renews")}
                  </span>
                )}
              </dd>
            </div>
          )}
        </dl>
      )}
      {hasTraffic && <Cycle traffic={detail.traffic} />}
    </section>
  );
}
