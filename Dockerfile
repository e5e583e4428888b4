# The program as one image: built from this folder, run as a user without rights, data in /data, a
# backup a day in /backups.
#   docker build -t trivet . && docker run -d --name trivet -p 8080:8080 -v trivet:/data -v backups:/backups trivet
# Arguments name services: "docker run … trivet monitor" starts that one alone. More: docs/containers.md

# For several processors at once: docker buildx build --platform linux/amd64,linux/arm64 … The first stage runs on the
# building machine's own; nothing runs in the others, so that no emulation is needed.

FROM node:24-slim AS node

FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Packages with binaries come from npm for the target. The image does without the agent for Node and without source maps.
ARG TARGETARCH
RUN npm run build -- --to /image/opt/trivet ${TARGETARCH:+--cpu "$TARGETARCH"} \
  && rm /image/opt/trivet/agent.js* && find /image/opt/trivet -name '*.map' -delete
# Node's table of symbols, which only debuggers read, is 18 MB.
COPY --from=node /usr/local/bin/node /target/node
RUN mkdir -p /image/usr/local/bin && node --import tsx scripts/strip-node.ts /target/node /image/usr/local/bin/node
# "docker exec trivet trivet backup"; its commands: trivet --help
RUN printf '#!/bin/sh\nexec node --max-semi-space-size=32 --v8-pool-size=0 --no-allocation-site-pretenuring --no-incremental-marking-task --incremental-marking-hard-trigger=60 /opt/trivet/trivet.js "$@"\n' >/image/usr/local/bin/trivet \
  && chmod 0755 /image/usr/local/bin/trivet
RUN mkdir -p -m 0700 /volumes/data /volumes/backups

FROM debian:12-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data BACKUP_DIR=/backups
COPY --from=build /image/usr/local/bin/ /usr/local/bin/
COPY --from=build /image/opt/trivet /opt/trivet
# A volume takes owner and mode from here when it is made. The folders are copied as entries of another, which keeps
# their mode: Podman 4 ignores --chmod for a folder that is the target itself.
COPY --from=build --chown=1000:1000 /volumes/ /
USER 1000:1000
WORKDIR /data
VOLUME /data /backups
EXPOSE 8080 8081 8082 50051
# Healthy when each service that runs here answers well; one that was not started refuses the connection.
HEALTHCHECK --interval=15s --timeout=5s --start-period=40s \
  CMD ["node", "-e", "const { env } = process; const { get } = require('node:http'); const ask = (port) => new Promise((done) => { const place = port.startsWith?.('unix:') ? { socketPath: port.slice(5), headers: { host: 'localhost' } } : { host: '127.0.0.1', port }; get({ ...place, path: '/api/health', timeout: 4000 }, (answer) => done(answer.statusCode === 200)).on('timeout', () => done(false)).on('error', (error) => done(['ECONNREFUSED', 'ENOENT'].includes(error.code) ? undefined : false)); }); Promise.all([env.GATEWAY_PORT || 'off', env.MONITOR_PORT || 8080, env.SHOP_PORT || 8081, env.AUTH_PORT || 8082].filter((port) => port !== 'off').map(ask)).then((all) => process.exit(all.includes(true) && !all.includes(false) ? 0 : 1));"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--v8-pool-size=0", "--no-allocation-site-pretenuring", "--no-incremental-marking-task", "--incremental-marking-hard-trigger=60", "/opt/trivet/trivet.js"]
