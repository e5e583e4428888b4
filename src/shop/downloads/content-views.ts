/** Files in answers, whole or in ranges. */
import { z } from "@hono/zod-openapi";
import { findWantedBytes } from "./byte-range.ts";
import { toAttachmentDisposition } from "./content-disposition.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { toProblemResponse } from "../../kit/http/problem.ts";
import { ShopError } from "../base/errors.ts";
import type { FileVersion } from "../files/schema.ts";

const OCTETS: string = "application/octet-stream";
const content = { [OCTETS]: { schema: z.string().openapi({ format: "binary" }) } };

/** The answers of a route that hands a file out. */
export const contentResponses = {
  200: { description: "The whole file", content },
  206: {
    description: "The requested byte range. Requests for multiple ranges receive the whole file",
    content,
  },
  304: { description: "The file has not changed" },
} as const;

/** Headers of a request that say what of a file it wants. */
interface ContentRequest {
  readonly method: string;
  header(name: string): string | undefined;
}

/** How a request for a file is answered: without bytes, or with those of a range. */
export type ContentAnswer = { readonly headers: Record<string, string> } & (
  | { readonly status: 200 | 304; readonly range: undefined }
  | { readonly status: 200 | 206; readonly range: { readonly first: number; readonly last: number } }
);

/** The answer to a range that begins behind the end of a file (RFC 9110 section 15.5.17). */
export function toRangeProblem({ sizeBytes }: Pick<FileVersion, "sizeBytes">, requestId: string): Response {
  const message = `The file has ${sizeBytes} bytes`;
  const problem = new ShopError("range_unsatisfiable", message, { details: { sizeBytes } });
  const response = toProblemResponse(problem, requestId);
  response.headers.set("content-range", `bytes */${sizeBytes}`);
  return response;
}

/** Finds the answer to a request for a version of a file (RFC 9110 sections 13 to 15); undefined for a range behind its end. */
export function toContentAnswer(
  request: ContentRequest,
  { fileName, sizeBytes, sha256 }: Pick<FileVersion, "fileName" | "sizeBytes" | "sha256">,
): ContentAnswer | undefined {
  const tag = `"${sha256}"`;
  const headers = {
    etag: tag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  if (isKnownTag(request.header("if-none-match"), tag)) return { status: 304, headers, range: undefined };
  const fields = { range: request.header("range"), ifRange: request.header("if-range") };
  const isHead = request.method === "HEAD";
  // HEAD knows no ranges (RFC 9110 section 14.2).
  const wanted = isHead ? "whole" : findWantedBytes(fields, { tag, sizeBytes });
  if (wanted === "unsatisfiable") return undefined;
  const range = wanted === "whole" ? { first: 0, last: sizeBytes - 1 } : wanted;
  const described = {
    ...headers,
    "content-type": OCTETS,
    "content-disposition": toAttachmentDisposition(fileName),
    "content-length": String(range.last - range.first + 1),
  };
  if (isHead) return { status: 200, headers: described, range: undefined };
  if (wanted === "whole") return { status: 200, headers: described, range };
  const place = { "content-range": `bytes ${range.first}-${range.last}/${sizeBytes}` };
  return { status: 206, headers: { ...described, ...place }, range };
}
