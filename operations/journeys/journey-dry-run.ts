import { ASSUMPTIONS, dryRun, type DryPath, type DryRun } from './dry-run';
import { NO_AUDIENCE, senderOf } from './step-refusals';
import type { EffectStep } from './walk';
import type { Contact } from '../../domain/contacts/contact';
import { refusalOf, type EnrollmentStep } from '../../domain/journeys/enrollment';
import type { Journey } from '../../domain/journeys/journey';
import { numberSteps } from '../../domain/journeys/journey-flow';
import type { Workspace } from '../../domain/settings/workspace';
import { mergeValues } from '../../email/merge-values';
import { HOUR } from '../../lib/clock';
import { printable } from '../../lib/printable';
import { faultsText, readDefinition, type Faulty } from './journey-file';
import { stepLabel, type JourneyNames } from './journey-labels';
import { namesOf, presentStep } from './journey-view';
import type { FileContent } from '../definition';
import {
  address,
  duration,
  facts,
  fileOption,
  jsonTime,
  journey,
  oneOf,
  operation,
  OperationError,
  option,
  repeatable,
  type Session,
  workspace,
  zonedTime,
  type View,
  why,
} from '../definition';

/** Contacts that are walked at once. */
const MAX = 20;
/** Stands for somebody who is no contact yet. */
const MADE_UP = 'contoh@example.com';

/** One contact and its path; no path for one that may not enter. */
interface Walked {
  contact: Contact;
  isKnown: boolean;
  refused: ReturnType<typeof refusalOf>;
  path: DryPath | null;
}

interface Walks {
  ok: true;
  of: Pick<Journey, 'name' | 'steps' | 'goal'>;
  workspace: Workspace;
  names: JourneyNames;
  assume: DryRun['assume'];
  after: number;
  paths: readonly Walked[];
}

async function findContact(session: Session, workspaceId: number, email: string, at: number) {
  const found = await session.stores.contacts.find(workspaceId, email);
  if (found) return found;
  const emailHash = (await session.keyring()).hashAddress(email);
  const times = { subscribedAt: at, unsubscribedAt: null, createdAt: at, updatedAt: at };
  return { id: 0, workspaceId, email, emailHash, name: null, status: 'subscribed' as const, ...times };
}

/** What refuses the steps that need a store, as it is now. */
async function refusals({ stores }: Session, of: Workspace): Promise<(step: EffectStep) => string | null> {
  const domains = new Map((await stores.domains.list(of.id)).map((domain) => [domain.id, domain]));
  const audiences = new Set((await stores.audiences.list(of.id)).map(({ id }) => id));
  return (step) => {
    if (step.kind === 'add_to_audience') return audiences.has(step.audienceId) ? null : NO_AUDIENCE;
    const sender = senderOf(of, domains.get(step.domainId) ?? null);
    return typeof sender === 'string' ? sender : null;
  };
}

type Common = Omit<DryRun, 'contact' | 'suppressed'>;

async function walk(session: Session, common: Common, email: string): Promise<Walked> {
  const { workspaceId } = common.journey;
  const contact = await findContact(session, workspaceId, email, common.at);
  const suppressed = (await session.stores.suppressions.reason(workspaceId, contact.emailHash)) !== null;
  // It is looked at as if the journey were switched on.
  const refused = refusalOf({ by: 'cli', journey: { triggerType: 'api', status: 'active' }, suppressed, contact });
  const path = refused === null ? dryRun({ ...common, contact, suppressed }) : null;
  return { contact, isKnown: contact.id !== 0, refused, path };
}

function subjectFor({ workspace: of }: Walks, { contact }: Walked, subject: string, now: number): string {
  const business = { name: of.businessName, address: of.businessAddress };
  const links = { unsubscribeUrl: '', browserUrl: null, preheader: null };
  return mergeValues({ ...links, to: contact.email, contactName: contact.name, business, subject, now }).subject;
}

/** The steps of a path with what each does; the subject of a mail is as the contact would see it. */
function presentSteps(walks: Walks, walked: Walked) {
  const numbered = numberSteps(walks.of.steps);
  return (walked.path?.steps ?? []).map((done) => {
    const { step } = numbered[done.step - 1]!;
    const said = presentStep(step, walks.names);
    const subject = step.kind === 'email' && { subject: subjectFor(walks, walked, step.subject, done.at) };
    return { ...facts(done, 'step', 'at', 'outcome', 'reason'), ...said, ...subject };
  });
}

