# syntax=docker/dockerfile:1

# Dependencies alone, so that a change of the source does not install them again.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No package that runs in production needs an install script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The console and the service, built as the package is; what builds them stays behind.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY sdk/src ./sdk/src
COPY snippets ./snippets
COPY csv ./csv
COPY console ./console
COPY docs ./docs
COPY src ./src
RUN node scripts/build-console.ts
COPY data ./data
RUN node scripts/build.ts

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    FIRST_KEYS_FILE=/data/first-keys
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE README.md ./
COPY bin ./bin
COPY data ./data
COPY --from=build /app/console/dist ./console/dist
COPY --from=build /app/dist ./dist
# The command by its name, and a data directory that the unprivileged user may write to.
RUN ln -s /app/bin/signalpost.js /usr/local/bin/signalpost \
  && install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
EXPOSE 8080
# The first start compiles the lists, which takes some seconds.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/signalpost.js"]
CMD ["serve"]
