/** Dockerfile and compose.yaml as texts: what they name must be there, and what they set must be what the program takes. */
import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { before, describe, it } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";
import { helpText, parseAgentSettings } from "../../src/agent/options.ts";
import { configVariables, loadConfig } from "../../src/config.ts";
import { secretFileVariables } from "../../src/kit/secrets/secrets-from-files.ts";

const composed = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      profiles: z.array(z.string()).optional(),
      image: z.string(),
      build: z.string().optional(),
      environment: z.record(z.string(), z.string().nullable()).optional(),
      ports: z.array(z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      networks: z
        .union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string() }))])
        .optional(),
      command: z.array(z.string()).optional(),
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
      depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
    }),
  ),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.null()),
});
type Composed = z.infer<typeof composed>;
type Service = Composed["services"][string];

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), "utf8");
const defaults = loadConfig({});
const defaultPorts = [...Object.values(defaults.ports), defaults.grpc.port].map(String).sort();

/** Instructions with their continuation lines joined, as [word, rest]. */
function readDockerfile(text: string): [string, string][] {
  return text
    .replaceAll(/\\\n/gu, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1).trim()]);
}

describe("Dockerfile", () => {
  const stages: [string, string][][] = [];
  before(async () => {
    for (const instruction of readDockerfile(await read("Dockerfile"))) {
      if (instruction[0] === "FROM") stages.push([]);
      stages.at(-1)?.push(instruction);
    }
  });
  const last = (word: string): string[] =>
    (stages.at(-1) ?? []).filter(([name]) => name === word).map(([, rest]) => rest);

  it("builds with the scripts that package.json has, from files that are not kept out", async () => {
    const scripts = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await read("package.json")));
    const ignored = (await read(".dockerignore")).split("\n");
    const [, build = []] = stages;
    for (const [word, rest] of build) {
      const [, script] = /^npm run (\S+)/u.exec(word === "RUN" ? rest : "") ?? [];
      if (script !== undefined) assert.ok(script in scripts.scripts, rest);
      if (word !== "COPY" || rest === ". ." || rest.startsWith("--from=")) continue;
      for (const path of rest.split(" ").slice(0, -1)) {
        await access(join(projectFolder, path));
        assert.ok(!ignored.includes(path), `${path} is kept out by .dockerignore`);
      }
    }
    // What the build reads beside them.
    for (const path of ["src", "scripts", "tsconfig.json", "LICENSE"])
      assert.ok(!ignored.includes(path), path);
  });

  it("has every file that a page of the documentation links to, of which the build makes a site", async () => {
    const rules = (await read(".dockerignore")).split("\n").filter((line) => /^!?[\w./-]+$/u.test(line));
    const isKept = (path: string): boolean =>
      rules
        .findLast((rule) => `${path}/`.startsWith(`${rule.replace("!", "").replace(/\/$/u, "")}/`))
        ?.startsWith("!") ?? true;
    assert.ok(!isKept("test/main.test.ts") && isKept("docs/README.md"));
    // A set hands out what is added while one walks over it.
    const linked = new Set(["docs/README.md"]);
    for (const path of linked) {
      if (!path.endsWith(".md")) continue;
      for (const [, href = ""] of (await read(path)).matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/gu))
        linked.add(posix.join(posix.dirname(path), href));
    }
    assert.ok(linked.size > 100);
    assert.deepEqual(
      [...linked].filter((path) => !isKept(path)),
      [],
    );
  });

  it("keeps secrets, data and other people's packages out of the build", async () => {
    const ignored = (await read(".dockerignore")).split("\n");
    for (const path of ["data", "backups", "node_modules", ".env", ".git"])
      assert.ok(ignored.includes(path), path);
  });

  it("carries the bundle and Node alone, and runs as a user without rights, to whom the volumes belong", () => {
    assert.deepEqual(
      last("COPY").map((rest) => rest.split(" ").slice(0, -1).join(" ")),
      [
        "--from=build /image/usr/local/bin/",
        "--from=build /image/opt/trivet",
        "--from=build --chown=1000:1000 /volumes/",
      ],
    );
    const [, build = []] = stages;
    const folders = build.find(([, rest]) => rest.includes("/volumes/data"))?.[1];
    assert.equal(folders, "mkdir -p -m 0700 /volumes/data /volumes/backups");
    assert.deepEqual(last("USER"), ["1000:1000"]);
  });

  it("runs nothing on the target's processor, so that building for another needs no emulation", () => {
    const [node = [], build = [], ...others] = stages;
    assert.match(build[0]?.[1] ?? "", /^--platform=\$BUILDPLATFORM /u);
    for (const stage of [node, ...others]) assert.ok(!stage.some(([word]) => word === "RUN"));
    const packages = build.findIndex(([, rest]) => rest === "npm ci");
    assert.ok(
      build.findIndex(([word]) => word === "ARG") > packages,
      "what npm installed serves for all processors",
    );
  });

  it("exposes the default ports, and sets variables that the program knows", () => {
    assert.deepEqual(last("EXPOSE")[0]?.split(" ").sort(), defaultPorts);
    const pairs = (last("ENV")[0] ?? "").split(" ").map((pair) => pair.split("=", 2));
    const env = Object.fromEntries(pairs.map(([name, value]) => [name ?? "", value ?? ""]));
    assert.deepEqual(
      Object.keys(env).filter((name) => name !== "NODE_ENV" && !configVariables.includes(name)),
      [],
    );
    const { dataDir, backups } = loadConfig(env);
    assert.equal(`${dataDir} ${backups?.folder}`, last("VOLUME")[0]);
  });

  it("has its commands as JSON, so that no shell is between the runtime and the program", () => {
    const health = last("HEALTHCHECK")[0] ?? "";
    for (const text of [last("ENTRYPOINT")[0] ?? "", health.slice(health.indexOf("["))])
      assert.equal(z.array(z.string()).parse(JSON.parse(text))[0], "node");
  });
});

