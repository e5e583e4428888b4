/** Explanations of failed TLS handshakes. */
import { codeOf } from "../../kit/thrown.ts";

/** https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes */
const untrusted = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "CERT_REJECTED",
  "INVALID_CA",
]);

/** Advice, or undefined if `error` is not about TLS. `hasCa`: a certificate authority is configured. */
export function explainTlsFailure(error: unknown, options: { readonly hasCa: boolean }): string | undefined {
  const code = codeOf(error) ?? "";
  if (untrusted.has(code)) {
    return options.hasCa
      ? "its certificate is not signed by an authority in the file of --ca"
      : "its certificate is not trusted. Set its certificate authority with --ca, or add the authority to the system";
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "its certificate is for another name. Check the host in --url";
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return "its certificate is not valid now. Renew it, or correct the clock of this machine";
  }
  // Node passes OpenSSL's complaint on, Deno gives the reason a code.
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return "it does not support TLS as expected. Check https and the port in --url";
  }
  return undefined;
}
