import { ValueError } from '../../lib/reason';
import { domainToASCII } from 'node:url';
import type { Audience } from '../../domain/contacts/audience';
import { FORM_BOUNCES } from '../../domain/contacts/form-auto-pause';
import type { Member } from '../../stores/ports/audience-store';
import { changeAudience, createAudience } from './change-audience';
import { importMembers } from './contact-import';
import { form, formUrl } from './audience-form';
import { reachOf } from './audience-reach';
import {
  afterContact,
  argument,
  audience,
  type Columns,
  facts,
  flag,
  jsonTime,
  limit,
  oneOf,
  operation,
  option,
  type Read,
  requireChange,
  type Session,
  text,
  unknownAudience,
  workspace,
  rule,
} from '../definition';

const presented = (session: Session, of: Audience, reach: number | null) => ({
  ...facts(of, 'id', 'workspaceId', 'name', 'description', 'publicToken', 'optInMode', 'redirectHosts'),
  form_paused_at: jsonTime(of.formBrake.pausedAt),
  ...facts(of, 'createdAt', 'updatedAt', 'contactsCount'),
  reachable_count: reach,
  form_url: formUrl(session, of),
});

async function present(session: Session, of: Audience) {
  const [reach = null] = await reachOf(session, [of]);
  return presented(session, of, reach);
}

const DETAILS: Columns<ReturnType<typeof presented>> = {
  id: 'id',
  name: 'name',
  workspace: 'workspace_id',
  description: 'description',
  'opt-in': 'opt_in_mode',
  'public token': 'public_token',
  form: 'form_url',
  'form paused': ({ form_paused_at: at }, view) =>
    at &&
    `since ${view.time(at)}: ${FORM_BOUNCES} confirmation emails bounced within a day; resume it with audience set --resume-form`,
  'redirect domains': 'redirect_hosts',
  members: 'contacts_count',
  'can receive email': 'reachable_count',
  created: 'created_at',
  changed: 'updated_at',
};

const MODES = oneOf('single', 'double');

const create = operation('audience.create', 'editor', {
  summary: 'create an empty audience',
  arguments: { workspace, name: argument('name of the audience', text()) },
  options: {
    description: option('<text>', 'description of the audience', text(1_000), null),
    optIn: option(
      '<mode>',
      'single, or double: members confirm by email before they receive campaigns; default: single',
      MODES,
      'single' as const,
    ),
  },
  examples: [
    ['audience create "Toko Melati" Pelanggan', 'new members join right away'],
    ['audience create "Toko Melati" Kabar --opt-in double', 'new members confirm by email'],
  ],
  notes: 'The REST API creates single opt-in audiences only.',
  handler: async ({ workspace: { id: workspaceId }, name, description, optIn: optInMode }, session) =>
    present(session, await createAudience(session, { workspaceId, name, description, optInMode })),
  details: DETAILS,
});

const list = operation('audience.list', 'viewer', {
  summary: 'list the audiences of a workspace',
  arguments: { workspace },
  examples: [['audience list "Toko Melati"', 'one per line']],
  handler: async (input, session) => {
    const audiences = await session.stores.audiences.list(input.workspace.id);
    const reach = await reachOf(session, audiences);
    return { data: audiences.map((of, n) => presented(session, of, reach[n] ?? null)) };
  },
  columns: {
    id: 'id',
    name: 'name',
    'opt-in': 'opt_in_mode',
    members: 'contacts_count',
    'can receive email': 'reachable_count',
    created: 'created_at',
  },
  none: 'No audiences yet. Create one: kurir audience create <workspace> <name>',
});

const show = operation('audience.show', 'viewer', {
  summary: 'show an audience',
  arguments: { workspace, audience },
  examples: [
    ['audience show "Toko Melati" Pelanggan', 'by name'],
    ['audience show 3 7', 'by id'],
  ],
  handler: async (input, session) => present(session, input.audience),
  details: DETAILS,
});

const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** `none`, or host names separated by commas. */
const hosts: Read<string[]> = (raw) => {
  if (raw.trim() === 'none') return [];
  const names = raw.split(',').map((name) => domainToASCII(name.trim().toLowerCase()));
  if (names.every((name) => HOST.test(name))) return [...new Set(names)];
  throw new ValueError(rule('hosts'));
};

const set = operation('audience.set', 'editor', {
  summary: 'change the opt-in of an audience, and the redirect domains of its sign-up form',
  arguments: { workspace, audience },
  options: {
    optIn: option('<mode>', 'single, or double: members confirm by email', MODES),
    redirectHosts: option(
      '<hosts>',
      'domains that the form may redirect to over https, comma-separated; none: no other site',
      hosts,
    ),
    resumeForm: flag('resume confirmation emails after bounces paused them; earlier sign-ups must sign up again'),
  },
  examples: [
    ['audience set "Toko Melati" Kabar --opt-in double', 'new members confirm by email from now on'],
    ['audience set "Toko Melati" Kabar --redirect-hosts toko.example,www.toko.example', 'for a form on your own site'],
    ['audience set "Toko Melati" Kabar --resume-form', 'after you have fixed the cause of the bounces'],
  ],
  notes: 'Current members keep their state: confirmed members stay confirmed, and pending ones still have to confirm.',
  check: ({ optIn, redirectHosts, resumeForm }) =>
    requireChange(
      { optIn, redirectHosts, resumeForm: resumeForm || undefined },
      'Use --opt-in, --redirect-hosts or --resume-form.',
      '--opt-in',
    ),
  handler: async ({ audience: of, ...changes }, session) => {
    const changed = await changeAudience(session, of, changes);
    if (changed) return present(session, changed);
    throw unknownAudience(of.name);
  },
  details: DETAILS,
});

const presentMember = ({ contact, joinedAt, confirmedAt, pendingUntil }: Member) => ({
  contact_id: contact.id,
  ...facts(contact, 'email', 'name', 'status'),
  membership: confirmedAt === null ? 'pending' : 'confirmed',
  joined_at: jsonTime(joinedAt),
  confirmed_at: jsonTime(confirmedAt),
  pending_until: jsonTime(confirmedAt === null ? pendingUntil : null),
});

const members = operation('audience.members', 'viewer', {
  summary: 'list the members of an audience, including those who have not confirmed yet',
  arguments: { workspace, audience },
  options: { limit: limit('members'), after: afterContact },
  examples: [['audience members "Toko Melati" Kabar', 'the first 50']],
  handler: async ({ audience: { id, workspaceId }, limit, after }, { stores }) => {
    const page = await stores.bulkContacts.members(workspaceId, id, after, limit);
    const next = page.length === limit ? (page.at(-1)?.contact.id ?? null) : null;
    return { data: page.map(presentMember), next_after: next };
  },
  columns: {
    id: 'contact_id',
    email: 'email',
    name: 'name',
    status: 'status',
    membership: 'membership',
    joined: 'joined_at',
    'pending until': 'pending_until',
  },
  none: 'No members yet.',
});

export const AUDIENCE = { create, list, show, set, import: importMembers, members, form };