describe("Dockerfile.agent", () => {
  const stages: [string, string][][] = [];
  before(async () => {
    for (const instruction of readDockerfile(await read("Dockerfile.agent"))) {
      if (instruction[0] === "FROM") stages.push([]);
      stages.at(-1)?.push(instruction);
    }
  });
  const last = (word: string): string[] =>
    (stages.at(-1) ?? []).filter(([name]) => name === word).map(([, rest]) => rest);

  it("has the program and its libraries alone, and runs as a user without rights", () => {
    assert.deepEqual(last("FROM"), ["scratch"]);
    assert.deepEqual(last("USER"), ["1000:1000"]);
    assert.deepEqual(last("ENTRYPOINT"), ['["/trivet-agent"]']);
    assert.deepEqual(last("COPY"), ["--from=build /image/ /", "--from=build --chown=1000:1000 /volumes/ /"]);
  });

  it("sets variables that the agent knows, and keeps its data in the volume", () => {
    const pairs = (last("ENV")[0] ?? "").split(" ").map((pair) => pair.split("=", 2));
    const env = Object.fromEntries(pairs.map(([name, value]) => [name ?? "", value ?? ""]));
    const parsed = parseAgentSettings(["--once"], env);
    assert.ok(parsed.ok);
    assert.deepEqual([parsed.settings.folder, parsed.settings.root], [last("VOLUME")[0], "/host"]);
  });

  it("runs nothing on the target's processor", () => {
    for (const stage of stages)
      if (stage.some(([word]) => word === "RUN"))
        assert.match(stage[0]?.[1] ?? "", /^--platform=\$BUILDPLATFORM /u);
  });
});

