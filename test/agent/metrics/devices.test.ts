import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pickAddresses } from "../../../src/agent/metrics/ip-addresses.ts";
import { createGpuReader, findPciName } from "../../../src/agent/metrics/gpus.ts";
import { createPressureMeter } from "../../../src/agent/metrics/pressure.ts";
import { createFixtureFiles } from "../support/system-files.ts";

const pciIds = `# Comment
1002  Advanced Micro Devices, Inc. [AMD/ATI]
\t744c  Navi 31 [Radeon RX 7900 XT]
\t\t1002 0e3b  Another
8086  Intel Corporation
\t744c  Not this one
\t56a0  DG2 [Arc A770]
`;

describe("GPUs", () => {
  it("of AMD come with use, memory, temperature and power", () => {
    const device = "/sys/class/drm/card1/device";
    const files = createFixtureFiles({
      "/usr/share/misc/pci.ids": pciIds,
      "/sys/class/drm/card1-DP-1/status": "connected\n",
      [`${device}/vendor`]: "0x1002\n",
      [`${device}/device`]: "0x744c\n",
      [`${device}/gpu_busy_percent`]: "37\n",
      [`${device}/mem_info_vram_total`]: "21458059264\n",
      [`${device}/mem_info_vram_used`]: "1048576\n",
      [`${device}/hwmon/hwmon3/temp1_input`]: "52000\n",
      [`${device}/hwmon/hwmon3/power1_average`]: "61500000\n",
    });
    const read = createGpuReader(files);
    const expected = {
      name: "AMD Navi 31 [Radeon RX 7900 XT]",
      usagePercent: 37,
      memoryTotalBytes: 21_458_059_264,
      memoryUsedBytes: 1_048_576,
      celsius: 52,
      powerWatts: 61.5,
    };
    assert.deepEqual(read(0), [expected]);
    // Reading would wake it.
    files.texts[`${device}/power/runtime_status`] = "suspended\n";
    assert.deepEqual(read(1), [{ name: expected.name, usagePercent: 0 }]);
  });

  it("of one model are told apart by their slots", () => {
    const card = (index: number): Record<string, string> => ({
      [`/sys/class/drm/card${index}/device/vendor`]: "0x1002\n",
      [`/sys/class/drm/card${index}/device/product_name`]: "MI300\n",
      [`/sys/class/drm/card${index}/device/gpu_busy_percent`]: "5\n",
    });
    const files = createFixtureFiles({
      ...card(0),
      ...card(1),
      "/sys/class/drm/card0/device ->": "0000:03:00.0",
    });
    assert.deepEqual(
      createGpuReader(files)(0)?.map(({ name }) => name),
      ["MI300 (0000:03:00.0)", "MI300 (card1)"],
    );
  });

  it("of Intel are busy as long as they do not sleep", () => {
    const folder = "/sys/class/drm/card0";
    const files = createFixtureFiles({
      [`${folder}/device/vendor`]: "0x8086\n",
      [`${folder}/device/device`]: "0x56a0\n",
      [`${folder}/gt/gt0/rc6_residency_ms`]: "1000\n",
    });
    const read = createGpuReader(files);
    assert.equal(read(0), undefined);
    files.texts[`${folder}/gt/gt0/rc6_residency_ms`] = "2500\n";
    assert.deepEqual(JSON.parse(JSON.stringify(read(2_000))), [{ name: "Intel GPU 56a0", usagePercent: 25 }]);
  });

  it("are none on a machine that shows none, or a display that says nothing", () => {
    assert.equal(createGpuReader(createFixtureFiles({}))(0), undefined);
    const virtual = createFixtureFiles({ "/sys/class/drm/card0/device/vendor": "0x1af4\n" });
    assert.equal(createGpuReader(virtual)(0), undefined);
    const silent = createFixtureFiles({ "/sys/class/drm/card0/device/vendor": "0x1002\n" });
    assert.equal(createGpuReader(silent)(0), undefined);
  });

  it("are named by vendor and device of the list of PCI ids", () => {
    assert.equal(findPciName(pciIds, "1002", "744c"), "Navi 31 [Radeon RX 7900 XT]");
    assert.equal(findPciName(pciIds, "8086", "56a0"), "DG2 [Arc A770]");
    assert.equal(findPciName(pciIds, "1002", "56a0"), undefined);
    assert.equal(findPciName("", "1002", "744c"), undefined);
  });
});

describe("pressure", () => {
  it("is the share of the time since the last reading in which something waited", () => {
    const toText = (total: number): string =>
      `some avg10=1.00 avg60=2.00 avg300=3.00 total=${total}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n`;
    const files = createFixtureFiles({ "/proc/pressure/cpu": toText(1_000), "/proc/pressure/io": toText(0) });
    const measure = createPressureMeter(files);
    assert.equal(measure(0), undefined);
    files.texts["/proc/pressure/cpu"] = toText(751_000);
    files.texts["/proc/pressure/io"] = toText(9_000_000);
    assert.deepEqual(measure(3_000), { cpuPercent: 25, memoryPercent: undefined, ioPercent: 100 });
    assert.equal(createPressureMeter(createFixtureFiles({}))(0), undefined);
  });
});

describe("addresses", () => {
  it("are those by which others reach the machine", () => {
    const info = (address: string, internal = false) => ({
      address,
      internal,
      netmask: "",
      mac: "",
      cidr: null,
      ...(address.includes(":") ? { family: "IPv6" as const, scopeid: 0 } : { family: "IPv4" as const }),
    });
    const found = pickAddresses({
      lo: [info("127.0.0.1", true)],
      eth0: [info("192.0.2.10"), info("fe80::1"), info("2001:db8::10")],
      docker0: [info("172.17.0.1")],
      wg0: [info("10.8.0.2"), info("192.0.2.10")],
      eth1: [info("169.254.3.4")],
    });
    assert.deepEqual(found, ["192.0.2.10", "2001:db8::10", "10.8.0.2"]);
  });
});
