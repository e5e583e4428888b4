/** The plan of a connection that orders at Vendure, as the load's process runs it: two requests an order. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { LoadPlan } from "./load.ts";

const dataSchema = z.object({ variants: z.number() });

const FAILED = "... on ErrorResult { errorCode message }";

const ADD = `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename ... on Order { id } ${FAILED} } }`;

/** Who, where to, how it is sent, and a payment that is authorized at once: from here on units are allocated. */
const PLACE = `mutation ($email: String!) {
  setCustomerForOrder(input: { emailAddress: $email, firstName: "Ann", lastName: "Example" }) { __typename ${FAILED} }
  setOrderShippingAddress(input: { fullName: "Ann Example", streetLine1: "1 Example Street", city: "Berlin", postalCode: "10115", countryCode: "DE" }) { __typename ${FAILED} }
  setOrderShippingMethod(shippingMethodId: ["1"]) { __typename ${FAILED} }
  transitionOrderToState(state: "ArrangingPayment") { __typename ${FAILED} }
  addPaymentToOrder(input: { method: "dummy", metadata: {} }) { __typename ... on Order { id code state totalWithTax lines { id quantity linePriceWithTax } } ${FAILED} }
}`;

function toRequest(query: string, variables: object, token?: string): ReturnType<LoadPlan["next"]> {
  return {
    method: "POST",
    path: "/shop-api",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  };
}

/** The plan of a connection: each order is another guest's, with a session of its own. */
export function createPlan(connection: number, given: unknown): LoadPlan {
  const { variants } = dataSchema.parse(given);
  let n = 0;
  let isAdded = false;
  return {
    next: (answer) => {
      if (answer?.body.includes("errorCode") === true || answer?.body.includes('"errors"') === true)
        throw new Error(`Vendure refused: ${answer.body}`);
      if (isAdded && answer !== undefined) {
        const token = /\r\nvendure-auth-token: *(\S+)/iu.exec(answer.head)?.[1];
        if (token === undefined) throw new Error(`Vendure gave no session: ${answer.head}`);
        isAdded = false;
        return toRequest(PLACE, { email: `${randomUUID()}@example.org` }, token);
      }
      if (answer !== undefined && !answer.body.includes('"PaymentAuthorized"'))
        throw new Error(`Vendure placed no order: ${answer.body}`);
      n += 1;
      isAdded = true;
      return toRequest(ADD, { id: String(1 + ((connection * 331 + n * 7) % variants)) });
    },
  };
}
