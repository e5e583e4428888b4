/** Channels as an administrator keeps them. */
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import {
  type ChannelInput,
  type ChannelRecord,
  type ChannelTest,
  type ChannelView,
  type TestResult,
  settingsSchema,
} from "./schema.ts";
import { type OpenChannel, mergeSecrets, openChannel, sealSecrets, toMasked } from "./secrets.ts";
import type { Notice } from "./kinds/notice.ts";
import { assertOnCall, findOnCall, findTablesOf } from "./on-call.ts";
import { MAX_CHANNELS, channels } from "./records.ts";
import type { Sending } from "./sending.ts";

export interface NamingRule {
  readonly id: string;
  readonly name: string;
}

export interface Channels {
  /** All, by the time of their making. */
  listAll(): Promise<readonly ChannelView[]>;
  /** @throws AppError `not_found` */
  get(id: string): Promise<ChannelView>;
  /** @throws AppError `invalid`, `conflict` when there are 50 */
  create(input: ChannelInput, actor: AuditActor): Promise<ChannelView>;
  /** Secrets that are left out stay. @throws AppError `not_found`, `invalid`, `version_conflict` */
  replace(id: string, change: ChangedBy & { input: ChannelInput }): Promise<ChannelView>;
  /** @throws AppError `not_found`, and `conflict` while rules name it */
  remove(id: string, actor: AuditActor): Promise<void>;
  /** Sends a test to a channel. @throws AppError `not_found` */
  test(id: string, options: { notice: Notice; actor: AuditActor }): Promise<TestResult>;
  /** The same of one that is not stored; what it leaves out is taken from `id`. @throws AppError `not_found`, `invalid` */
  testInput(
    input: ChannelTest,
    options: { id: string | undefined; notice: Notice; actor: AuditActor },
  ): Promise<TestResult>;
}

export interface ChannelsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly sending: Sending;
  /** The rules that send to a channel. */
  readonly findRules: (tx: ReadTx, channelId: string) => Promise<readonly NamingRule[]>;
}

async function getRecord(tx: ReadTx, id: string): Promise<ChannelRecord> {
  const record = await tx.get(channels, id);
  if (record === undefined) throw new AppError("not_found", `There is no channel "${id}"`);
  return record;
}

