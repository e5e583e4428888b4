/** Administration of the channels: list, create, replace, delete, and the test button. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { DEFAULT_BODY } from "./kinds/http.ts";
import {
  type ChannelView,
  channelInputSchema,
  channelTestSchema,
  channelViewSchema,
  testResultSchema,
} from "./schema.ts";
import type { Notice, NoticeFacts } from "./kinds/notice.ts";
import { kindTexts } from "../base/kind-texts.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { Settings } from "../site/settings.ts";
import type { Channels } from "./channels.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute, resourceRoutes } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

export interface ChannelRoutesOptions {
  readonly channels: Channels;
  readonly settings: Pick<Settings, "read">;
  readonly guard: MiddlewareHandler<GuardEnv>;
  /** Named in tests. */
  readonly address: PublicAddress;
}

const exampleInput = {
  type: "ntfy" as const,
  name: "Phone",
  serverUrl: "https://ntfy.sh",
  topic: "fleet-4f1c2a90",
  token: "tk_example",
};
const exampleHttp = {
  type: "http",
  name: "Pager",
  url: "https://pager.example.org/hook/4f1c2a90",
  headers: { authorization: "Bearer example" },
  body: DEFAULT_BODY,
};
const exampleView: ChannelView = {
  id: "chn_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  type: "ntfy",
  name: "Phone",
  serverUrl: "https://ntfy.sh",
  topic: "fleet-4f1c2a90",
  priorities: { info: 3, warning: 4, critical: 5 },
  secrets: { token: "••••x3ab" },
  createdAt: "2025-11-20T12:00:00+00:00",
  updatedAt: "2025-11-20T12:00:00+00:00",
};

const params = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: exampleView.id }),
});

const testResponse = jsonResponse(
  "Response of the receiver; `ok` is whether it accepted the test",
  testResultSchema,
  {
    ok: true,
    status: 200,
    answer: '{"id":"hwQ2YpKdmg","event":"message"}',
    ms: 143,
  },
);

/** So that a test of a template shows where they go. It is about no alert. */
const exampleFacts: NoticeFacts = {
  key: "",
  rule: "CPU",
  check: "",
  server: "web-1",
  group: "Frankfurt",
  value: "97 %",
  threshold: "90 %",
  duration: "5 min",
  target: "",
};

async function toTestNotice({ settings, address }: ChannelRoutesOptions): Promise<Notice> {
  const present = await settings.read();
  const t = kindTexts(present.language);
  return {
    kind: "test",
    severity: "info",
    title: `${present.siteTitle}${t("channel.test.title")}`,
    text: t("channel.test.text"),
    url: address.publicUrl,
    facts: exampleFacts,
  };
}

function addChannels(app: ServiceApp, { channels, guard }: ChannelRoutesOptions): void {
  resourceRoutes(app, {
    route: adminRoute("notifications", guard),
    path: "/api/admin/channels",
    name: "Channel",
    noun: "channel",
    params,
    view: channelViewSchema,
    example: exampleView,
    show: (channel: ChannelView) => channel,
    listAll: { summary: "List all channels, with masked secrets", run: channels.listAll },
    get: { summary: "Get a channel, with masked secrets", run: channels.get },
    create: {
      [FRESH_PROOF]: true,
      summary: "Create a channel: email, a messenger or push service, or HTTP with a template",
      body: channelInputSchema,
      example: exampleInput,
      errors: ["conflict"],
      run: (input, { actor }) => channels.create(input, actor),
    },
    replace: {
      [FRESH_PROOF]: true,
      summary: "Replace a channel. Omitted secrets keep their values",
      body: channelInputSchema,
      example: { ...exampleInput, version: 1 },
      run: (id, input, by) => channels.replace(id, { input, ...by }),
    },
    remove: {
      [FRESH_PROOF]: true,
      summary: "Delete a channel that no rule uses. Its waiting notifications are dropped",
      errors: ["conflict"],
      run: (id, { actor }) => channels.remove(id, actor),
    },
  });
}

function addTestRoutes(app: ServiceApp, options: ChannelRoutesOptions): void {
  const { channels, guard } = options;
  const adminTestNewChannel = createRoute({
    ...adminRoute("notifications", guard),
    method: "post",
    path: "/api/admin/channels/test",
    operationId: "adminTestNewChannel",
    summary: "Send a test notification to an unsaved channel",
    request: {
      query: z.object({
        id: z.string().min(1).max(64).optional().openapi({
          description: "ID of a stored channel that supplies secrets omitted in the body",
        }),
      }),
      body: jsonBody(channelTestSchema, exampleHttp),
    },
    responses: { 200: testResponse },
    errors: [...writeErrors, "not_found"],
  });
  app.openapi(adminTestNewChannel, async (c) => {
    const notice = await toTestNotice(options);
    const { id } = c.req.valid("query");
    const { actor } = c.var;
    return c.json(await channels.testInput(c.req.valid("json"), { id, notice, actor }), 200);
  });

  const adminTestChannel = createRoute({
    ...adminRoute("notifications", guard),
    method: "post",
    path: "/api/admin/channels/{id}/test",
    operationId: "adminTestChannel",
    summary: "Send a test notification to a channel and return the receiver's response",
    request: { params },
    responses: { 200: testResponse },
  });
  app.openapi(adminTestChannel, async (c) => {
    const notice = await toTestNotice(options);
    const { id } = c.req.valid("param");
    return c.json(await channels.test(id, { notice, actor: c.var.actor }), 200);
  });
}

/** Adds the routes below /api/admin/channels. */
export function addChannelRoutes(app: ServiceApp, options: ChannelRoutesOptions): void {
  addChannels(app, options);
  addTestRoutes(app, options);
}
