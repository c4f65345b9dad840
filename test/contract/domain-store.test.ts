import { describe, expect, it } from '@jest/globals';
import { DOMAIN_STATUSES, NEW_DOMAIN_MAIL } from '../../domain/settings/sending-domain';
import { DuplicateError } from '../../lib/errors';
import { aDomain, aWorkspace, nextSerial } from '../support/builders';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce } from './helpers';

const UNKNOWN = 999_999_999;

/** The DomainStore behaviour required of every driver. */
function describeDomainStore(open: OpenEngine): void {
  describe('DomainStore', () => {
    const subject = sharedEngine(open);
    const newWorkspace = async () => (await subject.stores.workspaces.create(aWorkspace())).id;

    it('answers a created domain by id and by name with every field', async () => {
      const given = aDomain(await newWorkspace(), { status: 'pending_dns', dkimSelector: 's2026' });
      const created = await subject.stores.domains.create(given);
      expect(created).toEqual({ id: created.id, ...given, ...NEW_DOMAIN_MAIL });
      expect(await subject.stores.domains.get(created.id)).toEqual(created);
      expect(await subject.stores.domains.findByName(given.domain)).toEqual(created);
    });

    // spec: docs/contract.md#transactional-mail: a domain is added as one
    it('keeps the category that a domain is created with', async () => {
      const mail = { category: 'transactional', trackClicks: true } as const;
      const created = await subject.stores.domains.create({ ...aDomain(await newWorkspace()), ...mail });
      expect(created).toMatchObject(mail);
      expect(await subject.stores.domains.findByName(created.domain)).toEqual(created);
    });

    it('answers null for a domain that does not exist', async () => {
      expect(await subject.stores.domains.get(UNKNOWN)).toBeNull();
      expect(await subject.stores.domains.findByName('nowhere.test')).toBeNull();
      expect(await subject.stores.domains.setStatus(UNKNOWN, 'active')).toBeNull();
      expect(
        await subject.stores.domains.setMail(UNKNOWN, { category: 'transactional', trackClicks: true }),
      ).toBeNull();
    });

    it('lists the domains of the workspace only, alphabetically', async () => {
      const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
      const suffix = `w${nextSerial()}.test`;
      for (const name of ['zebra', 'apel', 'mangga']) {
        await subject.stores.domains.create(aDomain(ours, { domain: `${name}.${suffix}` }));
      }
      await subject.stores.domains.create(aDomain(theirs, { domain: `beta.${suffix}` }));
      const names = (await subject.stores.domains.list(ours)).map(({ domain }) => domain);
      expect(names).toEqual(['apel', 'mangga', 'zebra'].map((name) => `${name}.${suffix}`));
    });

    it('refuses a name that is taken, by whatever workspace, and leaves its owner alone', async () => {
      const taken = await subject.stores.domains.create(aDomain(await newWorkspace()));
      for (const workspaceId of [taken.workspaceId, await newWorkspace()]) {
        const again = aDomain(workspaceId, { domain: taken.domain, status: 'suspended' });
        await expect(subject.stores.domains.create(again)).rejects.toBeInstanceOf(DuplicateError);
      }
      expect(await subject.stores.domains.findByName(taken.domain)).toEqual(taken);
    });

    it('gives a name to exactly one of many who want it at once', async () => {
      const workspaces = await atOnce(10, newWorkspace);
      const { domain } = aDomain(0);
      const outcomes = await Promise.allSettled(
        workspaces.map((workspaceId) => subject.stores.domains.create(aDomain(workspaceId, { domain }))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const lists = await Promise.all(workspaces.map((workspaceId) => subject.stores.domains.list(workspaceId)));
      expect(lists.flat()).toEqual([await subject.stores.domains.findByName(domain)]);
    });

    it.each(DOMAIN_STATUSES)('moves a domain to %s and changes nothing else', async (status) => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      expect(await subject.stores.domains.setStatus(created.id, status)).toEqual({ ...created, status });
      expect(await subject.stores.domains.get(created.id)).toEqual({ ...created, status });
    });

    // spec: docs/contract.md#transactional-mail: the category is that of the domain, and stays
    it('is one for marketing, until its category is set, which changes nothing else', async () => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      expect(created).toMatchObject({ category: 'marketing', trackClicks: false });
      for (const mail of [
        { category: 'transactional', trackClicks: false },
        { category: 'transactional', trackClicks: true },
        { category: 'marketing', trackClicks: false },
      ] as const) {
        expect(await subject.stores.domains.setMail(created.id, mail)).toEqual({ ...created, ...mail });
        expect(await subject.stores.domains.findByName(created.domain)).toEqual({ ...created, ...mail });
        expect(await subject.stores.domains.list(created.workspaceId)).toEqual([{ ...created, ...mail }]);
      }
    });

    it('keeps what it acknowledged through a crash', async () => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      await subject.stores.domains.setStatus(created.id, 'suspended');
      const mail = { category: 'transactional', trackClicks: true } as const;
      await subject.stores.domains.setMail(created.id, mail);
      await subject.crash();
      const kept = { ...created, status: 'suspended', ...mail };
      expect(await subject.stores.domains.findByName(created.domain)).toEqual(kept);
    });
  });
}

onEveryDriver(describeDomainStore);
