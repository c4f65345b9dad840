import Koa from 'koa';
import { pino, type Logger } from 'pino';
import supertest from 'supertest';
import { inProcessRateLimiter } from '../../../api/rate-limit/in-process-rate-limiter';
import { createPagesRouter, type PagesDeps } from '../../../api/pages/pages-router';
import { messageLinks, type MessageLinks } from '../../../domain/messages/message-tokens';
import type { Contact } from '../../../domain/contacts/contact';
import type { Message } from '../../../domain/messages/message';
import { KnownClients } from '../../../domain/engagement/known-clients';
import type { HitRecord } from '../../../streams/record-values';
import type { NewWorkspace } from '../../../stores/ports/workspace-store';
import { openTemporary } from '../../contract/embedded/open';
import type { Subject } from '../../contract/harness';
import { isOf, pollCount, withReader } from '../../contract/log-reading';
import { acceptMessage, aContact, aDomain, aWorkspace, messageId, TEST_KEYRING } from '../../support/builders';

/** A logger that keeps what it wrote, one object a line. */
export function keepingLogger(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { logger: pino({ level: 'trace' }, { write }), lines };
}

/** The pages as the app mounts them, on the engine of the subject; parts can be exchanged. */
export function pagesApp(subject: Subject, parts: Partial<PagesDeps> = {}): ReturnType<typeof supertest> {
  const app = new Koa();
  const router = createPagesRouter({
    stores: subject.stores,
    log: subject.log,
    clock: subject.clock,
    keyring: TEST_KEYRING,
    publicUrl: () => 'https://mail.kurir.test',
    newId: () => messageId(),
    rateLimiter: inProcessRateLimiter(subject.clock, 1_000),
    logger: keepingLogger().logger,
    knownClients: new KnownClients(),
    trustedHops: 0,
    ...parts,
  });
  app.use(router.routes());
  return supertest(app.callback());
}

export interface Mailed {
  message: Message;
  contact: Contact;
  /** Paths, without a host. */
  paths: MessageLinks;
}

/** A message that was handed over with these destinations, to a contact of a new workspace. */
export async function mail(
  subject: Subject,
  links?: readonly string[],
  profile?: Partial<NewWorkspace>,
): Promise<Mailed> {
  const { stores } = subject;
  const workspace = await stores.workspaces.create(aWorkspace(profile));
  const domain = await stores.domains.create(aDomain(workspace.id));
  const contact = await stores.contacts.ensure(aContact(workspace.id));
  const message = await acceptMessage(stores, { workspace, domain, contact });
  if (links) await stores.messages.change(message.id, () => ({ set: {}, at: subject.clock.now(), links, records: [] }));
  return { message, contact, paths: messageLinks(TEST_KEYRING, '', message.id) };
}

/** Everything recorded of a message so far, as a consumer would read it. */
export async function recorded(subject: Subject, message: Pick<Message, 'id'>): Promise<HitRecord[]> {
  const count = await subject.log.lag('engagement');
  const records = await withReader(subject.log, 'engagement', (reader) => pollCount(reader, count, 10_000));
  return records.filter(isOf('engagement.hits')).flatMap(({ key, value }) => (key === message.id ? [value] : []));
}

/** A real engine that was closed: every read and write of it fails. */
export async function closedEngine(): Promise<Awaited<ReturnType<typeof openTemporary>>['engine']> {
  const opened = await openTemporary();
  await opened.destroy();
  return opened.engine;
}

/** The same path with its last character of the token exchanged for another. */
export function forge(path: string): string {
  return path.replace(
    /([A-Za-z0-9_-])(\.gif|\/\d+)?$/,
    (_, last: string, end = '') => `${last === 'A' ? 'Q' : 'A'}${end}`,
  );
}

/** The tokens of a mail's links, bare. */
export function tokensOf({ paths }: Pick<Mailed, 'paths'>): { click: string; open: string; unsubscribe: string } {
  const bare = (path: string, prefix: string): string => path.slice(prefix.length).replace(/(\.gif|\/0)$/, '');
  return {
    click: bare(`${paths.clicks}0`, '/t/c/'),
    open: bare(paths.open, '/t/o/'),
    unsubscribe: bare(paths.unsubscribe, '/u/'),
  };
}