describe("compose.agent.yaml", () => {
  it("reads the machine through files that cannot be written, with no right, and hands on what the agent knows", async () => {
    const text = await read("compose.agent.yaml");
    const { services } = z
      .object({
        services: z.object({
          agent: z.looseObject({
            read_only: z.literal(true),
            cap_drop: z.tuple([z.literal("ALL")]),
            security_opt: z.tuple([z.literal("no-new-privileges:true")]),
            environment: z.record(z.string(), z.null()),
            volumes: z.array(z.string()),
          }),
        }),
      })
      .parse(parse(text));
    const { environment, volumes } = services.agent;
    for (const name of Object.keys(environment)) assert.ok(helpText.includes(name), name);
    assert.deepEqual(
      volumes.filter((volume) => !/^\/[^:]+:\/host\/[^:]+:ro$/u.test(volume)),
      ["agent:/data"],
    );
    // What is only a comment is mounted the same way.
    for (const [, volume = ""] of text.matchAll(/^ *# - (\/\S+:\/host\S*)$/gmu))
      assert.match(volume, /:ro$/u);
    assert.ok(!("network_mode" in services.agent) && !("pid" in services.agent));
  });
});

describe("compose.yaml", () => {
  let compose: Composed = { services: {}, networks: {}, volumes: {} };
  let own: [string, Service][] = [];
  before(async () => {
    compose = composed.parse(parse(await read("compose.yaml"), { merge: true }));
    own = Object.entries(compose.services).filter(([, { build }]) => build === ".");
  });

  it("sets only variables that the program knows, with values that it takes", () => {
    assert.equal(own.length, 3);
    for (const [name, { environment = {} }] of own) {
      assert.deepEqual(
        Object.keys(environment).filter(
          (variable) => !configVariables.includes(variable) && !secretFileVariables.includes(variable),
        ),
        [],
        name,
      );
      const given = Object.entries(environment).map(([variable, value]): [string, string] => [
        variable,
        (value ?? "").replaceAll(
          /\$\{(?:NATS_PASSWORD:-\$\{POSTGRES_PASSWORD:-\}|POSTGRES_PASSWORD:-)\}/gu,
          "secret",
        ),
      ]);
      loadConfig(Object.fromEntries(given));
    }
  });

  it("hands every variable on that the image does not fix", () => {
    const isFixed = (name: string): boolean =>
      /^(?:HOST|DATA_DIR|BACKUP_DIR|\w+_PORT|SOCKET_MODE|GRPC_TLS_\w+)$/u.test(name);
    const handed = compose.services["trivet"]?.environment ?? {};
    assert.deepEqual(
      configVariables.filter((name) => !isFixed(name) && !(name in handed)),
      [],
    );
    assert.deepEqual(
      secretFileVariables.filter((name) => name.endsWith("_FILE") && !(name in handed)),
      [],
    );
    // The file sets what the nodes share, NATS is their own, and a proxy is in front of their ports.
    for (const name of ["node-1", "node-2"]) {
      const node = compose.services[name]?.environment ?? {};
      const missing = Object.keys(handed).filter((each) => !(each in node));
      assert.deepEqual(missing, ["GATEWAY_PORT", "NATS_PREFIX", "NATS_CA"], name);
    }
  });

  it("names images of others with their registry: Podman knows no other without a list of registries", () => {
    const images = Object.values(compose.services).filter(({ build }) => build === undefined);
    assert.equal(images.length, 3);
    for (const { image } of images) assert.match(image, /^docker\.io\/library\//u);
  });

  it("gives the nodes what lets several processes be one install", () => {
    for (const name of ["node-1", "node-2"]) {
      const environment = compose.services[name]?.environment ?? {};
      for (const variable of ["DATABASE_URL", "NATS_URL", "TRUSTED_PROXIES"])
        assert.ok(environment[variable]);
      for (const variable of ["ADMIN_TOKEN", "MONITOR_SECRET", "AUTH_SECRET", "SHOP_SECRET"])
        assert.ok(variable in environment, `${name} is not handed ${variable}`);
    }
  });

  it("lets NATS in by a password, and believes the proxy's address alone", () => {
    const { nats, proxy } = compose.services;
    assert.ok(nats?.command && proxy?.networks && !Array.isArray(proxy.networks));
    const address = proxy.networks["nodes"]?.ipv4_address;
    assert.match(address ?? "", /^10\.213\.77\.\d+$/u);
    const [, password = ""] = /--pass,(.+)$/u.exec(nats.command.join()) ?? [];
    assert.match(password, /^\$\{NATS_PASSWORD:-/u);
    for (const name of ["node-1", "node-2"]) {
      const { environment = {} } = compose.services[name] ?? {};
      assert.equal(environment["TRUSTED_PROXIES"], address);
      assert.equal(environment["NATS_URL"], `nats://trivet:${password}@nats:4222`);
    }
  });

  it("runs everything with a root that cannot be written, and no right that is not named", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ["ALL"], name);
      assert.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
    }
  });

  it("starts one container unless the profile is set", () => {
    const plain = Object.entries(compose.services).filter(([, { profiles }]) => profiles === undefined);
    assert.deepEqual(
      plain.map(([name]) => name),
      ["trivet"],
    );
  });

  it("publishes the default ports, on this machine alone", () => {
    for (const name of ["trivet", "proxy"]) {
      const ports = (compose.services[name]?.ports ?? []).map((port) => port.split(":"));
      const published = ports.map(([, outside = ""]) => outside).sort();
      assert.deepEqual(published, defaultPorts);
      for (const [address, outside, inside] of ports)
        assert.deepEqual([address, outside], ["127.0.0.1", inside]);
    }
  });

  it("declares each volume and network, waits for services that exist, and mounts files that exist", async () => {
    for (const [name, service] of Object.entries(compose.services)) {
      const { networks = [] } = service;
      for (const network of Array.isArray(networks) ? networks : Object.keys(networks))
        assert.ok(network in compose.networks, `${name}: ${network}`);
      const waited = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {});
      for (const other of waited) assert.ok(other in compose.services, `${name}: ${other}`);
      for (const volume of service.volumes ?? []) {
        const [from = ""] = volume.split(":");
        if (from.startsWith("./")) await access(join(projectFolder, from));
        else assert.ok(from in compose.volumes, `${name}: ${from}`);
      }
    }
  });

  it("has volumes of its own for data and backups of each container of the program", () => {
    const volumes = own.flatMap(([, service]) => service.volumes ?? []);
    assert.equal(new Set(volumes).size, 2 * own.length);
    for (const path of ["/data", "/backups"])
      assert.equal(volumes.filter((volume) => volume.endsWith(`:${path}`)).length, own.length);
  });

  it("names services of the nodes in the load balancer, each by its port", async () => {
    const nginx = await read("scripts/install.d/nodes.nginx.conf");
    for (const port of defaultPorts) {
      assert.match(nginx, new RegExp(`server node-1:${port}\\b[^;]*; server node-2:${port}\\b[^;]*;`, "u"));
      assert.match(nginx, new RegExp(`listen ${port}\\b`, "u"));
    }
    // Its own address is that of visitors under Podman without root.
    const address = compose.services["node-1"]?.environment?.["TRUSTED_PROXIES"] ?? "";
    assert.ok(nginx.includes(`map $remote_addr $visitor { ${address} $remote_addr; default`));
    assert.match(nginx, /proxy_set_header X-Forwarded-For \$visitor;/u);
    // An agent waits for a node that is away no longer than this.
    for (const kind of ["proxy", "grpc"]) assert.match(nginx, new RegExp(`${kind}_connect_timeout 2s;`, "u"));
  });

  it("gives each node an address that stays, since nginx looks its name up once", () => {
    const addresses = ["node-1", "node-2", "proxy"].map((name) => {
      const networks = compose.services[name]?.networks ?? [];
      return Array.isArray(networks) ? "" : networks["nodes"]?.ipv4_address;
    });
    assert.equal(new Set(addresses).size, 3);
    // 10.213.77.0/25 is given out.
    for (const address of addresses)
      assert.ok(Number(/^10\.213\.77\.(\d+)$/u.exec(address ?? "")?.[1]) > 127);
  });
});

