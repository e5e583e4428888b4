/** The images that compose.yaml and compose.tls.yaml name, made of Debian's packages, because no registry can be reached. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEBIAN, buildImage, makeImages, podman } from "./podman.ts";

const SERVERS = "localhost/trivet-world-servers";
export const IMAGE = "localhost/trivet-world";

/** As the official image: as root it takes the folder, then goes on as a user of its own. */
const POSTGRES = `#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" && chmod 700 "$PGDATA" && chown -R postgres "$PGDATA" /run/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\\n' "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username "$POSTGRES_USER" --pwfile /tmp/password >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -w start -o '-c listen_addresses= ' >/dev/null
  createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -w stop -m fast >/dev/null
fi
exec postgres -c listen_addresses='*'
`;

const images: Readonly<Record<string, readonly string[]>> = {
  "docker.io/library/nginx:1.28-alpine": [
    "RUN rm -rf /var/lib/nginx && ln -s /var/cache/nginx /var/lib/nginx",
    "RUN ln -sf /dev/stdout /var/log/nginx/access.log && ln -sf /dev/stderr /var/log/nginx/error.log",
    'CMD ["nginx", "-g", "daemon off;"]',
  ],
  "docker.io/library/postgres:17-alpine": [
    "ENV PGDATA=/var/lib/postgresql/data",
    "ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "COPY postgres-entry /usr/local/bin/",
    "RUN chmod 755 /usr/local/bin/postgres-entry && rm -rf /var/lib/postgresql/* && mkdir $PGDATA",
    "RUN chown postgres $PGDATA",
    "VOLUME /var/lib/postgresql/data",
    "STOPSIGNAL SIGINT",
    'ENTRYPOINT ["postgres-entry"]',
  ],
  "docker.io/library/nats:2.11-alpine": ['CMD ["nats-server"]'],
  "docker.io/library/caddy:2-alpine": [
    "ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data",
    "RUN mkdir /config /data",
    'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
  ],
};

/** Builds ours and the others, and saves all of them in one archive. */
export async function saveImages(work: string, { cache, to }: { cache: string; to: string }): Promise<void> {
  await makeImages(work, cache);
  await buildImage(work, "Dockerfile", IMAGE);
  const folder = join(work, "servers");
  await mkdir(folder);
  await writeFile(join(folder, "postgres-entry"), POSTGRES);
  const build = async (name: string, lines: readonly string[]): Promise<void> => {
    await writeFile(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
    await podman("build", "-q", "--network", "host", "-t", name, folder);
  };
  const packages = "nginx-light postgresql nats-server caddy";
  await build(SERVERS, [
    `FROM ${DEBIAN}`,
    `RUN apt-get update -q && apt-get install -qy --no-install-recommends ${packages} && apt-get clean`,
  ]);
  for (const [name, lines] of Object.entries(images)) await build(name, [`FROM ${SERVERS}`, ...lines]);
  await podman("save", "-q", "-m", "--format", "docker-archive", "-o", to, IMAGE, ...Object.keys(images));
  if ((await stat(to)).size === 0) throw new Error("The images were not saved");
}
