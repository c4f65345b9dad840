import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../app/config/config';
import { VARIABLES } from '../../app/config/config-variables';
import { ROLES } from '../../app/config/roles';
import { NODE_ARGUMENTS } from '../../bench/service';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  container_name?: string;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const kurir = services.filter(([, { image }]) => image === 'kurir');
const dockerfile = read('Dockerfile');

/** Compose's `${NAME:-default}`, `${NAME:+value}` and `${NAME:?error}`, as the format of compose files has them. */
function interpolate(text: string, env: Record<string, string>): string {
  const replace = (_: string, name: string, kind: string, rest: string): string => {
    const value = env[name] ?? '';
    if (kind === '+') return value && rest;
    if (kind === '?' && !value) throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return value || (kind === '-' ? rest : '');
  };
  return text.replace(/\$\{(\w+):([-+?])([^}]*)\}/g, replace);
}
const environmentOf = (service: Service, env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(service.environment ?? {}).map(([k, v]) => [k, interpolate(String(v), env)]));

describe('docker-compose.yml', () => {
  it.each(services)(
    '%s has an image or a folder to build it from, is watched and is started again',
    (name, service) => {
      expect(service.image ?? service.build).toBeDefined();
      if (service.build) expect(existsSync(join(ROOT, service.build, 'Dockerfile'))).toBe(true);
      expect(service.restart).toBe('unless-stopped');
      const checked =
        service.healthcheck ?? /^HEALTHCHECK /m.exec(service.build ? read(`${service.build}/Dockerfile`) : '');
      expect([name, checked]).not.toContain(null);
    },
  );

  it.each(services)('%s refers to what is there', (_, service) => {
    for (const network of service.networks ?? []) expect(Object.keys(compose.networks)).toContain(network);
    for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(name);
      expect(['service_healthy', 'service_started']).toContain(condition);
    }
  });

  it('runs every role but the sandbox, each once, by node itself', () => {
    const roles = kurir.map(([, { command = [] }]) => {
      expect(command.slice(0, 3)).toEqual(['node', 'dist/kurird.js', '--roles']);
      expect(command).toHaveLength(4);
      return command[3]!.split(',');
    });
    expect(roles.flat().sort()).toEqual(ROLES.filter((role) => role !== 'sandbox').sort());
  });

  it.each(kurir)('%s gets a configuration that the program accepts', (_, service) => {
    const env = environmentOf(service, { KURIR_SECRET: 's'.repeat(32) });
    for (const name of Object.keys(env)) expect(Object.keys(VARIABLES)).toContain(name);
    const config = readConfig({ ...env, KURIR_ROLES: service.command![3] });
    expect(config.engine).toBe('cluster');
    expect(config.cluster?.kafka.brokers).toEqual(['kafka:9092']);
    expect(config.httpPort).toBe(8080);
    expect(config.bouncePort).toBe(2525);
  });

  it('cannot be started without a secret, and says how one is made', () => {
    expect(() => environmentOf(compose.services.api!, {})).toThrow(
      /KURIR_SECRET is missing a value: put .*openssl rand -hex 32/,
    );
  });

  it('with three brokers everybody knows all of them, and their records are on three', () => {
    const env = Object.fromEntries(
      [...read('docker/three-brokers.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
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
    expect(environmentOf(compose.services.api!, { ...env, KURIR_SECRET: 'x' }).KAFKA_BROKERS).toBe(
      'kafka:9092,kafka2:9092,kafka3:9092',
    );
  });

  it('scales: no name and no port of a container is fixed, but the one of the API', () => {
    for (const [name, service] of services) {
      expect(service.container_name).toBeUndefined();
      expect(service.ports ?? []).toEqual(name === 'api' ? ['${API_PORT:-8080}:8080'] : []);
    }
  });

  it('servers without passwords are on a network that leads nowhere, and Postfix is not on it', () => {
    expect(compose.networks.data).toEqual({ internal: true });
    for (const name of ['kafka', 'kafka2', 'kafka3', 'mongodb', 'redis'])
      expect(compose.services[name]!.networks).toEqual(['data']);
    expect(compose.services.postfix!.networks).toEqual(['mail']);
    expect(compose.services.dispatch!.networks).toEqual(['data', 'mail']);
    expect(compose.services['mta-feedback']!.networks).toEqual(['data', 'mail']);
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
    for (const path of allowed) expect(existsSync(join(ROOT, path)) ? path : null).toBe(path);
    // What the command line watches is what the program is built of.
    const [, sources = ''] = /SOURCES = \[(.*?)\]/s.exec(read('bin/kurir.js')) ?? [];
    const folders = [...sources.matchAll(/'(\w+)'/g)].map(([, folder]) => folder!);
    expect(folders).toContain('app');
    expect(allowed).toEqual(expect.arrayContaining(folders));
    for (const path of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'LICENSE',
      'bin',
      'scripts',
      'docker/trim-modules.sh',
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

  it('starts node as npm start and the benches do', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
    expect(scripts.start).toContain(`node ${NODE_ARGUMENTS.join(' ')} dist/kurird.js`);
    expect(dockerfile).toContain(`NODE_OPTIONS=${NODE_ARGUMENTS.join(' ')}\n`);
  });

  it('asks for health where the program listens', () => {
    expect(dockerfile).toContain(`http://127.0.0.1:${VARIABLES.KURIR_HTTP_PORT.default}/healthz`);
    expect(dockerfile).toContain(`EXPOSE ${VARIABLES.KURIR_HTTP_PORT.default} ${VARIABLES.KURIR_BOUNCE_PORT.default}`);
  });

  it('trims with a script that can be run', () => {
    expect(statSync(join(ROOT, 'docker/trim-modules.sh')).mode & 0o111).not.toBe(0);
  });
});

describe('docker/postfix', () => {
  it('sends reports to the listener, at the port it has', () => {
    expect(read('docker/postfix/transport')).toContain(`smtp:[mta-feedback]:${VARIABLES.KURIR_BOUNCE_PORT.default}`);
  });

  it('copies files that are there', () => {
    const [, files = ''] = /^COPY (.*) \/etc\/postfix\/$/m.exec(read('docker/postfix/Dockerfile')) ?? [];
    for (const file of [...files.split(' '), 'start.sh'])
      expect(existsSync(join(ROOT, 'docker/postfix', file))).toBe(true);
  });
});
