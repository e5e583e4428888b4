/** The exports of the package. */
export { type AuthClient, type AuthResult, createAuthClient } from "./client.ts";
export { type SignIn, type SignInOptions, type Visit, createSignIn } from "./sign-in.ts";
export { honoSignIn, openNode, withSignIn } from "./adapters.ts";
