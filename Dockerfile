FROM node:24-slim AS build
WORKDIR /opt/offerbook
COPY package.json package-lock.json ./
COPY scripts/node scripts/node
RUN npm ci --ignore-scripts
COPY . .
RUN npx vite build web --logLevel warn && npm prune --omit=dev --ignore-scripts \
    && node bin/offerbook.mjs --version

FROM node:24-slim
ENV NODE_ENV=production \
    DATA_DIR=/data \
    HEALTH_PORT=8081
WORKDIR /opt/offerbook
COPY --from=build /opt/offerbook ./
# Node strips types only outside node_modules, so the command is linked, not installed.
RUN chmod +x bin/offerbook.mjs \
    && ln -s /opt/offerbook/bin/offerbook.mjs /usr/local/bin/offerbook \
    && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["offerbook", "start"]
