/** The configuration of nginx before several nodes, as docs/nodes.md shows it but for ports and TLS. */

/** A port of the front, and the ports of the nodes behind it. */
export interface FrontPort {
  readonly name: string;
  readonly port: number;
  readonly upstreams: readonly number[];
}

export interface FrontConfig {
  /** Writable by nginx; everything that it writes is below. */
  readonly folder: string;
  readonly http: readonly FrontPort[];
  readonly grpc: FrontPort;
}

/**
 * A node that refuses a request is skipped for two seconds. Not for streams: nginx only counts a node as healthy again
 * when a request to it has ended, so a node that was down once would get a single stream every two seconds, and none
 * at all with the other node down.
 */
function toUpstream({ name, upstreams }: FrontPort, isHttp: boolean): string {
  const health = isHttp ? "max_fails=1 fail_timeout=2s" : "max_fails=0";
  return [
    `  upstream ${name} {`,
    `    zone ${name} 64k;`,
    ...upstreams.map((port) => `    server 127.0.0.1:${port} ${health};`),
    ...(isHttp ? ["    keepalive 32;"] : []),
    "  }",
  ].join("\n");
}

function toHttpServer({ name, port }: FrontPort): string {
  return `  server {
    listen 127.0.0.1:${port};
    # Imports of products and accounts are the largest bodies; each service has its own smaller limits.
    client_max_body_size 64m;
    location / {
      proxy_pass http://${name};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_connect_timeout 2s;
      # Which node answered; with more than one address, the last.
      add_header X-Node $upstream_addr always;
      # A POST that was sent once is never sent again: nginx repeats only what is safe, unless told otherwise.
      proxy_next_upstream error timeout;
      proxy_next_upstream_tries 2;
    }
  }`;
}

function toGrpcServer({ name, port }: FrontPort): string {
  return `  server {
    listen 127.0.0.1:${port} http2;
    # A stream is one request without an end: with the default of 1 MB it is cut again and again.
    client_max_body_size 0;
    location /monitor.v1.AgentIngest/ {
      grpc_pass grpc://${name};
      grpc_connect_timeout 2s;
    }
  }`;
}

/** The text of nginx.conf. */
export function toFrontConfig({ folder, http, grpc }: FrontConfig): string {
  return `worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
# Streams of agents and viewers hold old workers after a reload; they come back to the new ones.
worker_shutdown_timeout 10s;
events { worker_connections 8192; }
http {
  log_format upstreams '$status $request_method $uri $upstream_addr $upstream_status $request_time';
  access_log ${folder}/access.log upstreams;
${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${folder}/${name};`).join("\n")}
  map $http_upgrade $connection_upgrade { default upgrade; "" ""; }
${[...http.map((port) => toUpstream(port, true)), toUpstream(grpc, false)].join("\n")}
${[...http.map(toHttpServer), toGrpcServer(grpc)].join("\n")}
}
`;
}
