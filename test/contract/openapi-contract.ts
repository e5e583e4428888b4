/**
 * Checks answers against the OpenAPI document of the application that gave them: the route, the status,
 * the media type and the body's schema. Used by every suite that sends requests.
 */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: object }>> }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Contract {
  /** Throws when the answer is not one that the document promises. */
  check(request: { method: string; path: string }, response: Response): Promise<void>;
}

/** Statuses that any path may give without saying so: unknown paths, other methods, preflights. */
const GENERAL = new Set([404, 405]);

function toPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\{[^}]+\}/gu, "[^/]+")}$`, "u");
}

/** The operations of a document, those of a literal path before those with parameters, as in the router. */
function readOperations(document: OpenApiDocument): LoadedDocument["findOperation"] {
  const paths = Object.entries(document.paths)
    .toSorted(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")))
    .map(([name, operations]) => ({ pattern: toPattern(name), operations }));
  return (request) => {
    const path = request.path.split("?")[0] ?? "";
    const method = request.method === "HEAD" ? "get" : request.method.toLowerCase();
    return paths.find(({ pattern, operations }) => method in operations && pattern.test(path))?.operations[
      method
    ];
  };
}

/** A document made ready for checks. */
interface LoadedDocument {
  findOperation(request: { readonly method: string; readonly path: string }): Operation | undefined;
  validatorOf(schema: object): ValidateFunction;
  errorsText(errors: ValidateFunction["errors"]): string;
}

/**
 * Documents by service, for the life of the process: to make one and to compile its schemas takes seconds of
 * processor time, and every application of a service has the same one, whatever its store and settings are.
 */
const loaded = new Map<string, Promise<LoadedDocument>>();

async function load(app: DocumentedApp): Promise<LoadedDocument> {
  const document: OpenApiDocument = await (await app.request("/openapi.json")).json();
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, "document");
  const validators = new Map<object, ValidateFunction>();
  return {
    findOperation: readOperations(document),
    errorsText: (errors) => ajv.errorsText(errors),
    validatorOf(schema) {
      const known = validators.get(schema);
      if (known !== undefined) return known;
      const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
      const made = ajv.compile(JSON.parse(text));
      validators.set(schema, made);
      return made;
    },
  };
}

interface DocumentedApp {
  request(path: string): Response | Promise<Response>;
}

/** Creates the check for an application of `service` that serves its document at /openapi.json. */
export function createContract(app: DocumentedApp, service: string): Contract {
  function loadOnce(): Promise<LoadedDocument> {
    const known = loaded.get(service) ?? load(app);
    loaded.set(service, known);
    return known;
  }

  return {
    check: async (request, response) => {
      const where = `${request.method} ${request.path} → ${response.status}`;
      assert.ok(response.headers.get("x-request-id"), `${where}: has no X-Request-Id`);
      const { findOperation, validatorOf, errorsText } = await loadOnce();
      const operation = findOperation(request);
      if (operation === undefined) {
        assert.ok(
          GENERAL.has(response.status) || request.method === "OPTIONS",
          `${where}: no such route in the document`,
        );
        return;
      }
      const promised = operation.responses[String(response.status)];
      assert.ok(
        promised,
        `${where}: the document does not have this status; it has ${Object.keys(operation.responses).join(", ")}`,
      );
      if (promised.content === undefined) return;
      const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
      const content = promised.content[type];
      assert.ok(content, `${where}: the document does not have the media type "${type}"`);
      // Lines of JSON are no JSON.
      if (!/[/+]json$/u.test(type) || content.schema === undefined || request.method === "HEAD") return;
      const validate = validatorOf(content.schema);
      const body: unknown = await response.json();
      assert.ok(
        validate(body),
        `${where}: ${errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`,
      );
    },
  };
}
