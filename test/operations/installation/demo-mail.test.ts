import { expect, it } from '@jest/globals';
import pino from 'pino';
import { checkDemo } from '../../../operations/doctor/check-demo';
import { readConfig } from '../../../operations/config/config';
import { startKurir, type Kurir } from '../../../app/kurir';
import { describeOnEngines } from '../../support/engines';
import { limitFor } from '../../support/limits';
import { Running, testEnv } from '../../support/running';

/** Nothing listens there: no mail leaves this machine. */
const MTA = { KURIR_MTA_URL: 'smtp://127.0.0.1:9', KURIR_PUBLIC_URL: 'http://127.0.0.1:8080' };

describeOnEngines('the demo workspace and a real sending server', (install) => {
  // spec: docs/contract.md#start-page: a real sending server suspends the demo
  it(
    'is suspended once by the first start with one, and what waits in it may not be sent; the operator may resume it',
    async () => {
      const running = await Running.startOn(install());
      const { id: workspaceId } = (await running.stores.workspaces.list())[0]!;
      const sendAt = new Date(running.clock.now() + 3_600_000).toISOString();
      const waiting = await running.send('siti@contoh.test', { send_at: sendAt });
      const installation = await running.rest();

      const lines: string[] = [];
      const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
      const start = (env: Record<string, string> = MTA): Promise<Kurir> =>
        startKurir(readConfig({ ...testEnv(installation), ...env }), { logger });
      const isSuspended = async ({ services }: Kurir): Promise<boolean | undefined> =>
        (await services.engine.stores.workspaces.get(workspaceId))?.suspended;
      const doctor = async ({ services: { engine, config } }: Kurir) => checkDemo(engine.stores, config);

      let kurir = await start();
      expect(await isSuspended(kurir)).toBe(true);
      expect(lines.filter((line) => line.includes(`npx kurir workspace resume ${workspaceId}`))).toHaveLength(1);
      expect(await doctor(kurir)).toMatchObject([{ check: 'demo workspace', status: 'ok' }]);
      const { stores } = kurir.services.engine;
      expect(await stores.operatorLog.list(1)).toMatchObject([{ action: 'workspace suspend', workspaceId }]);
      expect((await stores.messages.get(waiting))?.status).toBe('queued');
      await kurir.stop();

      kurir = await start();
      expect(await isSuspended(kurir)).toBe(true);
      await kurir.services.engine.stores.workspaces.update(workspaceId, { suspended: false });
      await kurir.stop();

      kurir = await start();
      expect(await isSuspended(kurir)).toBe(false);
      expect(await doctor(kurir)).toMatchObject([{ check: 'demo workspace', status: 'note' }]);
      expect(lines.filter((line) => line.includes('the demo workspace was suspended'))).toHaveLength(1);
      await kurir.stop();

      kurir = await start({});
      expect(await isSuspended(kurir)).toBe(false);
      expect(await doctor(kurir)).toEqual([]);
      await kurir.stop();

      kurir = await start();
      expect(await isSuspended(kurir)).toBe(true);
      await kurir.stop();
      await installation.remove();
    },
    limitFor(2),
  );

  it('is left alone where it was made with one', async () => {
    const env = { ...MTA, KURIR_DEMO: 'true' };
    const running = await Running.startOn(install(), env);
    const { id } = (await running.stores.workspaces.list())[0]!;
    const installation = await running.rest();
    const again = await Running.startOn(installation, env);
    expect((await again.stores.workspaces.get(id))?.suspended).toBe(false);
    await again.stop();
  });
});
