/** Detects the virtualization or container of the machine from world-readable files. */
import type { SystemFiles } from "./system-files.ts";

const vendors: readonly (readonly [RegExp, string])[] = [
  [/vmware/iu, "vmware"],
  [/virtualbox|innotek/iu, "virtualbox"],
  [/microsoft corporation/iu, "hyperv"],
  [/xen/iu, "xen"],
  [/parallels/iu, "parallels"],
  [/bhyve/iu, "bhyve"],
  [/bochs/iu, "bochs"],
  [
    /qemu|kvm|openstack|amazon ec2|google|digitalocean|hetzner|alibaba|scaleway|vultr|linode|nutanix/iu,
    "kvm",
  ],
];

function detectContainer(files: SystemFiles): string | undefined {
  const cgroup = files.text("/proc/1/cgroup") ?? "";
  if (/kubepods/u.test(cgroup)) return "kubernetes";
  if (/\/lxc|\.lxc|lxc\.payload/u.test(cgroup)) return "lxc";
  if (/docker/u.test(cgroup) || files.text("/.dockerenv") !== undefined) return "docker";
  if (files.text("/run/.containerenv") !== undefined) return "podman";
  // systemd-nspawn, LXC and others announce themselves: systemd.io/CONTAINER_INTERFACE.
  const announced = files.text("/run/systemd/container")?.trim();
  if (announced !== undefined && announced !== "") return announced;
  if (files.names("/proc/vz").length > 0 && files.names("/proc/bc").length === 0) return "openvz";
  return undefined;
}

/** "docker", "kvm", "hyperv" … or undefined: bare metal, or a machine that does not show what it is. */
export function detectVirtualization(files: SystemFiles): string | undefined {
  const container = detectContainer(files);
  if (container !== undefined) return container;
  if (/microsoft/iu.test(files.text("/proc/sys/kernel/osrelease") ?? "")) return "wsl";
  const dmi = ["sys_vendor", "product_name", "bios_vendor"].map(
    (name) => files.text(`/sys/class/dmi/id/${name}`) ?? "",
  );
  const hypervisor = files.text("/sys/hypervisor/type")?.trim();
  const flagged = /^flags\s*:.*\bhypervisor\b/mu.test(files.text("/proc/cpuinfo") ?? "");
  // Surface and some servers carry a vendor of the list on bare metal: the CPU flag decides on x86.
  const named = vendors.find(([pattern]) => pattern.test(dmi.join("\n")))?.[1];
  if (named !== undefined && (flagged || named !== "hyperv")) return named;
  return hypervisor ?? (flagged ? "vm" : undefined);
}
