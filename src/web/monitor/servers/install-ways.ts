/** The ways to run an agent on a machine, each as a text to paste. */
import type { EnrolmentView } from "../../../monitor/ingest/enrolment-schema.ts";

export const installWays = ["shell", "docker", "compose", "ansible", "hand", "script"] as const;
export type InstallWay = (typeof installWays)[number];

// Node's own image: it loads the agent from the monitor, so that there is no image to publish.
const IMAGE = "node:22-alpine";
// A file that is not what the checksums say is not taken; without the monitor the one of the last start runs.
const START =
  'cd /data && wget -qO sums "$TRIVET_URL/download/SHA256SUMS" && wget -qO new.js "$TRIVET_URL/download/agent.js" && ' +
  'sed -n "s/  agent.js\\$/  new.js/p" sums | sha256sum -c - && mv new.js agent.js; ' +
  "exec node --max-semi-space-size=1 --lite-mode --no-expose-wasm agent.js";
const environment = ({ code, url }: EnrolmentView): readonly (readonly [string, string])[] => [
  ["TRIVET_ENROL", code],
  ["TRIVET_URL", url],
  ["TRIVET_DATA", "/data"],
  ["TRIVET_ROOT", "/host"],
];

function toDocker(enrolment: EnrolmentView): string {
  return [
    "docker run -d --name trivet-agent --restart unless-stopped",
    "--network host --pid host --uts host",
    "-v /:/host:ro,rslave -v trivet-agent:/data",
    ...environment(enrolment).map(([name, value]) => `-e ${name}=${value}`),
    `${IMAGE} sh -c '${START}'`,
  ].join(" \\\n  ");
}

function toCompose(enrolment: EnrolmentView): string {
  return `services:
  trivet-agent:
    image: ${IMAGE}
    restart: unless-stopped
    network_mode: host
    pid: host
    uts: host
    volumes:
      - /:/host:ro,rslave
      - trivet-agent:/data
    environment:
${environment(enrolment)
  .map(([name, value]) => `      ${name}: "${value}"`)
  .join("\n")}
    command: sh -c '${START.replaceAll("$", "$$$$")}'
volumes:
  trivet-agent:
`;
}

/** Arguments of the script in the shell command. */
const toArguments = ({ command }: EnrolmentView): string => command.replace(/^.* -s -- /u, "");

function toAnsible(enrolment: EnrolmentView): string {
  const { url } = enrolment;
  return `- name: Load the script of the Trivet agent
  ansible.builtin.get_url:
    url: ${url}/install.sh
    dest: /root/trivet-install.sh
    mode: "0700"
    force: true
  become: true
  register: trivet_script
- name: Install or upgrade the Trivet agent
  ansible.builtin.command: sh /root/trivet-install.sh ${toArguments(enrolment)}
  become: true
  when: trivet_script.changed
`;
}

function toHand({ code, url }: EnrolmentView): string {
  return `curl -fsSLO ${url}/download/agent.js
node agent.js --enrol ${code} --url ${url}`;
}

function toScript({ code, url }: EnrolmentView): string {
  return `curl -fsSLO ${url}/download/agent.sh
sh agent.sh --enrol ${code} --url ${url}`;
}

/** The text for a way. */
export function toInstallText(way: InstallWay, enrolment: EnrolmentView): string {
  switch (way) {
    case "shell":
      return enrolment.command;
    case "docker":
      return toDocker(enrolment);
    case "compose":
      return toCompose(enrolment);
    case "ansible":
      return toAnsible(enrolment);
    case "hand":
      return toHand(enrolment);
    case "script":
      return toScript(enrolment);
  }
}
