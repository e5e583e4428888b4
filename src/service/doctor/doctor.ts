/** Examines an installation from the inside: what an operator would otherwise learn from the first complaint. */
import { fetchLocal } from "../../kit/outbound/unix-socket.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { ServiceContext } from "../service.ts";
import { readObserved } from "../observed.ts";
import { findFailedStep } from "../../kit/mail/mail.ts";
import { checkSmtp } from "../../kit/mail/smtp-check.ts";
import { checkAddresses } from "./public-urls.ts";
import { type Finding, type Level, createFindings } from "./finding.ts";
import type { DoctorPlace } from "./place.ts";
import { checkRecords } from "./records.ts";
import { checkServices } from "./services.ts";

const mail = createFindings("email");
const agents = createFindings("agents");

const MAIL_MS = 4_000;

async function checkMail({ config, services }: DoctorPlace): Promise<Finding[]> {
  const { smtp } = config;
  if (!services.includes("auth") && !services.includes("shop") && smtp === undefined) return [];
  if (smtp === undefined)
    return [
      mail.ok(
        "SMTP_URL is not set. Emails are sent through the mail server in the settings of each console, if set",
      ),
    ];
  const place = `${smtp.host}:${smtp.port}`;
  const failed = findFailedStep(await checkSmtp(smtp, undefined, { timeoutMs: MAIL_MS }));
  if (failed === undefined || failed.step === "send")
    return [mail.ok(`The mail server ${place} accepts connections`)];
  return [
    mail.problem(
      `The mail server ${place} failed at the step "${failed.step}": ${failed.said}`,
      "Check SMTP_URL (host, port, smtp or smtps, user and password)",
    ),
  ];
}

async function checkAgents({ services, observe }: DoctorPlace, isRunning: boolean): Promise<Finding[]> {
  if (!services.includes("monitor") || !isRunning) return [];
  const seen = (await observe("monitor"))?.agents;
  if (seen === undefined || seen.servers === 0) return [];
  const { servers, silent, silentCount } = seen;
  if (silentCount === 0) return [agents.ok(`Reports from all ${servers} servers were accepted`)];
  return [
    agents.warning(
      `${silentCount} of ${servers} servers have no accepted report yet: ${silent.join(", ")}`,
      "Read the log of the agent (journalctl -u trivet-agent). If there is no agent, delete the server",
    ),
  ];
}

/** Runs all checks. Never rejects for what it finds. */
export async function examine(place: DoctorPlace): Promise<Finding[]> {
  const { findings, running } = await checkServices(place);
  const found = await Promise.all([
    checkRecords(place, running),
    checkAddresses(place, running),
    checkAgents(place, running.includes("monitor")),
    checkMail(place),
  ]);
  return [...findings, ...found.flat()];
}

/** The same for a program that runs: one examination for all who ask at once. */
export function createExamination({
  config,
  services,
  clock,
}: Pick<ServiceContext, "config" | "services" | "clock">) {
  const place: DoctorPlace = {
    config,
    services,
    mustRun: true,
    observe: (service) => readObserved(config.dataDir, service),
    fetch: fetchLocal,
    now: () => clock.now(),
  };
  return coalesce(async () => {
    const findings = await examine(place);
    return { verdict: toVerdict(findings), findings };
  });
}

/** The worst of the findings. */
export function toVerdict(findings: readonly Finding[]): Level {
  if (findings.some(({ level }) => level === "problem")) return "problem";
  return findings.some(({ level }) => level === "warning") ? "warning" : "ok";
}
