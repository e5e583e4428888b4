/** The ways to run an agent on a machine, each as a text to paste. */
import type { EnrolmentView } from "../../../monitor/ingest/enrolment-schema.ts";

export const installWays = ["shell", "docker", "compose", "ansible", "hand"] as const;
export type InstallWay = (typeof installWays)[number];

// Node's own image: it loads the agent from the monitor, so that there is no image to publish.
const IMAGE = "node:22-alpine";
const START =
  "wget -qO /tmp/agent.js $TRIVET_URL/download/agent.js && exec node --max-semi-space-size=1 --lite-mode /tmp/agent.js";
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

function toAnsible({ code, url }: EnrolmentView): string {
  return `- name: Load the script of the Trivet agent
  ansible.builtin.get_url:
    url: ${url}/install.sh
    dest: /root/trivet-install.sh
    mode: "0700"
    force: true
  become: true
  register: trivet_script
- name: Install or upgrade the Trivet agent
  ansible.builtin.command: sh /root/trivet-install.sh ${code}
  become: true
  when: trivet_script.changed
`;
}

function toHand({ code, url }: EnrolmentView): string {
  return `curl -fsSLO ${url}/download/agent.js
node agent.js --enrol ${code} --url ${url}`;
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
  }
}
