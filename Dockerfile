# Gavel in a container. Everything it needs to know comes from the environment: .env.example lists it.
#
#   docker build -t gavel .
#   docker run --env-file .env --stop-timeout 15 -v gavel:/app/data -p 127.0.0.1:8080:8080 gavel
#
# Debian's C library, not Alpine's: SQLite and the pictures come as ready-made binaries.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Without what only development needs though it is not listed as that, and what Node never reads in packages.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@foundry-rs node_modules/@prebuilt-tdlib node_modules/typescript node_modules/@typescript node_modules/better-sqlite3/deps \
  && find node_modules -type f -regex '.*\.\(map\|[cm]?ts\)' -delete
# Bot and packages in a few files, and what Node.js compiles of them, which it finds again by the user: a start takes half
# the time.
COPY bundle.ts bundle.ts
COPY commands commands
COPY src src
RUN chown node:node . && mkdir -m 777 node_modules/.cache
USER node
RUN node bundle.ts
# The bot only reads them: who can write to what Node.js compiled can change what it runs.
USER root
RUN chown -R root:root dist node_modules/.cache && chmod -R u=rwX,go=rX dist node_modules/.cache

FROM node:24-slim
WORKDIR /app
# The only folder that the bot writes to: SQLite's database, unless DATABASE_URL says otherwise.
RUN mkdir data && chown node:node data
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/dist dist
COPY package.json package.json
COPY assets assets
COPY commands commands
COPY locales locales
COPY src src
# All addresses of the container: which of them the world reaches is said when it is run.
ENV HOST=0.0.0.0
# Half of the space that V8 would take for young objects under load: 60 MB less (docs/performance.md).
ENV NODE_OPTIONS=--max-semi-space-size=32
USER node
VOLUME /app/data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself and not npm, which does not always pass the signal on. What is under way is finished within ten seconds.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
