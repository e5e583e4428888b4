import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AuthError } from "../../src/auth/base/errors.ts";
import { AppError, commonErrors, defineErrors } from "../../src/kit/errors.ts";
import { grpcStatus } from "../../src/runtime/runtime.ts";
import { ShopError } from "../../src/shop/base/errors.ts";

describe("error codes", () => {
  it("are defined once: in the kit, or in one service", () => {
    const common = new Set(Object.keys(commonErrors));
    const own = [AuthError, ShopError].flatMap(({ kinds }) =>
      Object.keys(kinds).filter((code) => !common.has(code)),
    );
    assert.ok(own.length > 0);
    assert.deepEqual(own.toSorted(), [...new Set(own)].toSorted());
  });

  it("keep what they mean in the class of a service, which is an AppError too", () => {
    const error = new ShopError("out_of_stock", "None is left", { details: { left: 0 } });
    assert.ok(error instanceof AppError);
    assert.equal(error.code, "out_of_stock");
    assert.deepEqual([error.kind.http, error.kind.grpc], [409, grpcStatus.failedPrecondition]);
    assert.deepEqual(error.details, { left: 0 });
    const shared = new AuthError("not_found", "There is no such account");
    assert.equal(shared.kind, commonErrors.not_found);
  });

  it("of another service, unknown and duplicate ones do not compile", () => {
    // @ts-expect-error: a code of the auth center
    void new ShopError("username_taken", "");
    // @ts-expect-error: a code of the shop
    void new AppError("out_of_stock", "");
    const again = { http: 404, grpc: grpcStatus.notFound, title: "Not found" };
    // @ts-expect-error: a common code
    void defineErrors({ not_found: again });
  });
});
