/** Faults of docs/faults.md and of the history, put back: the simulation has to find them again. */
import type { Mutant } from "./mutant.ts";

export const pastFaults: readonly Mutant[] = [
  {
    name: "past: a power cut after the first start takes the new data folder",
    path: "src/kit/files/file-layer.ts",
    from: "    await syncParent(path);\n",
    to: "",
  },
  {
    name: "past: a repeated checkout gives the access token to anyone with the same key",
    path: "src/shop/checkout/routes.ts",
    from: "(key !== undefined && isUnguessable(key));",
    to: "(key !== undefined && isUnguessable(`${key}${crypto.randomUUID()}`));",
  },
  {
    name: "past: one email address buys more than its limit from several networks",
    path: "src/shop/payments/notice-rules.ts",
    from: "if (order.isLimited === true && !isForced && (await exceedsCustomerLimit(tx, order)))",
    to: "if (order.isLimited === true && isForced && (await exceedsCustomerLimit(tx, order)))",
  },
  {
    name: "past: four failed deliveries stop all webhooks for 30 minutes",
    // Four failures in a row take more than six minutes.
    run: { hours: 0.4, buyers: 4 },
    path: "src/shop/webhooks-out/sender.ts",
    from: "nowMs + Math.min(toBackOffMs(failures), PROBE_MS);",
    to: "nowMs + toBackOffMs(failures);",
    more: [["? Math.min(backOffMs, PROBE_MS) : backOffMs;", "? backOffMs + 0 * PROBE_MS : backOffMs;"]],
  },
  {
    name: "past: a snapshot that changed on the disk while a service ran is served",
    path: "src/store/btree/block-sums.ts",
    from: "if (crc32(block) === sums[(start + at) / BLOCK_BYTES]) continue;",
    to: "if (crc32(block) === sums[(start + at) / BLOCK_BYTES] || at >= 0) continue;",
  },
  {
    scene: "monitor",
    name: "past: a page with a forbidden text after its first 64 KiB is up",
    path: "src/kit/probes/http-answer.ts",
    from: 'if (excludes !== "" && text.includes(excludes))',
    to: 'if (excludes !== "" && text.slice(0, 65_536).includes(excludes))',
  },
  {
    scene: "monitor",
    name: "past: a missing JSON value counts as different",
    path: "src/kit/probes/json-rules.ts",
    from: 'isMet: rule.operator === "absent", seen',
    to: 'isMet: rule.operator === "absent" || rule.operator === "!=", seen',
  },
  {
    scene: "monitor",
    name: "past: an agent whose reports are rejected is shown as online",
    path: "src/monitor/fleet/live.ts",
    from: '      entry.silence = { kind: "rejected", reason };',
    to: "      entry.silence = undefined;",
  },
  {
    name: "past: a start goes on from a journal that it has not synced",
    path: "src/store/journal/journal.ts",
    from: "      await renewFile(files, path, { folder, draft: toWorkPaths(this.#options)[2] });\n",
    to: "      void path;\n",
    more: [["    await this.#file.datasync();\n    return start.version;", "    return start.version;"]],
  },
  {
    name: "past: a refund to a gift card that is repeated with its reference is made twice",
    path: "src/shop/fulfilment/card-refunds.ts",
    from: "if (known?.orderId === orderId)",
    to: "if (known?.orderId === reference)",
    more: [["reference === undefined ? newId", 'reference !== "" ? newId']],
  },
  {
    scene: "monitor",
    run: { nodes: 2, agents: 4, level: "storm", hours: 0.2 },
    name: "past: the clock of a node orders the reports of an agent that moves",
    path: "src/monitor/usage/usage.ts",
    from: "bus.isShared ? NODES_DIFFER_MS : 0;",
    to: "bus.isShared ? 0 * NODES_DIFFER_MS : 0;",
  },
  {
    scene: "nodes",
    run: { nodes: 3, level: "storm", hours: 0.15 },
    name: "past: an import whose file cannot be read ends the shop",
    path: "src/kit/files/csv.ts",
    from: "pipeline(Readable.from(toSlices(parts), { objectMode: false }), parser, () => undefined);",
    to: "Readable.from(toSlices(parts), { objectMode: false }).pipe(parser); void pipeline;",
  },
];
