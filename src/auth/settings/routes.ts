/** The five groups of settings for administrators, and a mail to try them. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import {
  type JsonBody,
  ifMatchHeader,
  jsonBody,
  jsonResponse,
  readIfMatch,
  writeErrors,
  mailStepSchema,
} from "../../kit/http/schemas.ts";
import { toPatchSchema, type SettingsPatch } from "../../records/settings-patch.ts";
import type { SettingsGroup } from "./settings.ts";
import type { ChangeBy, PlainGroup, SettingsAdmin, Versioned } from "./settings-admin.ts";
import {
  brandingSettingsSchema,
  checkInSettingsSchema,
  inviteSettingsSchema,
  mailSettingsSchema,
  registrationSettingsSchema,
} from "./schema.ts";
import { emailSchema } from "../accounts/schema.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";

/** A group as its routes see it: its texts, its schemas, and how it is read and changed. */
interface GroupRoutes {
  readonly group: SettingsGroup;
  readonly name: string;
  /** A change, with `version`. */
  readonly body: JsonBody<z.ZodType<SettingsPatch>>;
  readonly view: z.ZodType<Readonly<Record<string, unknown>>>;
  readonly read: () => Promise<Versioned<object>>;
  /** Takes the validated body without `version`. */
  readonly change: (patch: SettingsPatch, by: ChangeBy) => Promise<Versioned<object>>;
}

/** Called when the mail settings were changed, before the answer. */
export type OnMailSettings = () => Promise<void>;

interface Parts {
  readonly settingsAdmin: SettingsAdmin;
  readonly admin: AdminMiddleware;
  readonly onMailSettings: OnMailSettings;
}

/** The version that a change is based on: 0 if the group was never changed. */
const versionSchema = z.number().int().min(0);
const errors = [...writeErrors, "version_conflict", "stale_version"] as const;

function toView({ fields, version }: Versioned<object>): Record<string, unknown> {
  return { ...fields, version };
}

/** Anyone who changes these could reach every account: who must use two factors, and through which server passwords are reset. */
const guarded: ReadonlySet<string> = new Set(["registration", "mail"]);

function addGroup(app: ServiceApp, admin: AdminMiddleware, routes: GroupRoutes): void {
  const { group, name, body, view, read, change } = routes;
  const response = jsonResponse("The settings", view);
  const path = `/api/admin/settings/${group}`;
  const route = createRoute({
    ...adminRoute("settings", admin),
    method: "get",
    path,
    operationId: `adminGet${name}Settings`,
    summary: `Get the settings of ${group}`,
    responses: { 200: response },
  });
  app.openapi(route, async (c) => {
    const settings = await read();
    c.header("etag", `"${settings.version}"`);
    return c.json(toView(settings), 200);
  });
  const methods = [
    {
      method: "patch",
      operationId: `adminChange${name}Settings`,
      summary: `Change some settings of ${group}`,
    },
    {
      method: "put",
      operationId: `adminReplace${name}Settings`,
      summary: "Same as PATCH: omitted fields keep their values",
    },
  ] as const;
  for (const method of methods) {
    const route = createRoute({
      ...adminRoute("settings", admin),
      ...method,
      ...(guarded.has(group) ? { "x-scope": "administrator" } : {}),
      path,
      request: { headers: ifMatchHeader, body },
      responses: { 200: response },
      errors,
    });
    app.openapi(route, async (c) => {
      const { version: given, ...patch } = c.req.valid("json");
      const ifMatch = readIfMatch(c.req.header("if-match"));
      const version = versionSchema.optional().parse(given);
      const settings = await change(patch, { version, ifMatch, actor: c.var.actor });
      c.header("etag", `"${settings.version}"`);
      return c.json(toView(settings), 200);
    });
  }
}

