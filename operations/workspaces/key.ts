import { SCOPES, type ApiKey, type Scope } from '../../domain/settings/workspace';
import { revokeKey } from './change-workspace';
import {
  type Columns,
  facts,
  key,
  oneOf,
  operation,
  OperationError,
  option,
  status,
  text,
  whole,
  workspace,
  workspaceOption,
  why,
} from '../definition';
import { counted } from '../../lib/counted';

/** Above it the limit protects nothing. */
const MAX_REQUESTS = 100_000;

const present = (of: ApiKey) => ({
  ...facts(of, 'id', 'workspaceId', 'name', 'scopes'),
  status: of.revokedAt === null ? 'active' : 'revoked',
  requests_per_minute: of.ratePerMinute,
  ...facts(of, 'createdAt', 'revokedAt'),
});

const DETAILS: Columns<ReturnType<typeof present>> = {
  id: 'id',
  workspace: 'workspace_id',
  name: 'name',
  scopes: (of) => of.scopes.join(', '),
  rate: ({ requests_per_minute: rate }) => (rate === null ? 'default' : `${counted(rate, 'request')} per minute`),
  status: status('status'),
  created: 'created_at',
};

/** Reads scopes written `a,b`; each once, in the order of the contract. */
const scopes = (raw: string): Scope[] => {
  if (raw.trim() === 'all') return [...SCOPES];
  const named = raw.split(',').map(oneOf(...SCOPES));
  return SCOPES.filter((scope) => named.includes(scope));
};

const OF_WORKSPACE = { workspace: workspaceOption('only the keys of this workspace (id or name)') };

const create = operation('key.create', 'developer', {
  summary: 'create an API key and show it',
  arguments: { workspace },
  options: {
    name: option('<text>', 'what the key is for; default: API key', text(), 'API key'),
    scopes: option('<list>', `comma-separated: ${SCOPES.join(', ')}; or all (default)`, scopes, [...SCOPES]),
    rate: option(
      '<n>',
      `API requests per minute, 1 to ${MAX_REQUESTS}; default: the limit of the installation`,
      whole(1, MAX_REQUESTS),
      null,
    ),
  },
  examples: [
    ['key create "Toko Melati" --name shop --scopes send_email', 'a key that can only send'],
    ['key create 1', 'a key with every scope'],
    ['key create 1 --rate 600', 'a key with a higher rate limit'],
  ],
  handler: async (input, session) => {
    const { name, scopes, rate: ratePerMinute } = input;
    const rate = ratePerMinute === null ? '' : `, ${counted(ratePerMinute, 'request')} per minute`;
    await session.note('key create', `${name} (${scopes.join(', ')})${rate}`, input.workspace.id);
    const accounts = await session.accounts();
    const made = await accounts.createKey(input.workspace.id, { name, scopes, ratePerMinute });
    return { ...present(made.key), key: made.text };
  },
  details: { ...DETAILS, key: 'key' },
});

const list = operation('key.list', 'developer', {
  summary: 'list the API keys of a workspace, without their secrets',
  arguments: { workspace },
  examples: [['key list Demo', 'one per line, including revoked keys']],
  handler: async (input, { stores }) => ({
    data: (await stores.credentials.listKeys(input.workspace.id)).map(present),
  }),
  columns: {
    id: 'id',
    name: 'name',
    scopes: (of) => of.scopes.join(', '),
    status: status('status'),
    created: 'created_at',
  },
  none: ({ workspace: { id, name } }) => `${name} has no keys yet. Create one: kurir key create ${id}`,
});

const show = operation('key.show', 'developer', {
  summary: 'show an API key with its secret; the view is logged',
  arguments: { key },
  options: OF_WORKSPACE,
  examples: [
    ['key show 3', 'by id'],
    ['key show shop --workspace "Toko Melati"', 'by name'],
  ],
  handler: async (input, session) => {
    const accounts = await session.accounts();
    await session.note('key show', `${input.key.id} ${input.key.name}`, input.key.workspaceId);
    return { ...present(input.key), key: accounts.viewKey(input.key) };
  },
  details: { ...DETAILS, key: 'key' },
});

const revoke = operation('key.revoke', 'developer', {
  irreversible: true,
  summary: 'revoke an API key immediately and permanently',
  arguments: { key },
  options: OF_WORKSPACE,
  examples: [['key revoke shop --workspace "Toko Melati"', 'by name']],
  handler: async (input, session) => {
    const { id, name, workspaceId } = input.key;
    await session.note('key revoke', `${id} ${name}`, workspaceId);
    const revoked = await revokeKey(session.stores, input.key, session.clock.now());
    if (revoked) return present(revoked);
    throw new OperationError(why('key_revoked', { label: '<key>', id, name }));
  },
  details: DETAILS,
});

export const KEY = { create, list, show, revoke };
