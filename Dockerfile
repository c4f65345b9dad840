# Kurir for any role: the program, its production dependencies, and node-rdkafka compiled. No secrets, no data.
ARG NODE_VERSION=22.22.0
FROM node:${NODE_VERSION}-bookworm-slim AS build
# Build dependencies of node-rdkafka's C library; its runtime libraries are installed again below.
RUN apt-get update \
  && apt-get install -y --no-install-recommends g++ make python3 libssl-dev zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /kurir
COPY package.json package-lock.json .npmrc ./
COPY app/program/bin/package.json app/program/bin/
RUN npm ci --omit=dev && npm run native
COPY . .
RUN node packaging/build.mjs && sh packaging/docker/trim-modules.sh
# Is there when npm run docs ran before: building it here would install all development tools.
RUN mkdir -p dist-docs

FROM node:${NODE_VERSION}-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libssl3 libstdc++6 zlib1g \
  && rm -rf /var/lib/apt/lists/*
ENV PATH=/kurir/node_modules/.bin:$PATH NODE_ENV=production KURIR_ENGINE=cluster KURIR_HTTP_HOST=0.0.0.0 NODE_OPTIONS=--max-semi-space-size=32
WORKDIR /kurir
COPY --from=build /kurir/package.json /kurir/LICENSE ./
COPY --from=build /kurir/node_modules node_modules
COPY --from=build /kurir/app/program/bin app/program/bin
COPY --from=build /kurir/dist dist
COPY --from=build /kurir/dist-docs dist-docs
COPY --from=build /kurir/packaging/docker/setup.js packaging/docker/setup.js
# Finds a missing library now instead of at the first start.
RUN node -e "require('node-rdkafka'); require('@photostructure/sqlite')"
# This user cannot change the program. Volumes begin as these folders: data of the embedded engine, secret of the cluster.
RUN install -d -o node -g node -m 700 data secrets
USER node
EXPOSE 8080 2525 2587 2465 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm, so that stop signals arrive.
CMD ["node", "dist/kurird.js"]