const presentPath = (walks: Walks, walked: Walked) => {
  const { contact, isKnown, refused, path } = walked;
  return {
    email: contact.email,
    known: isKnown,
    refused,
    status: path?.enrollment.status ?? null,
    reason: path?.enrollment.reason ?? null,
    entered_at: jsonTime(path?.enrollment.enrolledAt ?? null),
    goal_at: jsonTime(path?.enrollment.goalAt ?? null),
    ended_at: jsonTime(path?.enrollment.endedAt ?? null),
    steps: presentSteps(walks, walked),
    events: (path?.events ?? []).map((event) => facts(event, 'at', 'event', 'step')),
  };
};

const outcomeText = ({ type, outcome, reason }: EnrollmentStep): string => {
  if (type === 'branch') return outcome === 'then' ? 'yes' : 'no';
  return reason === null ? outcome : `${outcome}: ${reason}`;
};

function pathText({ of, names }: Walks, { contact, refused, path }: Walked, view: View): string {
  const title = view.title(printable(contact.email));
  if (!path) return `${title}does not enter: ${refused}\n`;
  const numbered = numberSteps(of.steps);
  const rows = path.steps.map((done) => {
    const step = numbered[done.step - 1]?.step;
    return {
      at: done.at,
      step: done.step,
      what: step ? stepLabel(step, names) : done.type,
      outcome: outcomeText(done),
    };
  });
  const { status, reason, endedAt } = path.enrollment;
  const table = view.table(rows, { at: 'at', step: 'step', what: 'what', outcome: 'outcome' });
  return `${title}${table}${view.time(endedAt)}  ${reason === null ? status : `${status}: ${reason}`}\n`;
}

/** `kurir journey dry-run`. */
export const dryRunOperation = operation('journey.dry-run', 'viewer', {
  summary: 'simulate a journey: what each contact would receive and when; nothing is sent or stored',
  arguments: { workspace, journey },
  options: {
    contact: repeatable(
      '<email>',
      `simulate this email address, even without a contact; at most ${MAX}; default: a made-up contact`,
      address,
    ),
    assume: option(
      '<what>',
      `what each contact does with every email: ${ASSUMPTIONS.join(', ')}; default: nothing`,
      oneOf(...ASSUMPTIONS),
      ASSUMPTIONS[0],
    ),
    after: option('<duration>', 'how long after the email; default: 1h', duration, HOUR),
    from: option('<time>', 'when they enter, with a time zone; default: now', zonedTime),
    file: fileOption('simulate this file instead of the newest version', (file): FileContent => file),
  },
  examples: [
    ['journey dry-run "Toko Melati" Sambutan', 'the path of a contact who opens nothing'],
    ['journey dry-run "Toko Melati" Sambutan --contact budi@example.com --assume clicks --after 2h', 'with a contact'],
    ['journey dry-run "Toko Melati" Sambutan --file sambutan.yaml --json', 'before you publish it'],
  ],
  handler: async (input, session): Promise<Faulty | Walks> => {
    const { journey: journeyNow, workspace: home, file, assume, after } = input;
    if (input.contact.length > MAX) throw new OperationError(why('at_most', { label: '--contact', most: MAX }));
    const read = file && (await readDefinition(session, home.id, file));
    if (read && !read.ok) return read;
    const of = read ? read.journey : journeyNow;
    const at = input.from ?? session.clock.now();
    const { id, workspaceId } = journeyNow;
    const common = {
      journey: { id, workspaceId, name: of.name },
      version: of,
      at,
      assume,
      after,
      refusal: await refusals(session, home),
    };
    const emails = input.contact.length > 0 ? [...new Set(input.contact)] : [MADE_UP];
    const paths = await Promise.all(emails.map((email) => walk(session, common, email)));
    return { ok: true, of, workspace: home, names: await namesOf(session.stores, home.id), assume, after, paths };
  },
  code: (walks) => (walks.ok ? 0 : 1),
  json: (walks) =>
    walks.ok
      ? { ok: true, errors: [], assume: walks.assume, paths: walks.paths.map((walked) => presentPath(walks, walked)) }
      : { ok: false, errors: walks.errors },
  text: (walks, view) =>
    walks.ok ? walks.paths.map((walked) => pathText(walks, walked, view)).join('') : faultsText(walks),
});
