/** The withdrawal function: a statement and its confirmation, without a sign-in. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";
import { statementSchema } from "./schema.ts";
import type { Statements } from "./statements.ts";
import { receiptSchema } from "./views.ts";

const bodySchema = z.strictObject(statementSchema.shape).openapi("WithdrawalStatement");
const example = {
  name: "Ann Smith",
  orderNumber: "261121-7KQ4MPXA",
  email: "ann@example.org",
  what: "the red mug",
};

const preparedSchema = z
  .object({
    statement: z.object(statementSchema.shape),
    confirmation: z.string().openapi({ description: "Confirmation token for the second step" }),
    expiresAt: isoTimeSchema,
  })
  .openapi("PreparedWithdrawal");

const confirmationSchema = z
  .strictObject({ confirmation: z.string().min(1).max(60_000) })
  .openapi("WithdrawalConfirmation");

const common = { method: "post" as const, tags: ["withdrawals"], "x-access": "public" as const };

/** Adds POST /api/withdrawals and POST /api/withdrawals/confirm. */
export function addWithdrawalRoutes(
  app: ServiceApp,
  { statements }: { readonly statements: Statements },
): void {
  const stateWithdrawal = createRoute({
    ...common,
    path: "/api/withdrawals",
    operationId: "stateWithdrawal",
    summary: "Prepare a withdrawal from an order or a part of it. Nothing is stored before the confirmation",
    request: { body: jsonBody(bodySchema, example) },
    responses: { 200: jsonResponse("The statement, to be shown again and confirmed", preparedSchema) },
    errors: [...writeErrors, "rate_limited"],
  });
  app.openapi(stateWithdrawal, (c) => {
    const { expiresAt, ...prepared } = statements.prepare(c.req.valid("json"), c.var.clientAddress);
    c.header("cache-control", "no-store");
    return c.json({ ...prepared, expiresAt: toIsoTime(expiresAt) }, 200);
  });

  const confirmWithdrawal = createRoute({
    ...common,
    path: "/api/withdrawals/confirm",
    operationId: "confirmWithdrawal",
    summary: "Confirm a withdrawal. It is received immediately and acknowledged by email (idempotent)",
    request: { body: jsonBody(confirmationSchema, { confirmation: "v1.3q2-7w" }) },
    responses: {
      200: jsonResponse(
        "The withdrawal was received. The response is the same if the order does not exist",
        receiptSchema,
      ),
    },
    errors: [...writeErrors, "rate_limited"],
  });
  app.openapi(confirmWithdrawal, async (c) => {
    const { confirmation } = c.req.valid("json");
    const { id, receivedAt, email } = await statements.confirm(confirmation, c.var.clientAddress);
    c.header("cache-control", "no-store");
    return c.json({ id, receivedAt: toIsoTime(receivedAt), email }, 200);
  });
}
