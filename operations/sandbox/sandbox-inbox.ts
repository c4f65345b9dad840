import { presentMail, presentMailWithContent } from '../../sandbox/inbox-json';
import { readContent, type MailContent } from '../../sandbox/mail-content';
import { presentHook, presentRequests } from '../../sandbox/hooks/hook-json';
import { HookStore } from '../../sandbox/hooks/hook-store';
import type { HookSummary } from '../../sandbox/hooks/hook-request';
import { MailFile } from '../../sandbox/mail-file';
import type { MailSummary, StoredMail } from '../../sandbox/mail';
import { MailStore } from '../../sandbox/mail-store';
import type { Config } from '../config/config';
import { sandboxFileOf } from './reset-sandbox';

/** What the sandbox stored, readable while the service writes them. */
export interface SandboxReader {
  total(): number;
  /** Newest first; `before` is the id of the last mail on the previous page. */
  list(limit: number, before?: number): MailSummary[];
  get(id: number): StoredMail | null;
  /** What its hooks received. */
  hooks: Pick<HookStore, 'hooks' | 'list' | 'count'>;
  close(): void;
}

/** Opens the sandbox's file; null if no sandbox ever ran on this data dir. */
export function readSandbox(config: Pick<Config, 'engine' | 'dataDir'>): SandboxReader | null {
  const path = sandboxFileOf(config);
  if (path === null) return null;
  const file = new MailFile(path);
  const store = new MailStore(file);
  return {
    total: () => store.total(),
    list: (limit, before) => store.list(limit, before ?? Number.MAX_SAFE_INTEGER),
    get: (id) => store.get(id),
    hooks: new HookStore(file),
    close: () => file.close(),
  };
}

/** A list as JSON, in the form of the inbox page. */
export const presentInbox = (mails: readonly MailSummary[], total: number, nextBefore: number | null): object => ({
  data: mails.map(presentMail),
  total,
  next_before: nextBefore,
});

/** The hooks as JSON, in the form of their page. */
export const presentHooks = (hooks: readonly HookSummary[]): object => ({ data: hooks.map(presentHook) });

export { presentRequests };

/** A mail with what a mail client would show, and as JSON in the form of the inbox page. */
export async function openMail(mail: StoredMail): Promise<{ content: MailContent; json: object }> {
  const content = await readContent(mail.source);
  return { content, json: presentMailWithContent(mail, content) };
}
