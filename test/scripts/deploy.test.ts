/** The templates in deploy/: ports, variables, folders, and image are those of the program, and each file is of its format. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments, stringify } from "yaml";
import { configVariables, loadConfig } from "../../src/config.ts";
import { findProgram, tellSkipped } from "../support/missing.ts";

const root = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");
const example = await readFile(join(root, "../.env.example"), "utf8");
const image = /^#TRIVET_IMAGE=(\S+)$/mu.exec(example)?.[1] ?? "";
const version = image.split(":").at(-1) ?? "";
const { ports, grpc } = loadConfig({});
const own = [ports.monitor, ports.shop, ports.auth, grpc.port].map(Number);

/** Values, `toYaml`, and `range` as Helm has them, which is all that the chart uses; what is left over fails. */
function render(template: string, values: object): string {
  const find = (path: string): unknown =>
    path.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), values);
  return template
    .replaceAll(
      /\s*\{\{- range \.Values\.(\S+) \}\}([^]*?)\s*\{\{- end \}\}/gu,
      (_, path: string, body: string) =>
        [...Object.values(Object(find(path)))].map((one) => body.replaceAll("{{ . }}", String(one))).join(""),
    )
    .replaceAll(
      /\s*\{\{- toYaml \.Values\.(\S+) \| nindent (\d+) \}\}/gu,
      (_, path: string, indent: string) =>
        `\n${stringify(find(path)).trimEnd()}`.replaceAll("\n", `\n${" ".repeat(Number(indent))}`),
    )
    .replaceAll(/\{\{ toYaml \S+ \| sha256sum \}\}/gu, "hash")
    .replaceAll(/\{\{ \.Values\.(\S+) \}\}/gu, (_, path: string) => String(find(path)))
    .replaceAll(/\{\{ \$?\.Release\.Name \}\}/gu, "trivet");
}

async function readChart(): Promise<string> {
  const values: object = parse(await read("helm/trivet/values.yaml"));
  const names = (await readdir(join(root, "helm/trivet/templates"))).sort();
  const templates = await Promise.all(names.map((name) => read(`helm/trivet/templates/${name}`)));
  return templates.map((template) => render(template, values)).join("\n---\n");
}

/** All values below a key of a parsed file, wherever it is. */
function collect(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => collect(one, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...collect(inner, key),
  ]);
}

const documentsOf = (text: string): unknown[] =>
  parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS();
  });

function assertKubernetes(documents: readonly unknown[]): void {
  const settings = Object.assign(
    {},
    ...collect(documents, "data").filter((data) => "GATEWAY_PORT" in Object(data)),
  );
  loadConfig(settings);
  const gateway = Number(Reflect.get(settings, "GATEWAY_PORT"));
  assert.deepEqual(collect(documents, "containerPort"), [gateway, ports.monitor, grpc.port]);
  assert.deepEqual(collect(documents, "image"), [image]);
  assert.deepEqual(collect(documents, "mountPath"), ["/data", "/backups", "/tmp"]);
  const hosts = ["PUBLIC_URL", "AUTH_PUBLIC_URL", "SHOP_PUBLIC_URL"].map(
    (name) => new URL(String(Reflect.get(settings, name))).hostname,
  );
  assert.deepEqual(collect(documents, "hosts"), [hosts]);
  assert.deepEqual(collect(documents, "host"), hosts);
  assert.deepEqual(collect(documents, "replicas"), [1]);
  assert.deepEqual(collect(documents, "readOnlyRootFilesystem"), [true]);
}

/** The container's side of the ports. */
const toTargets = (given: readonly unknown[]): number[] =>
  given
    .flat()
    .map((port) =>
      Number(typeof port === "string" ? port.split(":")[1] : Reflect.get(Object(port), "target")),
    );

