import { describe, expect, it } from '@jest/globals';
import { activated, dkimKeysOf, NEW_DKIM } from '../../domain/settings/dkim-rotation';
import { DOMAIN_STATUSES, NEW_DOMAIN_MAIL, type SendingDomain } from '../../domain/settings/sending-domain';
import { DuplicateError } from '../../lib/errors';
import { aDomain, aWorkspace, nextSerial } from '../support/builders';
import { TEST_START } from '../support/clock';
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
      expect(created).toEqual({ id: created.id, ...given, ...NEW_DOMAIN_MAIL, ...NEW_DKIM });
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

    it('lists the domains of all workspaces in the order of ids, page by page', async () => {
      const { domains } = subject.stores;
      const made = [];
      for (let n = 0; n < 3; n += 1) made.push(await domains.create(aDomain(await newWorkspace())));
      expect(await domains.page(made[0]!.id - 1, 2)).toEqual(made.slice(0, 2));
      expect(await domains.page(made[1]!.id, 2)).toEqual(made.slice(2));
      expect(await domains.page(made[2]!.id, 2)).toEqual([]);
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

    const pending = (selector: string) => ({ selector, keySealed: `k1.${selector}` });
    const setPending = (of: SendingDomain, selector: string) =>
      subject.stores.domains.setDkim(of, { ...dkimKeysOf(of), dkimPending: pending(selector) });

    it('takes a key to come, and signs with it later; the one before is kept as retired', async () => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      const waiting = await setPending(created, 's2');
      expect(waiting).toEqual({ ...created, dkimPending: pending('s2') });
      const keys = activated(waiting!, pending('s2'), 'v=DKIM1; p=A', TEST_START);
      expect(await subject.stores.domains.setDkim(waiting!, keys)).toEqual({ ...created, ...keys });
      expect(await subject.stores.domains.get(created.id)).toEqual({ ...created, ...keys });
      expect(keys).toMatchObject({ dkimSelector: 's2', dkimKeySealed: 'k1.s2', dkimPending: null });
      expect(keys.dkimRetired).toMatchObject([{ selector: 'kurir', value: 'v=DKIM1; p=A' }]);
      await subject.crash();
      expect(await subject.stores.domains.findByName(created.domain)).toEqual({ ...created, ...keys });
    });

    it('gives the place of the key to come to exactly one of many at once', async () => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      const made = (await atOnce(10, (n) => setPending(created, `s${n}`))).filter((domain) => domain !== null);
      expect(made).toHaveLength(1);
      expect(await subject.stores.domains.get(created.id)).toEqual(made[0]);
    });

    it('of one that activates the key to come and one that drops it, one is done', async () => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      const waiting = (await setPending(created, 's2'))!;
      const ends = [activated(waiting, pending('s2'), 'v', TEST_START), { ...dkimKeysOf(waiting), dkimPending: null }];
      const done = await atOnce(6, (n) => subject.stores.domains.setDkim(waiting, ends[n % 2]!));
      expect(done.filter((domain) => domain !== null)).toEqual([await subject.stores.domains.get(created.id)]);
    });

    it('leaves keys alone that are not those that were seen, and a domain that does not exist', async () => {
      const created = await subject.stores.domains.create(aDomain(await newWorkspace()));
      const waiting = (await setPending(created, 's2'))!;
      for (const seen of [
        created,
        { ...waiting, dkimSelector: 's0' },
        { ...waiting, dkimPending: pending('s3') },
        { ...waiting, id: UNKNOWN },
      ]) {
        expect(await subject.stores.domains.setDkim(seen, dkimKeysOf(created))).toBeNull();
      }
      expect(await subject.stores.domains.get(created.id)).toEqual(waiting);
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
