FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY ormconfig.ts tsconfig.json nest-cli.json .swcrc ./
COPY src ./src
COPY docs/openapi.json ./docs/openapi.json
COPY LICENSE ./
COPY docs/licenses ./docs/licenses
COPY deploy/bundle.js deploy/docker-entrypoint.sh deploy/licenses.js deploy/release.js deploy/styles.js ./deploy/
RUN npm run release

# Without npm, and without Perl, which only commands of Git need that the server does not run.
FROM debian:bookworm-20260824-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171 AS runtime
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git libstdc++6 tini \
  && dpkg --purge --force-depends git-man liberror-perl libperl5.36 perl perl-modules-5.36 \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 1000 node \
  && useradd --uid 1000 --gid node --create-home node
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/var/lib/guildhall
COPY --from=build /app/release ./
# Volumes take their owner from these folders when they are first mounted.
RUN ln -s /app/deploy/docker-entrypoint.sh /usr/local/bin/guildhall \
  && mkdir -p /var/lib/guildhall/storages/default /var/lib/guildhall/storages/storage2 \
  && chown -R node:node /var/lib/guildhall
USER node
VOLUME /var/lib/guildhall
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/app/deploy/docker-entrypoint.sh", "health"]
ENTRYPOINT ["tini", "--", "/app/deploy/docker-entrypoint.sh"]
CMD ["web"]
