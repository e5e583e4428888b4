# The program as one image: built from this folder, run as a user without rights, data in /data, a
# backup a day in /backups.
#   docker build -t trivet . && docker run -d --name trivet -p 8080:8080 -v trivet:/data -v backups:/backups trivet
# Arguments name services: "docker run … trivet monitor" starts that one alone. More: docs/deploy.md

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data BACKUP_DIR=/backups
COPY --from=build /src/dist /opt/trivet
# "docker exec trivet trivet backup"; its commands: trivet --help
RUN printf '#!/bin/sh\nexec node --max-semi-space-size=32 /opt/trivet/trivet.js "$@"\n' >/usr/local/bin/trivet && chmod 0755 /usr/local/bin/trivet
# A volume takes owner and mode from here when it is made.
RUN mkdir /data /backups && chown node:node /data /backups && chmod 0700 /data /backups
USER node
WORKDIR /data
VOLUME /data /backups
EXPOSE 8080 8081 8082 50051
# Healthy when each service that runs here answers well; one that was not started refuses the connection.
HEALTHCHECK --interval=15s --timeout=5s --start-period=40s \
  CMD ["node", "-e", "const { env } = process; const ask = (port) => fetch(`http://127.0.0.1:${port}/api/health`).then((answer) => answer.ok, (error) => (error.cause?.code === 'ECONNREFUSED' ? undefined : false)); Promise.all([env.GATEWAY_PORT || 'off', env.MONITOR_PORT || 8080, env.SHOP_PORT || 8081, env.AUTH_PORT || 8082].filter((port) => port !== 'off').map(ask)).then((all) => process.exit(all.includes(true) && !all.includes(false) ? 0 : 1));"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "/opt/trivet/trivet.js"]
