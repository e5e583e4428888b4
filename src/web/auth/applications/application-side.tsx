/** The panels next to an application's form: denied sign-ins, its proxy, a trial, and its secret. */
import type { JSX } from "preact";
import type { ApplicationView } from "../../../auth/applications/schema.ts";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { ConnectionPanel } from "./connection-panel.tsx";
import { ProxyPanel } from "./proxy-panel.tsx";
import { RefusalsPanel } from "./refusals-panel.tsx";
import { SecretPanel } from "./secret-panel.tsx";
import { TrialPanel } from "./trial-panel.tsx";

/** The panels. */
export function ApplicationSide({ view, mayWrite, dirty, begin }: ItemTools<ApplicationView>): JSX.Element {
  return (
    <div class="stack">
      <RefusalsPanel application={view} />
      {view.protectedOrigins.length > 0 && <ProxyPanel application={view} />}
      <TrialPanel application={view} />
      <ConnectionPanel id={view.id} />
      {view.clientType === "confidential" && mayWrite && (
        <SecretPanel application={view} dirty={dirty} onChanged={begin} />
      )}
    </div>
  );
}
