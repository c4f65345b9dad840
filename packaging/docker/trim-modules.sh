#!/bin/sh
# Reduces node_modules to what the running program needs: removes build output except the libraries, binaries of other
# platforms, and the bundler. Run it in the folder that contains node_modules.
set -eu

rm -rf node_modules/esbuild node_modules/@esbuild node_modules/nan node_modules/.bin
find node_modules -name '*.map' -delete

(
  cd node_modules/node-rdkafka
  mkdir kept
  cp -L --parents build/Release/node-librdkafka.node build/deps/librdkafka.so.1 build/deps/librdkafka++.so.1 kept
  find . -mindepth 1 -maxdepth 1 ! -name kept ! -name lib ! -name package.json ! -name '*.js' ! -name 'LICENSE*' \
    -exec rm -rf {} +
  mv kept/build build
  rmdir kept
  strip --strip-unneeded build/Release/node-librdkafka.node build/deps/librdkafka.so.1 build/deps/librdkafka++.so.1
)

(
  cd node_modules/@photostructure/sqlite
  rm -rf src scripts
  find prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$(node -p process.arch)" -exec rm -rf {} +
)

(
  cd node_modules/swagger-ui-dist
  find . -mindepth 1 ! -name package.json ! -name LICENSE ! -name NOTICE ! -name swagger-ui.css ! -name swagger-ui-bundle.js \
    ! -name swagger-ui-bundle.js.LICENSE.txt ! -name favicon-32x32.png -delete
)
