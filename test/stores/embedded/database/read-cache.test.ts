import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Engine } from '../../../../stores/ports/engine';
import { aDomain, anSmtpLogin, aWorkspace } from '../../../support/builders';
import { temporaryInstallation } from '../../../support/running';

const installation = temporaryInstallation();
let service: Engine;
let commandLine: Engine;
beforeAll(async () => {
  service = await installation.open();
  commandLine = await installation.open();
});
afterAll(async () => {
  await commandLine.close();
  await service.close();
  await installation.remove();
});

/** Each write comes in a turn of the event loop of its own, as from another process. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a login and a domain that another process changes are the new ones at the next read', async () => {
  const { id: workspaceId } = await service.stores.workspaces.create(aWorkspace());
  const username = 'kur000042';
  expect(await service.stores.credentials.findLogin(username)).toBeNull();
  await commandLine.stores.credentials.createLogin({ ...anSmtpLogin(workspaceId), username });
  await nextTurn();
  expect(await service.stores.credentials.findLogin(username)).toMatchObject({ username });
  await commandLine.stores.credentials.setPassword(username, { hash: 'new hash', sealed: 'k1.new' });
  await nextTurn();
  expect((await service.stores.credentials.findLogin(username))?.hash).toBe('new hash');

  const { id, domain } = await commandLine.stores.domains.create(aDomain(workspaceId));
  await nextTurn();
  expect(await service.stores.domains.findByName(domain)).toMatchObject({ workspaceId });
  await commandLine.stores.domains.setStatus(id, 'suspended');
  await nextTurn();
  expect((await service.stores.domains.findByName(domain))?.status).toBe('suspended');
});