/** The routes of a group that is shown as it is stored. */
function toRoutes(
  settingsAdmin: SettingsAdmin,
  group: PlainGroup,
  parts: { name: string; schema: z.ZodObject; example: object },
): GroupRoutes {
  const { name, schema, example } = parts;
  return {
    group,
    name,
    body: jsonBody(toPatchSchema(schema).extend({ version: versionSchema.optional() }), {
      ...example,
      version: 1,
    }),
    view: z.object({ ...schema.shape, version: z.int() }).openapi(`${name}Settings`),
    read: () => settingsAdmin.read(group),
    change: (patch, by) => settingsAdmin.change(group, patch, by),
  };
}

function mailRoutes({ settingsAdmin, onMailSettings }: Parts): GroupRoutes {
  const given = toPatchSchema(mailSettingsSchema.omit({ user: true })).extend({
    username: mailSettingsSchema.shape.user.unwrap().optional(),
    password: z.string().max(500).optional().openapi({
      description: 'Must be sent again with another host, port, security or user; "" removes the stored one',
    }),
    version: versionSchema.optional(),
  });
  const { password: _password, user: username, ...shown } = mailSettingsSchema.shape;
  return {
    group: "mail",
    name: "Mail",
    body: jsonBody(given, {
      enabled: true,
      host: "mail.example.org",
      port: 587,
      security: "starttls",
      username: "auth",
      password: "…",
      from: "Example <noreply@example.org>",
    }),
    view: z
      .object({ ...shown, username, passwordSet: z.boolean(), version: z.int() })
      .openapi("MailSettings"),
    read: () => settingsAdmin.readMail(),
    change: async (patch, by) => {
      // Checked already; this only tells the compiler what the password is.
      const settings = await settingsAdmin.changeMail(given.parse(patch), by);
      await onMailSettings();
      return settings;
    },
  };
}

const outcomeSchema = z
  .object({
    status: z.enum(["sent", "temporary", "permanent"]),
    reason: z.string().optional(),
    steps: z.array(mailStepSchema).readonly().optional(),
  })
  .openapi("MailOutcome");

function addMailTestRoute(app: ServiceApp, { settingsAdmin, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("settings", admin),
    method: "post",
    path: "/api/admin/settings/mail/test",
    operationId: "adminTestMailSettings",
    summary: "Send a test email immediately and return the responses of the mail server",
    request: { body: jsonBody(z.strictObject({ to: emailSchema }), { to: "me@example.org" }) },
    responses: {
      200: jsonResponse("The result of each step", outcomeSchema, {
        status: "temporary",
        reason: "connect ECONNREFUSED 192.0.2.25:587",
        steps: [
          { step: "resolve", result: "ok", said: "192.0.2.25" },
          { step: "connect", result: "failed", said: "connect ECONNREFUSED 192.0.2.25:587" },
        ],
      }),
    },
    errors: [...writeErrors, "unavailable"],
  });
  app.openapi(route, async (c) => {
    const outcome = await settingsAdmin.testMail(c.req.valid("json").to, c.var.actor);
    return c.json(outcome, 200);
  });
}

/** Adds the routes below /api/admin/settings. */
export function addAdminSettingsRoutes(app: ServiceApp, parts: Parts): void {
  const { settingsAdmin, admin } = parts;
  const plain = [
    toRoutes(settingsAdmin, "registration", {
      name: "Registration",
      schema: registrationSettingsSchema,
      example: { siteName: "Example", mode: "invite", emailVerification: "required" },
    }),
    toRoutes(settingsAdmin, "branding", {
      name: "Branding",
      schema: brandingSettingsSchema,
      example: { accent: { light: "#0d6b5c", dark: "#45c0a8" }, imprintUrl: "https://example.org/imprint" },
    }),
    toRoutes(settingsAdmin, "checkin", {
      name: "CheckIn",
      schema: checkInSettingsSchema,
      example: { enabled: true, timeZone: "Europe/Berlin", rewardMin: 5, rewardMax: 15 },
    }),
    toRoutes(settingsAdmin, "invites", {
      name: "Invite",
      schema: inviteSettingsSchema,
      example: { defaultMaxUses: 1, defaultTtlDays: 14 },
    }),
  ];
  for (const routes of [...plain, mailRoutes(parts)]) addGroup(app, admin, routes);
  addMailTestRoute(app, parts);
}
