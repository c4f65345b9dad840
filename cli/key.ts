import type { Command } from 'commander';
import { SCOPES, type ApiKey, type Scope } from '../domain/settings/workspace';
import type { Commands, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { oneOf, reference, text, whole } from './support/input';
import { findKey, findWorkspace } from './support/lookups';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

/** Above it the limit protects nothing. */
const MOST_REQUESTS = 100_000;
const KEY = ['<key>', 'id or name'] as const;
const OF_WORKSPACE = ['--workspace <workspace>', 'only the keys of this workspace (id or name)'] as const;
const state = ({ revokedAt }: ApiKey): string => (revokedAt === null ? 'active' : 'revoked');

const present = (key: ApiKey) => ({
  id: key.id,
  workspace_id: key.workspaceId,
  name: key.name,
  scopes: key.scopes,
  status: state(key),
  requests_per_minute: key.ratePerMinute,
  created_at: jsonTime(key.createdAt),
  revoked_at: jsonTime(key.revokedAt),
});

const keyFields = (key: ApiKey) =>
  [
    ['id', key.id],
    ['workspace', key.workspaceId],
    ['name', key.name],
    ['scopes', key.scopes.join(', ')],
    ['rate', key.ratePerMinute === null ? 'default' : `${key.ratePerMinute} requests a minute`],
    ['status', state(key), 'status'],
    ['created', showTime(key.createdAt)],
  ] as const;

/** Reads scopes written `a,b`; each once, in the order of the contract. */
const scopes = (raw: string): Scope[] => {
  if (raw.trim() === 'all') return [...SCOPES];
  const named = raw.split(',').map(oneOf(...SCOPES));
  return SCOPES.filter((scope) => named.includes(scope));
};

const create: VerbSpec = {
  name: 'create',
  summary: 'create an API key and show it',
  args: [['<workspace>', 'id or name']],
  options: [
    ['--name <text>', 'what the key is for; default: API key'],
    ['--scopes <list>', `comma-separated, of ${SCOPES.join(', ')}; or all, the default`],
    ['--rate <n>', `API requests a minute, 1 to ${MOST_REQUESTS}; default: that of the service`],
  ],
  examples: [
    ['key create "Toko Melati" --name shop --scopes send_email', 'a key that may only send'],
    ['key create 1', 'a key with every scope'],
    ['key create 1 --rate 600', 'a key that may ask more often'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.option('name', text()) ?? 'API key';
    const wanted = input.option('scopes', scopes) ?? [...SCOPES];
    const ratePerMinute = input.option('rate', whole(1, MOST_REQUESTS)) ?? null;
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const rate = ratePerMinute === null ? '' : `, ${ratePerMinute} requests a minute`;
      await session.note('key create', `${name} (${wanted.join(', ')})${rate}`, workspace.id);
      const accounts = await session.accounts();
      const { key, text: secret } = await accounts.createKey(workspace.id, { name, scopes: wanted, ratePerMinute });
      return {
        text: fields(session.paint, [...keyFields(key), ['key', secret]]),
        json: { ...present(key), key: secret },
      };
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'the API keys of a workspace, without the secrets',
  args: [['<workspace>', 'id or name']],
  examples: [['key list Demo', 'one per line, revoked ones included']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const keys = await session.stores.credentials.listKeys(workspace.id);
      return {
        text: table(
          session.paint,
          [
            { title: 'id' },
            { title: 'name' },
            { title: 'scopes' },
            { title: 'status', status: true },
            { title: 'created' },
          ],
          keys.map((key) => [key.id, key.name, key.scopes.join(', '), state(key), showTime(key.createdAt)]),
          `${workspace.name} has no keys yet. Create one: kurir key create ${workspace.id}`,
        ),
        json: { data: keys.map(present) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'show an API key with its secret; the view is logged',
  args: [KEY],
  options: [OF_WORKSPACE],
  examples: [
    ['key show 3', 'by id'],
    ['key show shop --workspace "Toko Melati"', 'by name'],
  ],
  run: (input) => {
    const ref = input.arg('key', reference);
    const workspace = input.option('workspace', reference);
    return async (session) => {
      const key = await findKey(session.stores, ref, workspace);
      const accounts = await session.accounts();
      await session.note('key show', `${key.id} ${key.name}`, key.workspaceId);
      const secret = accounts.viewKey(key);
      return {
        text: fields(session.paint, [...keyFields(key), ['key', secret]]),
        json: { ...present(key), key: secret },
      };
    };
  },
};

const revoke: VerbSpec = {
  name: 'revoke',
  summary: 'revoke an API key: it is refused at once, for good',
  args: [KEY],
  options: [OF_WORKSPACE],
  examples: [['key revoke shop --workspace "Toko Melati"', 'by name']],
  run: (input) => {
    const ref = input.arg('key', reference);
    const workspace = input.option('workspace', reference);
    return async (session) => {
      const key = await findKey(session.stores, ref, workspace);
      const at = session.clock.now();
      await session.note('key revoke', `${key.id} ${key.name}`, key.workspaceId);
      if (!(await session.stores.credentials.revokeKey(key.workspaceId, key.id, at))) {
        throw new CommandError(`<key>: key ${key.id} "${key.name}" is already revoked.`, '', '<key>');
      }
      const revoked = { ...key, revokedAt: at };
      return { text: fields(session.paint, keyFields(revoked)), json: present(revoked) };
    };
  },
};

/** The `kurir key` commands. */
export const keyCommand = (commands: Commands): Command =>
  commands.group('key', 'API keys', [create, list, show, revoke]);
