/** A process with a supervised listener, which the test of grpc-supervised kills. */
import process from "node:process";
import { supervisedKind, toOptions } from "../grpc/grpc-listeners.ts";

await supervisedKind.serve(
  toOptions(
    {
      "/test.T/Run": async function* (requests) {
        yield* requests;
      },
    },
    { onEvent: ({ message }) => process.stdout.write(`${message}\n`) },
  ),
);
