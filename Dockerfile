# Gavel in a container. Everything it needs to know comes from the environment: .env.example lists it.
#
#   docker build -t gavel .
#   docker run --env-file .env --stop-timeout 15 -v gavel:/app/data -p 127.0.0.1:8080:8080 gavel
#
# Debian's C library, not Alpine's: SQLite and the pictures come as ready-made binaries. The digest is that of the image for
# all systems, as `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints it. A newer one for one build:
#
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim -t gavel .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
# Removes files that nobody reads there: types, maps and tests, files for other systems or browsers, and duplicates.
RUN find node_modules -type f -regex '.*\.\(map\|[cm]?ts\)' -delete \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "$(node -p 'process.platform + "-" + process.arch').node" -delete \
  && cd node_modules && rm -rf better-sqlite3/deps better-sqlite3/src esbuild/bin bintrees/test harfbuzzjs/test harfbuzzjs/logo.png \
    viem/_cjs viem/trusted-setups ox/_cjs ox/trusted-setups satori/dist/*.cjs satori/dist/experimental* satori/dist/standalone*
# The bot and its packages in a few files, with Node.js's compiled code of them, which it finds by the user: a start takes half
# the time.
COPY bundle.ts bundle.ts
COPY commands commands
COPY src src
RUN chown 1000:1000 . && mkdir -m 777 node_modules/.cache
USER 1000:1000
RUN node bundle.ts
# The bot only reads them: anybody who can write to compiled code can change what Node.js runs.
USER root
RUN chown -R root:root dist node_modules/.cache && chmod -R u=rwX,go=rX dist node_modules/.cache

FROM ${NODE_IMAGE}
WORKDIR /app
# Nothing is installed here. The bot only writes to the folder of SQLite's database, unless DATABASE_URL says otherwise.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && mkdir -m 700 data && chown 1000:1000 data
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/dist dist
COPY package.json package.json
COPY assets assets
COPY commands commands
COPY locales locales
COPY src src
# All addresses of the container: the command that runs it decides which of them the world reaches.
ENV HOST=0.0.0.0
# Half of the space that V8 would take for young objects under load: 60 MB less (docs/performance.md).
ENV NODE_OPTIONS=--max-semi-space-size=32
# A number, so that a container runtime can see that it is not root.
USER 1000:1000
VOLUME /app/data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node.js itself and not npm, which does not always pass the signal on. The bot finishes work in progress within ten seconds.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
