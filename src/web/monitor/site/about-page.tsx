/** About this monitor: its version, its documents, and its health. */
import type { JSX } from "preact";
import type { HealthReport } from "../../../kit/observe/health.ts";
import { toMoment, toSpan } from "../../app/format.ts";
import { site } from "../../app/site.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { session } from "../../ui/console/session.ts";
import { DoctorPanel } from "../../ui/console-page/doctor-panel.tsx";
import { NewerVersion } from "../../ui/console-page/newer-version.tsx";
import { BackupsPanel } from "./backups-panel.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Panel } from "../../ui/panel.tsx";

const POLL_MS = 10_000;

function isFine(check: unknown): boolean {
  if (typeof check === "object" && check !== null && "status" in check) return check.status === "ok";
  return check === "ok" || check === true;
}

/** Parts of the monitor that can fail, in words. */
const checkNames: Readonly<Record<string, TextName>> = {
  store: "admin.about.check.store",
  grpc: "admin.about.check.grpc",
  bus: "admin.about.check.bus",
  data: "admin.about.check.data",
  backup: "admin.about.check.backup",
};

function toCheckName(name: string): string {
  const words = checkNames[name];
  return words === undefined ? name : text(words);
}

function State({ check }: { check: unknown }): JSX.Element {
  return isFine(check) ? (
    <Badge kind="good" icon="check">
      {text("admin.about.ok")}
    </Badge>
  ) : (
    <Badge kind="bad" icon="alert">
      {text("admin.about.fails")}
    </Badge>
  );
}

function HealthPanel({ health }: { health: HealthReport }): JSX.Element {
  return (
    <Facts
      class="admin-facts"
      facts={[
        [
          text("admin.about.version"),
          <>
            {health.version} <NewerVersion version={health.newerVersion} />
          </>,
        ],
        [text("admin.about.uptime"), toSpan(health.uptimeSeconds * 1_000)],
        ...Object.entries(health.checks).map(
          ([name, check]) => [toCheckName(name), <State check={check} />] as const,
        ),
      ]}
    />
  );
}

const documents = [
  { href: "/swagger/index.html", label: "admin.about.swagger" },
  { href: "/openapi.json", label: "admin.about.openapi" },
  { href: "/api/health", label: "admin.about.health" },
  { href: "/metrics", label: "admin.about.metrics" },
] as const;

/** The page. */
export function AboutPage(): JSX.Element {
  const present = session.value;
  const { data, error } = usePolled<HealthReport>("/api/health", POLL_MS);
  return (
    <>
      <PageHead title={text("admin.nav.about")} hint={site.value?.title} />
      {error && <ErrorNote message={error.status === 503 ? text("admin.about.unwell") : toMessage(error)} />}
      {data && (
        <section class="admin-panel">
          <HealthPanel health={data} />
        </section>
      )}
      <DoctorPanel />
      <BackupsPanel />
      {present.kind === "in" && present.info.expiresAt !== undefined && (
        <p class="field-hint">
          {text("admin.about.session", {
            name: present.info.name,
            until: toMoment(Date.parse(present.info.expiresAt)),
          })}
        </p>
      )}
      <Panel small title={text("admin.about.documents")}>
        <ul class="plain-list link-list">
          {documents.map(({ href, label }) => (
            <li key={href}>
              <a href={href} target="_blank" rel="noreferrer">
                <Icon name="link" />
                <span>{text(label)}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="field-hint">{text("admin.about.promise")}</p>
      </Panel>
    </>
  );
}
