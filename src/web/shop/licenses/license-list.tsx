/** Licenses of a product or an order: their devices, and what can be done about them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LicenseView } from "../../../shop/licenses/answer-schema.ts";
import { licenseChangeSchema } from "../../../shop/licenses/change-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { type Pages, usePages } from "../../ui/console/paged.ts";
import { PagedRows } from "../../ui/console/paged-rows.tsx";
import { Ago, Badge, type BadgeKind, Moment } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { EditRecord } from "../../ui/resource/item-dialogs.tsx";
import { mayWriteOrders } from "../ui/orders/order-data.ts";

const LICENSES = "/api/admin/licenses";

const badges: Record<LicenseView["status"], BadgeKind> = {
  active: "good",
  inactive: "idle",
  expired: "warn",
  disabled: "bad",
};

const termsForm = makeForm({
  schema: licenseChangeSchema,
  words: "shop.licenses.field",
  only: "panels",
  fields: { maxDevices: { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" } },
  panels: [{ fields: ["maxDevices", "expiresAt"] }],
});

const toPath = (id: string): string => `${LICENSES}/${encodeURIComponent(id)}`;

/** "1 of 3 devices · expires on 21 November 2027" */
function Terms({ license }: { license: LicenseView }): JSX.Element {
  const { used, maxDevices, expiresAt, status } = license;
  return (
    <span class="field-hint">
      {maxDevices === undefined
        ? text("shop.licenses.devices", { used })
        : text("shop.licenses.ofDevices", { used, maxDevices })}
      {expiresAt !== undefined && (
        <>
          {" · "}
          {text(status === "expired" ? "shop.licenses.expired" : "shop.licenses.expires")}{" "}
          <Moment at={expiresAt} />
        </>
      )}
    </span>
  );
}

interface LicenseProps {
  readonly license: LicenseView;
  /** Names its product as well. */
  readonly hasProduct?: boolean;
  readonly onChange: () => void;
}

function Devices({ license, onChange }: LicenseProps): JSX.Element | null {
  const task = useTask();
  if (license.devices.length === 0) return null;
  const end = (id: string): void =>
    void task.run(async () => {
      await adminRequest(`${toPath(license.id)}/devices/${id}/deactivate`, { method: "POST" });
      onChange();
    });
  return (
    <ul class="plain-list lines">
      {license.devices.map(({ id, name, createdAt, lastSeenAt }) => (
        <li key={id}>
          <div>
            <p class="timeline-title break">{name === "" ? text("shop.licenses.unnamed") : name}</p>
            <span class="field-hint">
              {text("shop.licenses.activated")} <Moment at={createdAt} />
              {lastSeenAt !== undefined && (
                <>
                  {" · "}
                  {text("shop.licenses.seen")} <Ago at={lastSeenAt} />
                </>
              )}
            </span>
          </div>
          {mayWriteOrders() && (
            <Button small disabled={task.busy} onClick={() => end(id)}>
              {text("shop.licenses.deactivate")}
            </Button>
          )}
        </li>
      ))}
      {task.message !== undefined && <ErrorNote message={task.message} />}
    </ul>
  );
}

function Switching({ license, onChange }: LicenseProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const isOff = license.status === "disabled";
  const name = isOff ? "enable" : "disable";
  return (
    <>
      <Button small onClick={() => setAsking(true)}>
        {text(`shop.licenses.${name}`)}
      </Button>
      {isAsking && (
        <ConfirmTask
          title={text(`shop.licenses.${name}`)}
          danger={!isOff}
          send={async () => {
            const body = { disabled: !isOff, version: license.version };
            await adminRequest(toPath(license.id), { method: "PATCH", body });
            setAsking(false);
            onChange();
          }}
          onClose={() => setAsking(false)}
        >
          {text(`shop.licenses.${name}.text`, { key: license.key })}
        </ConfirmTask>
      )}
    </>
  );
}

/** One license, an item of a list. */
export function License({ license, hasProduct = false, onChange }: LicenseProps): JSX.Element {
  const [isEditing, setEditing] = useState(false);
  const { key, status, disabledReason, orderId, orderNumber, variantTitle, email } = license;
  return (
    <li class="list-row stack-small">
      <div class="panel-head">
        <span class="break">
          <code>{key}</code> <Badge kind={badges[status]}>{text(`shop.licenses.status.${status}`)}</Badge>{" "}
          {disabledReason !== undefined && (
            <span class="field-hint">{text(`shop.licenses.reason.${disabledReason}`)}</span>
          )}
          <br />
          {hasProduct && (
            <>
              <a href={`/admin/products/${encodeURIComponent(license.productId)}`}>{license.productTitle}</a>
              <br />
            </>
          )}
          <span class="field-hint">
            {orderNumber !== undefined && <a href={`/admin/orders/${orderId}`}>{orderNumber}</a>}
            {[variantTitle, email]
              .filter((part) => part !== undefined && part !== "")
              .map((part, index) => (orderNumber === undefined && index === 0 ? part : ` · ${part}`))
              .join("")}
          </span>
          <br />
          <Terms license={license} />
        </span>
        {mayWriteOrders() && (
          <span class="button-row">
            <Button small onClick={() => setEditing(true)}>
              {text("shop.licenses.edit")}
            </Button>
            <Switching license={license} onChange={onChange} />
          </span>
        )}
      </div>
      <Devices license={license} onChange={onChange} />
      {isEditing && (
        <EditRecord
          title={text("shop.licenses.edit.title", { key })}
          path={toPath(license.id)}
          form={termsForm}
          context={undefined}
          view={license}
          onDone={async () => {
            setEditing(false);
            onChange();
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </li>
  );
}

/** The licenses that `query` chooses. */
export function useLicenses(query: string): Pages<LicenseView> {
  return usePages<LicenseView>(`${LICENSES}?limit=20&${query}`);
}

/** The list. */
export function LicenseList({ pages }: { pages: Pages<LicenseView> }): JSX.Element {
  return (
    <PagedRows pages={pages} none="shop.licenses.none" more="shop.ui.more">
      <ul class="plain-list stack-small">
        {pages.items.map((license) => (
          <License key={license.id} license={license} onChange={pages.refresh} />
        ))}
      </ul>
    </PagedRows>
  );
}