describe(".env.example", () => {
  it("names only what the program or the compose files know, with values that the program takes", async () => {
    const files = (await Promise.all(["compose.yaml", "compose.tls.yaml"].map(read))).join("\n");
    const lines = [...(await read(".env.example")).matchAll(/^#([A-Z_]+)=(.*)$/gmu)];
    assert.ok(lines.length > 8);
    const env: Record<string, string> = {};
    for (const [, name = "", value = ""] of lines) {
      if (configVariables.includes(name)) env[name] = value;
      else assert.ok(files.includes(`\${${name}`), name);
    }
    loadConfig(env);
  });
});

describe("compose.tls.yaml", () => {
  it("runs all services on one port behind Caddy, whose address alone is trusted", async () => {
    const { services } = composed.parse(parse(await read("compose.tls.yaml"), { merge: true }));
    const { trivet, caddy } = services;
    const fill = (text: string | null): string => (text ?? "").replaceAll("${TRIVET_DOMAIN}", "example.org");
    const env = Object.entries(trivet?.environment ?? {}).map(([name, value]) => [name, fill(value)]);
    const config = loadConfig(Object.fromEntries(env));
    for (const [name] of env) assert.ok(configVariables.includes(name ?? ""), name);
    assert.equal(config.places.auth.url, "https://example.org/auth");
    assert.equal(trivet?.ports, undefined);
    assert.ok(!Array.isArray(caddy?.networks));
    const address = caddy?.networks?.["front"]?.ipv4_address;
    assert.deepEqual(config.trustedProxies, [address]);
    const caddyfile = await read("scripts/install.d/Caddyfile");
    assert.match(caddyfile, new RegExp(`reverse_proxy trivet:${config.gatewayPort}$`, "mu"));
    assert.match(caddyfile, new RegExp(`h2c://trivet:${config.grpc.port}$`, "mu"));
    for (const service of [trivet, caddy]) {
      assert.equal(service?.read_only, true);
      assert.deepEqual(service?.cap_drop, ["ALL"]);
    }
  });
});
