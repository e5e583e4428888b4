/**
 * The configuration of a reverse proxy that protects an application's sites: those of docs/forward-auth-proxies.md,
 * filled in.
 */

/** The application and URLs of a configuration. */
export interface ProxiedApplication {
  readonly id: string;
  readonly protectedOrigins: readonly string[];
}

/** Headers about a user, after "X-Auth-". */
const facts = [
  "User-Id",
  "Username",
  "Display-Name",
  "Email",
  "Email-Verified",
  "Role",
  "Groups",
  "Session-Id",
  "Impersonated-By",
  "Assertion",
];
/** Characters of names that an application may read as "X-Auth-…". */
const oddCharacters = ["_", ".", "!", "#", "$", "%", "&", "'", "*", "+", "^", "`", "|", "~"];

function toVariable(fact: string): string {
  return `auth_${fact.toLowerCase().replaceAll("-", "_")}`;
}

function lines(items: readonly string[], indent: string): string {
  return items.map((item) => indent + item).join("\n");
}

function toListen(origin: string): string {
  const { protocol, port } = new URL(origin);
  return protocol === "https:" ? `listen ${port || "443"} ssl;` : `listen ${port || "80"};`;
}

/** A server block of nginx. Application and hosts are literal: the client chooses what $host and $http_host say. */
function toServer(id: string, origin: string): string {
  const { host, hostname } = new URL(origin);
  const forwarded = lines(
    [
      "proxy_set_header X-Forwarded-For $remote_addr;",
      "proxy_set_header X-Forwarded-Proto $scheme;",
      `proxy_set_header X-Forwarded-Host ${host};`,
      "proxy_set_header X-Forwarded-Uri $request_uri;",
    ],
    "        ",
  );
  return `server {
    ${toListen(origin)}
    server_name ${hostname};
    # ssl_certificate, ssl_certificate_key …

    auth_request /_auth;
${lines(
  facts.map((fact) => `auth_request_set $${toVariable(fact)} $upstream_http_x_${toVariable(fact)};`),
  "    ",
)}
    error_page 401 403 = /.trivet/enter;
    error_page 500 = @auth_down;

    location / {
        proxy_pass http://127.0.0.1:4901;
        proxy_set_header Host ${host};
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host ${host};
${lines(
  facts.map((fact) => `proxy_set_header X-Auth-${fact} $${toVariable(fact)};`),
  "        ",
)}
        proxy_set_header X-Auth-Client "";
        proxy_set_header Authorization "";
    }

    location /.trivet/ {
        auth_request off;
        proxy_pass http://127.0.0.1:8082;
${forwarded}
    }

    location = /_auth {
        internal;
        auth_request off;
        proxy_pass http://127.0.0.1:8082/api/auth/forward/${id};
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
${forwarded}
        proxy_set_header Accept application/json;
        proxy_set_header Sec-Fetch-Mode cors;
        proxy_buffer_size 12k;
        proxy_connect_timeout 2s;
        proxy_read_timeout 2s;
    }

    location @auth_down {
        auth_request off;
        add_header Retry-After 5 always;
        return 503;
    }
}`;
}

/** Server blocks of nginx, one for each origin. */
export function toNginx({ id, protectedOrigins }: ProxiedApplication): string {
  return protectedOrigins.map((origin) => toServer(id, origin)).join("\n\n");
}

/** Caddy serves https by itself where the address is a host alone. */
function toSite(origin: string): string {
  const { protocol, host, port } = new URL(origin);
  return protocol === "https:" && port === "" ? host : origin;
}

/** A site block of a Caddyfile, with a literal application and host. */
function toSiteBlock(id: string, origin: string): string {
  const { host } = new URL(origin);
  const drops = ["-X-Auth-*", ...oddCharacters.map((odd) => (odd === "`" ? '"-*`*"' : `-*${odd}*`))];
  return `${toSite(origin)} {
	handle /.trivet/* {
		reverse_proxy 127.0.0.1:8082 {
			header_up X-Forwarded-Host ${host}
		}
	}

	handle {
		route {
${lines(
  drops.map((drop) => `request_header ${drop}`),
  "\t\t\t",
)}

			forward_auth 127.0.0.1:8082 {
				uri /api/auth/forward/${id}?
				header_up X-Forwarded-Host ${host}
				copy_headers ${facts.map((fact) => `X-Auth-${fact}`).join(" ")}
				transport http {
					dial_timeout 2s
					response_header_timeout 2s
				}
			}

			reverse_proxy 127.0.0.1:4901 {
				header_up Host ${host}
				header_up X-Forwarded-Host ${host}
				header_up -Authorization
${lines(
  facts.map((fact) => `header_up X-Auth-${fact} {http.request.header.X-Auth-${fact}}`),
  "\t\t\t\t",
)}
			}
		}
	}
}`;
}

/** Site blocks of a Caddyfile, one for each origin. */
export function toCaddy({ id, protectedOrigins }: ProxiedApplication): string {
  return protectedOrigins.map((origin) => toSiteBlock(id, origin)).join("\n\n");
}

/** A site's part of Traefik's dynamic configuration; several sites of an application are counted. */
function toTraefikSite(id: string, origin: string, index: number) {
  const { protocol, host, hostname } = new URL(origin);
  const name = index === 0 ? id : `${id}-${index + 1}`;
  const rule = `Host(\`${hostname}\`)`;
  const entry = protocol === "https:" ? ["entryPoints: [websecure]", "tls: {}"] : ["entryPoints: [web]"];
  return {
    middlewares: [
      `${name}-host:`,
      "  headers:",
      "    customRequestHeaders:",
      `      Host: ${host}`,
      `      X-Forwarded-Host: ${host}`,
    ],
    routers: [
      `${name}-site:`,
      `  rule: ${rule}`,
      ...entry.map((line) => `  ${line}`),
      `  middlewares: [${name}-host, ${id}-auth, ${id}-drop-token]`,
      `  service: ${id}-app`,
      `${name}-sign-in:`,
      `  rule: ${rule} && PathPrefix(\`/.trivet/\`)`,
      ...entry.map((line) => `  ${line}`),
      `  middlewares: [${name}-host]`,
      "  service: auth-center",
    ],
  };
}

/** Dynamic configuration of Traefik (file provider). */
export function toTraefik({ id, protectedOrigins }: ProxiedApplication): string {
  const sites = protectedOrigins.map((origin, index) => toTraefikSite(id, origin, index));
  return `http:
  middlewares:
${lines(
  sites.flatMap(({ middlewares }) => middlewares),
  "    ",
)}
    ${id}-auth:
      forwardAuth:
        address: http://127.0.0.1:8082/api/auth/forward/${id}
        trustForwardHeader: false
        authResponseHeadersRegex: "(?i)^x[^a-z0-9]auth[^a-z0-9]"
    ${id}-drop-token:
      headers:
        customRequestHeaders:
          Authorization: ""
  routers:
${lines(
  sites.flatMap(({ routers }) => routers),
  "    ",
)}
  services:
    ${id}-app:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:4901
    auth-center:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:8082`;
}
