/** A newer version that is out, where UPDATE_CHECK is set. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Badge } from "../console/pieces.tsx";
import type { HealthReport } from "../../../kit/observe/health.ts";
import { usePolled } from "../console/polled.ts";

const EVERY_MS = 3_600_000;

/** Notice that `version` is available; nothing without one. */
export function NewerVersion({ version }: { version: string | undefined }): JSX.Element | null {
  if (version === undefined) return null;
  return (
    <Badge kind="warn" icon="info">
      {text("admin.about.newer", { version })}
    </Badge>
  );
}

/** The same for a page that does not ask for the service's health itself. */
export function AskedNewerVersion(): JSX.Element {
  const { data } = usePolled<Pick<HealthReport, "newerVersion">>("/api/health", EVERY_MS);
  return <NewerVersion version={data?.newerVersion} />;
}
