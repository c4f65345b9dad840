import { describe, expect, it } from '@jest/globals';
import { confirmMail } from '../../../consumers/opt-ins/confirm-mail';
import type { Audience } from '../../../domain/contacts/audience';
import { CONFIRM_MAIL } from '../../../domain/contacts/opt-in';
import { MINUTE } from '../../../lib/clock';
import { pagesApp } from '../../api/pages/pages-app';
import { onEveryDriver } from '../../contract/drivers';
import { freshEngine, type OpenEngine } from '../../contract/harness';
import { present } from '../../contract/helpers';
import { createSender, messageId, TEST_KEYRING } from '../../support/builders';
import { anAudience } from '../../support/marketing';

/** The first `count` ways to put dots into a name. */
const dotted = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) =>
    [...name].map((c, i) => (i > 0 && n & (1 << (i - 1)) ? `.${c}` : c)).join(''),
  );

function describeMailboxes(open: OpenEngine): void {
  describe('confirmation mails by the public form', () => {
    const subject = freshEngine(open);

    async function aForm(): Promise<Audience> {
      const { workspace } = await createSender(subject.stores);
      return subject.stores.audiences.create(anAudience(workspace.id, { optInMode: 'double' }));
    }

    /** Sends the form in for each address, each from elsewhere, and does the work that follows. */
    async function ask({ publicToken }: Audience, emails: readonly string[]): Promise<void> {
      for (const email of emails) {
        const body = new URLSearchParams({ email, name: '', consent: 'on' }).toString();
        const sent = pagesApp(subject).post(`/f/${publicToken}`);
        await sent.set('Content-Type', 'application/x-www-form-urlencoded').send(body).expect(200);
      }
      const { stores, log, clock } = subject;
      const now = clock.now();
      const tasks = await stores.dueTasks.claim({ kind: CONFIRM_MAIL, now, leaseUntil: now + MINUTE, limit: 100 });
      expect(tasks).toHaveLength(emails.length);
      const deps = { stores, log, clock, keyring: TEST_KEYRING, publicUrl: () => 'https://mail.kurir.test' };
      const work = confirmMail({ ...deps, newId: () => messageId(), logger: { warn: () => undefined } });
      for (const task of tasks) await work.each(task);
    }
    const mailsOf = async ({ workspaceId }: Audience) =>
      present(await subject.stores.messages.list(workspaceId, { offset: 0, limit: 100 })).items.length;

    // spec: docs/contract.md#mailboxes: the dots of a Gmail address
    it('of 40 spellings of one Gmail mailbox with dots, three go out', async () => {
      const form = await aForm();
      await ask(
        form,
        dotted('sitirahma', 40).map((name) => `${name}@gmail.com`),
      );
      expect(await mailsOf(form)).toBe(3);
    });

    it('all spellings of a mailbox count, at each of its domains, and ten go out from all workspaces', async () => {
      const spellings = [
        'siti.rahma@googlemail.com',
        'SitiRahma+a.b@GMail.com',
        '"siti..rahma"@gmail.com',
        's.itirahma+x@googlemail.com',
      ];
      const forms = [];
      for (let n = 0; n < 4; n += 1) forms.push(await aForm());
      for (const form of forms) await ask(form, spellings);
      expect(await Promise.all(forms.map(mailsOf))).toEqual([3, 3, 3, 1]);
    });

    it('where dots count, each spelling is somebody else', async () => {
      const form = await aForm();
      await ask(
        form,
        dotted('sitirahma', 12).map((name) => `${name}@toko.test`),
      );
      expect(await mailsOf(form)).toBe(12);
    });
  });
}

onEveryDriver(describeMailboxes);
