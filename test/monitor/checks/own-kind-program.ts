/**
 * A program that adds a kind of check of its own to the registry before anything reads it, as a new file in
 * `kit/probes/kinds/` would, and prints what the monitor, the console and the agents make of it.
 */
import { z } from "zod";
import { hostSchema, portSchema } from "../../../src/kit/probes/fields.ts";
import { probeForms, probeKinds } from "../../../src/kit/probes/kinds/kinds.ts";
import type { ProbeForm, ProbeKind } from "../../../src/kit/probes/probe.ts";

const settings = () => ({ host: hostSchema, port: portSchema.default(6_379) });
const secrets = () => ({ password: z.string().max(200) });
const kind: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  describe: ({ host }) => host,
  address: ({ host }) => host,
  host: ({ host }) => host,
  recipient: ({ host }) => host,
  probe: async ({ password }) => ({ detail: `asked with "${password}"` }),
};
const form: ProbeForm<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  icon: "plug",
  name: "{host}",
  fields: { host: {}, port: {}, password: { folded: true } },
};
Object.assign(probeKinds, { sample: kind });
Object.assign(probeForms, { sample: form });

// All of these read the registry when they are loaded.
const { createSecretBox } = await import("../../../src/kit/secrets/secret-box.ts");
const { parseCheckFile, fillTarget } = await import("../../../src/kit/check-files/check-file.ts");
const { runProbe } = await import("../../../src/kit/probes/probes.ts");
const { checkForms } = await import("../../../src/monitor/checks/form-schema.ts");
const { checkRecordSchema } = await import("../../../src/monitor/checks/schema.ts");
const { mergeTarget, openTarget, sealTarget, toTargetView } =
  await import("../../../src/monitor/checks/target-secrets.ts");
const { checkInputSchema } = await import("../../../src/monitor/checks/view-schema.ts");
const { makeCheckFile } = await import("../../../src/monitor/places/check-files.ts");

const box = createSecretBox("a secret of this test that is long enough");
const read = (target: object) =>
  checkInputSchema.parse({ name: "Cache", target: { kind: "sample", ...target } }).target;

const given = mergeTarget(box, read({ host: "cache.example.org", password: "s3cret" }), undefined);
const stored = sealTarget(box, given);
const record = checkRecordSchema.parse({
  ...checkInputSchema.parse({
    name: "Cache",
    target: { kind: "tcp", host: "a", port: 1 },
    places: { serverIds: ["web-1"] },
  }),
  ...stored,
  id: "chk_sample000001",
  version: 1,
  revision: 1,
  createdAt: 0,
  updatedAt: 0,
});
function tryMerge(target: object): unknown {
  try {
    return Reflect.get(mergeTarget(box, read(target), record), "password");
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}
const file = makeCheckFile([record], { serverId: "web-1", allow: [] });
const parsed = parseCheckFile(new TextEncoder().encode(file.text));
const first = parsed.ok ? parsed.file.checks[0] : undefined;
const filled =
  first && fillTarget(first.target, Object.fromEntries(file.variables.map((name) => [name, "s3cret"])));
const opened = openTarget(box, record);
const context = {
  rules: { allowPrivate: true, privateRemedy: "" },
  userAgent: "test",
  timeoutMs: 1_000,
  signal: new AbortController().signal,
  clock: { now: () => 0, monotonic: () => 0 },
};

console.log(
  JSON.stringify({
    stored: record.target,
    isSealed: record.sealed !== undefined && !record.sealed.includes("s3cret"),
    view: toTargetView(box, record),
    kept: tryMerge({ host: "cache.example.org" }),
    removed: tryMerge({ host: "cache.example.org", password: "" }),
    elsewhere: tryMerge({ host: "other.example.org" }),
    run:
      opened && opened.kind !== "heartbeat" && opened.kind !== "group"
        ? await runProbe(opened, context)
        : undefined,
    file: JSON.parse(file.text),
    variables: file.variables,
    filled,
    form: Reflect.get(checkForms, "sample"),
  }),
);
