import { describe, expect, it } from '@jest/globals';
import { FORM_BOUNCES, NO_FORM_AUTO_PAUSE, resumeForm } from '../../../domain/contacts/form-auto-pause';
import { confirmationKeys } from '../../../domain/contacts/opt-in';
import { acceptMessage, aContact, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { anAudience } from '../../support/marketing';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { atOnce, inTurn, present } from '../helpers';

const NOW = TEST_START + 60_000;

/** A double opt-in form with as many members as confirmation mails, each of which may bounce. */
async function form(subject: Subject) {
  const { stores } = subject;
  const sender = await createSender(stores);
  const workspaceId = sender.workspace.id;
  const audience = await stores.audiences.create(anAudience(workspaceId, { optInMode: 'double' }));
  const mails = await inTurn(FORM_BOUNCES, async (n) => {
    const contact = await stores.contacts.ensure(aContact(workspaceId));
    const { id: contactId } = contact;
    await stores.audiences.join(workspaceId, audience.id, { contactId }, NOW);
    const idempotencyKey = `${confirmationKeys(audience.id, contactId)}1:${NOW}`;
    const { id: messageId } = await acceptMessage(
      stores,
      { ...sender, contact },
      { facts: { channel: 'app' }, idempotencyKey },
    );
    return { workspaceId, contactId, messageId, at: NOW + n };
  });
  const brake = async () => present(await subject.stores.audiences.get(workspaceId, audience.id)).formBrake;
  return { sender, audience, mails, brake };
}

/** What hard bounces of confirmation mails do. */
export function describeBounces(open: OpenEngine): void {
  describe('hard bounces of confirmation mails', () => {
    const subject = sharedEngine(open);

    it('pause their form at the fifth, which one caller learns; repeats count no more', async () => {
      const { mails, brake } = await form(subject);
      const { optIns } = subject.stores;
      for (const mail of mails.slice(1)) {
        expect(await optIns.noteBounce(mail)).toBeNull();
        expect(await optIns.noteBounce(mail)).toBeNull();
      }
      expect(await brake()).toMatchObject({ pausedAt: null, bounces: { length: 4 } });
      const last = await atOnce(4, () => optIns.noteBounce(mails[0]!));
      expect(last.filter((paused) => paused !== null)).toHaveLength(1);
      await subject.crash();
      expect(await brake()).toMatchObject({ pausedAt: NOW + 4 });
    });

    it('count each when they come at once', async () => {
      const { mails, brake } = await form(subject);
      const paused = await Promise.all(mails.map((mail) => subject.stores.optIns.noteBounce(mail)));
      expect(paused.filter((audience) => audience !== null)).toHaveLength(1);
      expect(await brake()).toMatchObject({ pausedAt: NOW + 4, bounces: { length: 5 } });
    });

    it('count from a resumption on', async () => {
      const { audience, mails, brake } = await form(subject);
      const { audiences, optIns } = subject.stores;
      for (const mail of mails) await optIns.noteBounce(mail);
      await audiences.change(audience.workspaceId, audience.id, { formBrake: resumeForm(NOW + 10) }, NOW + 10);
      expect(await optIns.noteBounce(mails[0]!)).toBeNull();
      expect(await brake()).toEqual(resumeForm(NOW + 10));
    });

    it('of other mails change no form', async () => {
      const { sender, mails, brake } = await form(subject);
      const { contactId } = mails[0]!;
      const contact = present(await subject.stores.contacts.get(sender.workspace.id, contactId));
      const { id: messageId } = await acceptMessage(subject.stores, { ...sender, contact });
      expect(await subject.stores.optIns.noteBounce({ ...mails[0]!, messageId })).toBeNull();
      expect(await subject.stores.optIns.noteBounce({ ...mails[0]!, messageId: 'unknown' })).toBeNull();
      expect(await brake()).toEqual(NO_FORM_AUTO_PAUSE);
    });
  });
}