describe("templates in deploy/", () => {
  it("Kubernetes: the program's ports, variables, folders, and image", async () => {
    assertKubernetes(documentsOf(await read("kubernetes/trivet.yaml")));
  });

  it("Helm: the same from the chart's values", async () => {
    const chart: unknown = parse(await read("helm/trivet/Chart.yaml"));
    assert.deepEqual(
      [Reflect.get(Object(chart), "appVersion"), Reflect.get(Object(chart), "version")],
      [version, version],
    );
    const text = await readChart();
    assert.doesNotMatch(text, /\{\{|undefined/u);
    assertKubernetes(documentsOf(text));
  });

  const helm = findProgram("helm") === undefined && tellSkipped("helm is not in PATH (https://helm.sh)");
  it("Helm: helm lint finds nothing", { skip: helm }, () => {
    execFileSync("helm", ["lint", "--strict", join(root, "helm/trivet")]);
  });

  for (const path of ["truenas/compose.yaml", "casaos/docker-compose.yml", "umbrel/docker-compose.yml"])
    it(`${path}: the program's ports, variables, folders, and image`, async () => {
      const file: unknown = parse(await read(path));
      const services: Record<
        string,
        { ports?: unknown[]; environment?: Record<string, unknown>; volumes?: unknown[] }
      > = Object(Reflect.get(Object(file), "services"));
      const { trivet = services["web"], app_proxy: proxy } = services;
      const proxied = proxy === undefined ? [] : [Number(proxy.environment?.["APP_PORT"])];
      assert.deepEqual([...proxied, ...toTargets(trivet?.ports ?? [])], own);
      for (const name of Object.keys(trivet?.environment ?? {}))
        assert.ok(configVariables.includes(name), name);
      assert.deepEqual(collect(services, "image"), [image]);
      const folders = (trivet?.volumes ?? []).map((one) =>
        typeof one === "string" ? one.split(":").at(-1) : Reflect.get(Object(one), "target"),
      );
      assert.deepEqual(folders, ["/data", "/backups"]);
    });

  it("CasaOS and Umbrel: the fields that their stores want", async () => {
    const casa: unknown = Reflect.get(Object(parse(await read("casaos/docker-compose.yml"))), "x-casaos");
    for (const name of [
      "architectures",
      "main",
      "author",
      "category",
      "description",
      "developer",
      "icon",
      "tagline",
      "title",
      "index",
      "port_map",
    ])
      assert.ok(name in Object(casa), name);
    const umbrel: unknown = parse(await read("umbrel/umbrel-app.yml"));
    for (const name of [
      "manifestVersion",
      "id",
      "category",
      "name",
      "version",
      "tagline",
      "description",
      "developer",
      "website",
      "dependencies",
      "repo",
      "support",
      "port",
      "gallery",
      "path",
      "submitter",
      "submission",
    ])
      assert.ok(name in Object(umbrel), name);
    assert.equal(Reflect.get(Object(umbrel), "version"), version);
    const compose = await read("umbrel/docker-compose.yml");
    assert.ok(compose.includes(`APP_HOST: ${String(Reflect.get(Object(umbrel), "id"))}_web_1`));
    assert.ok(compose.includes(`:${String(Reflect.get(Object(umbrel), "port"))}\n`));
  });

  it("Unraid: the program's ports, variables, folders, and image", async () => {
    const text = await read("unraid/trivet.xml");
    assert.ok(text.includes(`<Repository>${image}</Repository>`));
    const targets = (type: string): string[] =>
      [...text.matchAll(/<Config [^>]*Target="([^"]+)"[^>]*Type="(\w+)"/gu)]
        .filter((found) => found[2] === type)
        .map((found) => found[1] ?? "");
    assert.deepEqual(targets("Port").map(Number), own);
    assert.deepEqual(targets("Path"), ["/data", "/backups"]);
    for (const name of targets("Variable")) assert.ok(configVariables.includes(name), name);
    assert.equal(text.match(/<Config /gu)?.length, text.match(/<\/Config>|Mask="false"\/>/gu)?.length);
  });

  it("Ansible and Proxmox: the release's archive, and settings that the program takes", async () => {
    const defaults: unknown = parse(await read("ansible/roles/trivet/defaults/main.yml"));
    assert.equal(Reflect.get(Object(defaults), "trivet_archive"), `trivet-${version}-linux-x64.tar.gz`);
    const settings = Object.entries(Object(Reflect.get(Object(defaults), "trivet_settings")));
    loadConfig(Object.fromEntries(settings.map(([name, value]) => [name, String(value)])));
    for (const [name] of settings) assert.ok(configVariables.includes(name), name);
    const script = await read("proxmox/trivet.sh");
    const numbers = /Monitor: port (\d+), shop: (\d+), accounts: (\d+), agents: (\d+)/u
      .exec(script)
      ?.slice(1);
    assert.deepEqual(numbers?.map(Number), own);
    execFileSync("sh", ["-n", join(root, "proxmox/trivet.sh")]);
  });

  const ansible =
    findProgram("ansible-playbook") === undefined &&
    tellSkipped("ansible-playbook is not in PATH (apt install ansible-core)");
  it("Ansible: the syntax check passes", { skip: ansible }, () => {
    execFileSync("ansible-playbook", ["--syntax-check", "-i", "trivet,", "site.yml"], {
      cwd: join(root, "ansible"),
      stdio: "pipe",
    });
  });
});