function toView(box: SecretBox, record: ChannelRecord): ChannelView {
  const { id, version, name, settings, createdAt, updatedAt } = record;
  const open = openChannel(box, record);
  const secrets =
    open === undefined
      ? { unreadable: "sealed with another secret. Enter them again" }
      : Object.fromEntries(Object.entries(open.secrets).map(([key, secret]) => [key, toMasked(secret)]));
  const times = { createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
  return { id, version, name, ...settings, secrets, ...times };
}

/** The channel of an input. @throws AppError `invalid` */
function toOpen(box: SecretBox, input: ChannelTest, record?: ChannelRecord): OpenChannel {
  const settings = settingsSchema.parse(input);
  const before = record === undefined ? undefined : openChannel(box, record);
  return { settings, secrets: mergeSecrets(input, { settings, before }) };
}

function create(
  { store, clock, box }: ChannelsDeps,
  input: ChannelInput,
  actor: AuditActor,
): Promise<ChannelView> {
  const { settings, secrets } = toOpen(box, input);
  const sealed = sealSecrets(box, secrets);
  return store.transact(async (tx) => {
    const count = await tx.count(channels);
    if (count >= MAX_CHANNELS)
      throw new AppError("conflict", `You can have up to ${MAX_CHANNELS} channels. Delete one first`);
    await assertOnCall(tx, settings);
    const now = clock.now();
    const id = newId("chn", now);
    const times = { createdAt: now, updatedAt: now };
    const record = await tx.insert(channels, { id, name: input.name, settings, sealed, ...times });
    const changes = [...describeName(input.name), settings.type];
    await writeAudit(tx, { actor, action: "channel.create", target: id, changes }, clock);
    return toView(box, record);
  });
}

function replace(
  { store, clock, box }: ChannelsDeps,
  id: string,
  { input, actor, ...expected }: ChangedBy & { input: ChannelInput },
): Promise<ChannelView> {
  return store.transact(async (tx) => {
    const before = await getRecord(tx, id);
    assertVersion(before.version, expected, "channel");
    const { settings, secrets } = toOpen(box, input, before);
    await assertOnCall(tx, settings);
    if (settings.type === "oncall" && before.settings.type !== "oncall") await assertUnnamed(tx, id);
    const known = openChannel(box, before)?.secrets ?? {};
    const changes = [
      ...changedFields({ name: before.name, ...before.settings }, { name: input.name, ...settings }),
      ...changedFields(known, secrets),
      ...Object.keys(known).filter((name) => !(name in secrets)),
    ];
    const sealed = sealSecrets(box, secrets);
    const { name } = input;
    const after = await tx.put(channels, { ...before, name, settings, sealed, updatedAt: clock.now() });
    await writeAudit(tx, { actor, action: "channel.replace", target: id, changes }, clock);
    return toView(box, after);
  });
}

/** Throws `conflict` while on-call tables name a channel. */
async function assertUnnamed(tx: ReadTx, channelId: string): Promise<void> {
  const tables = await findTablesOf(tx, channelId);
  if (tables.length === 0) return;
  const names = tables.map(({ name }) => `"${name}"`).join(", ");
  throw new AppError(
    "conflict",
    `On-call tables use this channel: ${names}. Remove the channel from these tables first`,
  );
}

/** A rule without its channel would be silently ineffective: decide about its rules before you delete one. */
async function remove(
  { clock, findRules }: ChannelsDeps,
  tx: Tx,
  what: { id: string; actor: AuditActor },
): Promise<void> {
  const { id, actor } = what;
  const { name } = await getRecord(tx, id);
  const rules = await findRules(tx, id);
  if (rules.length > 0) {
    const names = rules.map(({ name }) => `"${name}"`).join(", ");
    throw new AppError(
      "conflict",
      `Alert rules use this channel: ${names}. Remove the channel from these rules first`,
      {
        details: { rules: rules.map((rule) => ({ id: rule.id, name: rule.name })) },
      },
    );
  }
  await assertUnnamed(tx, id);
  await tx.remove(channels, id);
  await writeAudit(tx, { actor, action: "channel.delete", target: id, changes: describeName(name) }, clock);
}

/** Reads and notes the test in one transaction; what is sent is sent after it. */
function prepareTest(
  deps: ChannelsDeps,
  { id, actor, input }: { id: string | undefined; actor: AuditActor; input?: ChannelTest },
): Promise<OpenChannel | undefined> {
  const { store, clock, box } = deps;
  return store.transact(async (tx) => {
    const record = id === undefined ? undefined : await getRecord(tx, id);
    const fresh = input === undefined ? undefined : toOpen(box, input, record);
    await writeAudit(tx, { actor, action: "channel.test", target: id ?? input?.type ?? "" }, clock);
    const settings = fresh?.settings ?? record?.settings;
    if (settings?.type === "oncall") {
      await assertOnCall(tx, settings);
      const [first = ""] = findOnCall(settings, clock.now());
      return openChannel(box, await getRecord(tx, first));
    }
    return fresh ?? (record === undefined ? undefined : openChannel(box, record));
  });
}

const unreadable: TestResult = {
  ok: false,
  answer: "",
  ms: 0,
  error: "The channel's secrets were sealed with another secret. Enter them again",
};

export function createChannels(deps: ChannelsDeps): Channels {
  const { store, box, sending } = deps;
  return {
    listAll: async () => {
      const { items } = await store.read((tx) => tx.list(channels, "id", { limit: MAX_CHANNELS }));
      return items.map((record) => toView(box, record));
    },
    get: async (id) => toView(box, await store.read((tx) => getRecord(tx, id))),
    create: (input, actor) => create(deps, input, actor),
    replace: (id, change) => replace(deps, id, change),
    remove: (id, actor) => store.transact((tx) => remove(deps, tx, { id, actor })),
    test: async (id, { notice, actor }) => {
      const channel = await prepareTest(deps, { id, actor });
      return channel === undefined ? unreadable : sending.test(channel, notice);
    },
    testInput: async (input, { id, notice, actor }) => {
      const channel = await prepareTest(deps, { id, actor, input });
      return channel === undefined ? unreadable : sending.test(channel, notice);
    },
  };
}
