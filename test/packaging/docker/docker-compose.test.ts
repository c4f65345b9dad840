import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../operations/config/config';
import { VARIABLES } from '../../../operations/config/config-variables';
import { ROLES } from '../../../operations/config/roles';
import { NODE_ARGUMENTS } from '../../../proof/bench/service';
import { compose, environmentOf, interpolate, KEYS, read, ROOT, services } from './compose-file';

const kurir = services.filter(([, { profiles, image }]) => image?.startsWith('kurir:') && profiles?.[0] === 'cluster');
/** Those with roles; the first of all only builds the image and makes the secret. */
const roles = kurir.filter(([name]) => name !== 'setup');
/** The servers of the tests. */
const servers = services.filter(([, { profiles }]) => profiles?.includes('servers'));
const dockerfile = read('Dockerfile');

describe('docker-compose.yml', () => {
  it.each(services.filter(([name]) => name !== 'setup'))(
    '%s has an image, is watched and, outside of tests, is started again',
    (name, service) => {
      expect(service.restart).toBe(service.profiles?.includes('servers') ? 'no' : 'unless-stopped');
      const folder = service.build ?? (service.image?.startsWith('kurir:') ? '.' : null);
      if (folder !== null) expect(existsSync(join(ROOT, folder, 'Dockerfile'))).toBe(true);
      const checked = service.healthcheck ?? /^HEALTHCHECK /m.exec(folder === null ? '' : read(`${folder}/Dockerfile`));
      expect([name, checked]).not.toContain(null);
    },
  );

  it.each(services)('%s has only keys of compose files, a memory limit, and a log that is rotated', (name, service) => {
    for (const key of Object.keys(service)) expect(KEYS).toContain(key);
    expect([name, interpolate(service.mem_limit ?? '', {})]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  it.each(services)('the image of %s has an exact version', (_, service) => {
    expect(service.image).toMatch(/^[a-z/-]+:\d+\.\d+\.\d+(-[a-z]+)?$/);
  });

  it('one service builds the image, named after the version; the others use it and wait until it was built', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const users = services.filter(([, { image }]) => image === `kurir:${version}`);
    expect(users.map(([name]) => name)).toEqual(['setup', 'demo', ...roles.map(([name]) => name)]);
    expect(users.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['setup']);
    for (const [, service] of users.slice(1)) {
      expect(service.pull_policy).toBe('never');
      expect(service.depends_on?.['setup']).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  it.each(services)('%s belongs to a profile, in which everything is that it needs', (_, service) => {
    const { profiles = [], depends_on: on = {} } = service;
    expect(profiles).not.toEqual([]);
    const needed = Object.entries(on).filter(([, { required = true }]) => required);
    for (const [name] of needed) expect(compose.services[name]!.profiles).toEqual(expect.arrayContaining(profiles));
  });

  it('roles wait for every broker that is started, for MongoDB and for Redis', () => {
    const brokers = services
      .filter(([, { image, profiles }]) => image?.startsWith('apache/kafka') && !profiles?.includes('servers'))
      .map(([name]) => name);
    expect(brokers).toHaveLength(3);
    for (const [, { depends_on: on = {} }] of roles)
      for (const server of [...brokers, 'mongodb', 'redis'])
        expect(on[server]).toEqual({
          condition: 'service_healthy',
          ...(compose.services[server]!.profiles?.includes('cluster') ? {} : { required: false }),
        });
  });

  it.each(services)('%s refers to what is there', (_, service) => {
    for (const network of service.networks ?? []) expect(Object.keys(compose.networks)).toContain(network);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(existsSync(join(ROOT, source))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(name);
      expect(['service_healthy', 'service_completed_successfully']).toContain(condition);
    }
  });

  it('runs every role but the sandbox, each once, by node itself', () => {
    const named = roles.map(([, { command = [] }]) => {
      expect(command.slice(0, 3)).toEqual(['node', 'dist/kurird.js', '--roles']);
      expect(command).toHaveLength(4);
      return command[3]!.split(',');
    });
    expect(named.flat().sort()).toEqual(ROLES.filter((role) => role !== 'sandbox').sort());
  });

  it.each(roles)('%s gets a configuration that the program accepts', (name, service) => {
    const env = environmentOf(service, {});
    for (const name of Object.keys(env)) expect(Object.keys(VARIABLES)).toContain(name);
    const { KURIR_SECRET_FILE, ...rest } = env;
    expect(`${compose.services.setup!.command![2]!}`).toBe(KURIR_SECRET_FILE);
    const own = name === 'smtp' ? ['smtp:/kurir/data'] : [];
    expect(service.volumes).toEqual(['secrets:/kurir/secrets:ro', ...own]);
    const config = readConfig({ ...rest, KURIR_SECRET: 's'.repeat(32), KURIR_ROLES: service.command![3] });
    expect(config.engine).toBe('cluster');
    expect(config.cluster?.kafka.brokers).toEqual(['kafka:9092']);
    expect(config.httpPort).toBe(8080);
    expect(config.bouncePort).toBe(2525);
  });

  it('with three brokers every process knows all of them, and their records are on three', () => {
    const env = Object.fromEntries(
      [...read('packaging/docker/three-brokers.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    );
    const brokers = ['kafka', 'kafka2', 'kafka3'].map((name) => environmentOf(compose.services[name]!, env));
    expect(
      brokers.map(({ KAFKA_NODE_ID, KAFKA_ADVERTISED_LISTENERS }) => [KAFKA_NODE_ID, KAFKA_ADVERTISED_LISTENERS]),
    ).toEqual([
      ['1', 'PLAINTEXT://kafka:9092'],
      ['2', 'PLAINTEXT://kafka2:9092'],
      ['3', 'PLAINTEXT://kafka3:9092'],
    ]);
    for (const broker of brokers) {
      expect(broker).toMatchObject({
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@kafka:9093,2@kafka2:9093,3@kafka3:9093',
        KAFKA_DEFAULT_REPLICATION_FACTOR: '3',
        KAFKA_MIN_INSYNC_REPLICAS: '2',
      });
    }
    expect(env['COMPOSE_PROFILES']).toBe('cluster,three-brokers');
    expect(environmentOf(compose.services.api!, env).KAFKA_BROKERS).toBe('kafka:9092,kafka2:9092,kafka3:9092');
  });

  it('scales: no name of a container is fixed; its ports are on loopback unless an address is set', () => {
    const ports: Record<string, string[]> = {};
    for (const [name, service] of services) {
      expect(service.container_name).toBeUndefined();
      if (service.ports) ports[name] = service.ports.map((port) => interpolate(port, {}));
    }
    expect(ports).toEqual({
      demo: ['127.0.0.1:8080:8080', '127.0.0.1:2587:2587', '127.0.0.1:2465:2465'],
      api: ['127.0.0.1:8080:8080'],
      smtp: ['127.0.0.1:2587:2587', '127.0.0.1:2465:2465'],
      'mta-feedback': ['127.0.0.1:2525:2525'],
      'test-kafka': ['127.0.0.1:19092:19092'],
      'test-mongodb': ['127.0.0.1:37017:37017'],
      'test-redis': ['127.0.0.1:16379:6379'],
    });
    const open = { API_ADDRESS: '0.0.0.0', API_PORT: '8080-8083', BOUNCE_ADDRESS: '0.0.0.0', BOUNCE_PORT: '25' };
    expect(interpolate(compose.services.api!.ports![0]!, open)).toBe('0.0.0.0:8080-8083:8080');
    expect(interpolate(compose.services['mta-feedback']!.ports![0]!, open)).toBe('0.0.0.0:25:2525');
  });

  it('servers without passwords are on a network that leads nowhere, and Postfix is not on it', () => {
    expect(compose.networks.data).toEqual({ internal: true });
    for (const name of ['kafka', 'kafka2', 'kafka3', 'mongodb', 'redis'])
      expect(compose.services[name]!.networks).toEqual(['data']);
    expect(compose.services.postfix!.networks).toEqual(['mail']);
    expect(compose.services.dispatch!.networks).toEqual(['data', 'mail']);
    // Postfix reaches the listener there.
    expect(compose.services['mta-feedback']!.networks).toEqual(['data', 'mail']);
    expect(compose.services.demo!.networks).toEqual(['front']);
  });

  it('the servers of the tests are where .ci/run says, announce themselves there, and leave nothing behind', () => {
    const { 'test-kafka': kafka, 'test-mongodb': mongodb } = compose.services;
    expect(servers.map(([name]) => name)).toEqual(['test-kafka', 'test-mongodb', 'test-redis']);
    const said = [...read('.ci/run').matchAll(/\b127\.0\.0\.1:\d+/g)].map(([address]) => address);
    const published = servers.map(([, { ports = [] }]) => ports.map((port) => port.replace(/:\d+$/, '')));
    expect(said.sort()).toEqual(published.flat().sort());
    const { KAFKA_ADVERTISED_LISTENERS, KAFKA_LISTENERS } = environmentOf(kafka!, {});
    expect(KAFKA_ADVERTISED_LISTENERS).toBe('PLAINTEXT://127.0.0.1:19092');
    expect(KAFKA_LISTENERS).toBe('PLAINTEXT://:19092,CONTROLLER://:9093');
    expect(mongodb!.healthcheck!.test!.slice(-2)).toEqual(['37017', '127.0.0.1:37017']);
    expect(mongodb!.command!.join(' ')).toContain('--port 37017');
    for (const [, { volumes = [] }] of servers)
      expect(volumes.filter((volume) => !volume.startsWith('./'))).toEqual([]);
  });

  it('holds no password and no secret', () => {
    expect(read('docker-compose.yml')).not.toMatch(/(PASSWORD|SECRET)\s*[:=]\s*['"]?[a-z0-9]/i);
  });
});

describe('Dockerfile', () => {
  it('copies files that are there and that .dockerignore lets through', () => {
    const ignore = read('.dockerignore').split('\n');
    expect(ignore).toContain('*');
    const allowed = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    // `npm run docs` makes it; an image without it has no guide.
    const made = ['dist-docs'];
    for (const path of allowed.filter((name) => !made.includes(name)))
      expect(existsSync(join(ROOT, path)) ? path : null).toBe(path);
    // What the command line watches is what the program is built of.
    const [, sources = ''] = /SOURCES = \[(.*?)\]/s.exec(read('app/program/bin/kurir.js')) ?? [];
    const folders = [...sources.matchAll(/'(\w+)'/g)].map(([, folder]) => folder!);
    for (const program of ['kurird', 'kurir', 'store-thread', 'checkpointer', 'query-worker', 'compose-worker']) {
      const map = JSON.parse(read(`dist/${program}.bundle.js.map`)) as { sources: string[] };
      const built = map.sources.map((source) => source.split('/')[1]!).filter((name) => name !== 'package.json');
      expect(folders).toEqual(expect.arrayContaining([...new Set(built)]));
    }
    expect(allowed).toEqual(expect.arrayContaining(folders));
    for (const path of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'LICENSE',
      'app',
      'packaging/build.mjs',
      'packaging/docker/setup.js',
      'packaging/docker/trim-modules.sh',
    ])
      expect(allowed).toContain(path);
  });

  it('sets variables that there are, no secret among them, and runs node as a user without rights', () => {
    const names = [...dockerfile.matchAll(/\b((?:KURIR|KAFKA|MONGODB|REDIS)_[A-Z_]+)=/g)].map(([, name]) => name!);
    expect(names).not.toEqual([]);
    for (const name of names) expect(Object.keys(VARIABLES)).toContain(name);
    expect(names).not.toContain('KURIR_SECRET');
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('CMD ["node", "dist/kurird.js"]');
  });

  it('begins with exact versions, and Node 22 or newer', () => {
    expect(dockerfile).toMatch(/^ARG NODE_VERSION=(2[2-9]|[3-9]\d)\.\d+\.\d+$/m);
    expect(dockerfile.match(/^FROM .*/gm)).toEqual([
      'FROM node:${NODE_VERSION}-bookworm-slim AS build',
      'FROM node:${NODE_VERSION}-bookworm-slim',
    ]);
    expect(read('packaging/docker/postfix/Dockerfile')).toMatch(/^FROM debian:\d+\.\d+-slim$/m);
  });

  it('starts node as npm start and the benches do', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
    expect(scripts.start).toContain(`node ${NODE_ARGUMENTS.join(' ')} dist/kurird.js`);
    expect(dockerfile).toContain(`NODE_OPTIONS=${NODE_ARGUMENTS.join(' ')}\n`);
  });

  it('asks for health where the program listens', () => {
    expect(dockerfile).toContain(`http://127.0.0.1:${VARIABLES.KURIR_HTTP_PORT.default}/healthz`);
    const { KURIR_HTTP_PORT, KURIR_BOUNCE_PORT, KURIR_SMTP_PORT, KURIR_SMTPS_PORT, KURIR_METRICS_PORT } = VARIABLES;
    const ports = [KURIR_HTTP_PORT, KURIR_BOUNCE_PORT, KURIR_SMTP_PORT, KURIR_SMTPS_PORT, KURIR_METRICS_PORT];
    expect(dockerfile).toContain(`EXPOSE ${ports.map((port) => port.default).join(' ')}\n`);
  });

  it('trims with a script that can be run', () => {
    expect(statSync(join(ROOT, 'packaging/docker/trim-modules.sh')).mode & 0o111).not.toBe(0);
  });
});

describe('packaging/docker/postfix', () => {
  it('sends reports to the listener, at the port it has', () => {
    expect(read('packaging/docker/postfix/transport')).toContain(
      `smtp:[mta-feedback]:${VARIABLES.KURIR_BOUNCE_PORT.default}`,
    );
  });

  it('copies files that are there', () => {
    const [, files = ''] = /^COPY (.*) \/etc\/postfix\/$/m.exec(read('packaging/docker/postfix/Dockerfile')) ?? [];
    for (const file of [...files.split(' '), 'start.sh'])
      expect(existsSync(join(ROOT, 'packaging/docker/postfix', file))).toBe(true);
  });
});
