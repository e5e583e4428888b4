/** The keys that license files are signed with: the current one, former ones, and a new one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LicenseSigningKeysView, LicenseSigningKeyView } from "../../../shop/licenses/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";

const KEYS = "/api/admin/license-signing-keys";

interface Changing {
  /** The key to withdraw; undefined: a new one is created. */
  readonly key?: LicenseSigningKeyView;
}

function Asked({
  asked: { key },
  onDone,
  onClose,
}: {
  asked: Changing;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element {
  const name = key === undefined ? "rotate" : "withdraw";
  const [method, path] = key === undefined ? ["POST", `${KEYS}/rotate`] : ["DELETE", `${KEYS}/${key.id}`];
  return (
    <ConfirmTask
      title={text(`shop.licenses.keys.${name}`)}
      danger={key !== undefined}
      send={async () => {
        await adminRequest(path ?? KEYS, { method });
        onDone();
      }}
      onClose={onClose}
    >
      {text(`shop.licenses.keys.${name}.text`)}
    </ConfirmTask>
  );
}

function State({ of: { createdAt, retiredAt, filesUntil } }: { of: LicenseSigningKeyView }): JSX.Element {
  if (retiredAt === undefined)
    return (
      <span class="field-hint">
        {text("shop.licenses.keys.since")} <Moment at={createdAt} />
      </span>
    );
  const isOver = filesUntil !== undefined && Date.parse(filesUntil) < Date.now();
  return (
    <span class="field-hint">
      {text(isOver ? "shop.licenses.keys.over" : "shop.licenses.keys.until")}{" "}
      {filesUntil !== undefined && <Moment at={filesUntil} />}
    </span>
  );
}

/** The panel; people who may not read settings do not see it. */
export function SigningKeys(): JSX.Element {
  const { data, error, refresh } = usePolled<LicenseSigningKeysView>(KEYS, 0);
  const [asked, setAsked] = useState<Changing | undefined>(undefined);
  const mayWrite = mayUse("shop-settings:write");
  return (
    <Panel title={text("shop.licenses.keys")}>
      <p class="field-hint">{text("shop.licenses.keys.hint")}</p>
      {error !== undefined && <ErrorNote message={error.message} />}
      <ul class="plain-list lines">
        {data?.items.map((key) => (
          <li key={key.id}>
            <div>
              <p class="timeline-title break">
                <code>{key.x}</code>{" "}
                <Badge kind={key.retiredAt === undefined ? "good" : "idle"}>
                  {text(`shop.licenses.keys.${key.retiredAt === undefined ? "signs" : "former"}`)}
                </Badge>
              </p>
              <span class="field-hint break">kid {key.id}</span>
              <br />
              <State of={key} />
            </div>
            {mayWrite && key.retiredAt !== undefined && (
              <Button small onClick={() => setAsked({ key })}>
                {text("shop.licenses.keys.withdraw")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div class="button-row">
          <Button onClick={() => setAsked({})}>{text("shop.licenses.keys.rotate")}</Button>
        </div>
      )}
      {asked !== undefined && (
        <Asked
          asked={asked}
          onDone={() => {
            setAsked(undefined);
            void refresh();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Panel>
  );
}
