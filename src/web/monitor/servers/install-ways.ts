/** The ways to run an agent on a machine, each as a text to paste. */
import type { EnrolmentView } from "../../../monitor/ingest/enrolment-schema.ts";

export const installWays = ["shell", "docker", "compose", "ansible", "hand", "script"] as const;
export type InstallWay = (typeof installWays)[number];

/** The image of the agent that this monitor has, by the version that its archives are tagged with. */
export interface AgentImage {
  readonly version: string;
}

// Without an image of the agent, Node's own loads it from the monitor.
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

// "localhost" keeps Docker from taking an image of this name from a registry.
const toTag = ({ version }: AgentImage): string => `localhost/trivet-agent:${version}`;

/** Loads a file of the monitor and checks it. */
function toCheckedLoad(url: string, file: string): string {
  return `curl -fsSLO ${url}/download/${file} &&
  curl -fsSL ${url}/download/SHA256SUMS | grep " ${file}$" | sha256sum -c -`;
}

/** Lines that load the image, once its checksum is right. */
function toLoadLines({ url }: EnrolmentView): string {
  return [
    "file=trivet-agent-image-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/').tar.gz",
    `${toCheckedLoad(url, "$file")} &&`,
    "  gzip -dc $file | docker load",
  ].join("\n");
}

function toImageDocker(enrolment: EnrolmentView, image: AgentImage): string {
  return [
    `${toLoadLines(enrolment)} &&`,
    "docker run -d --name trivet-agent --restart unless-stopped --network host",
    "--read-only --cap-drop ALL --security-opt no-new-privileges",
    "-v /:/host:ro,rslave -v trivet-agent:/data",
    `-e TRIVET_ENROL=${enrolment.code} -e TRIVET_URL=${enrolment.url}`,
    toTag(image),
  ]
    .join(" \\\n  ")
    .replace("&& \\\n  ", "&&\n");
}

function toImageCompose(enrolment: EnrolmentView, image: AgentImage): string {
  const comments = toLoadLines(enrolment)
    .split("\n")
    .map((line) => `# ${line}\n`);
  return `${comments.join("")}services:
  trivet-agent:
    image: ${toTag(image)}
    restart: unless-stopped
    network_mode: host
    read_only: true
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    volumes:
      - /:/host:ro,rslave
      - trivet-agent:/data
    environment:
      TRIVET_ENROL: "${enrolment.code}"
      TRIVET_URL: "${enrolment.url}"
volumes:
  trivet-agent:
`;
}

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
  return `${toCheckedLoad(url, "agent.js")} &&
  node agent.js --enrol ${code} --url ${url}`;
}

function toScript({ code, url }: EnrolmentView): string {
  return `${toCheckedLoad(url, "agent.sh")} &&
  sh agent.sh --enrol ${code} --url ${url}`;
}

/** The text for a way; `image` is absent where the monitor has none. */
export function toInstallText(way: InstallWay, enrolment: EnrolmentView, image?: AgentImage): string {
  switch (way) {
    case "shell":
      return enrolment.command;
    case "docker":
      return image ? toImageDocker(enrolment, image) : toDocker(enrolment);
    case "compose":
      return image ? toImageCompose(enrolment, image) : toCompose(enrolment);
    case "ansible":
      return toAnsible(enrolment);
    case "hand":
      return toHand(enrolment);
    case "script":
      return toScript(enrolment);
  }
}
