import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(__dirname, '../../..');
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export interface ComposeService {
  image?: string;
  build?: string;
  pull_policy?: string;
  profiles?: string[];
  command?: string[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  restart?: string;
  mem_limit?: string;
  logging?: object;
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  container_name?: string;
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

/** Keys that the format of compose files gives a service, as far as ours has them. */
export const KEYS = [
  ...['build', 'cap_drop', 'command', 'depends_on', 'environment', 'healthcheck', 'image', 'init', 'logging'],
  ...['mem_limit', 'network_mode', 'networks', 'ports', 'profiles', 'pull_policy', 'read_only', 'restart'],
  ...['security_opt', 'stop_grace_period', 'tmpfs', 'volumes'],
];

export const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as Compose;
export const services = Object.entries(compose.services);

/** Compose's `${NAME:-default}`, `${NAME:+value}` and `${NAME:?error}`, as the format of compose files has them. */
export function interpolate(text: string, env: Record<string, string>): string {
  const replace = (_: string, name: string, kind: string, rest: string): string => {
    const value = env[name] ?? '';
    if (kind === '+') return value && rest;
    if (kind === '?' && !value) throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return value || (kind === '-' ? rest : '');
  };
  return text.replace(/\$\{(\w+):([-+?])([^}]*)\}/g, replace);
}

export const environmentOf = (service: ComposeService, env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(service.environment ?? {}).map(([k, v]) => [k, interpolate(String(v), env)]));
