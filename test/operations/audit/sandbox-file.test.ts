import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../../support/test-operator';
import { Running, temporaryDir, temporaryInstallation, testEnv } from '../../support/running';
import { readConfig } from '../../../operations/config/config';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { startKurir } from '../../../app/kurir';
import { embeddedInstallation } from '../../../proof/crash/installation';
import pino from 'pino';

const dirs: string[] = [];
/** Data of its own, of which one mail was delivered to the sandbox. */
async function played(): Promise<string> {
  const running = await Running.startOn(temporaryInstallation());
  dirs.push(running.dataDir);
  await running.untilStatus(await running.send('delivered@pelanggan.test'), 'delivered');
  await running.rest();
  return running.dataDir;
}
function copyOf(dataDir: string): string {
  const copy = temporaryDir();
  dirs.push(copy);
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}
const removeSandbox = (dataDir: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `sandbox.sqlite${suffix}`), { force: true });
};

interface AuditJson {
  ok: boolean;
  differences: number;
  checked: { received: number | null };
  sandbox: { compared: boolean; installation_id: string | null; since: string | null; messages_before: number } | null;
  notes: string[];
}
const audit = async (dataDir: string): Promise<AuditJson> => {
  const said = await (await TestOperator.open({ dataDir })).run(['audit', '--json']);
  expect({ code: said.code, err: said.err }).toEqual({ code: 0, err: '' });
  return said.json as unknown as AuditJson;
};

let mine: string;
/** The same data with the sandbox's file of another installation. */
let mixed: string;
beforeAll(async () => {
  mine = await played();
  mixed = copyOf(mine);
  const theirs = await played();
  removeSandbox(mixed);
  for (const suffix of ['', '-wal'].filter((end) => existsSync(join(theirs, `sandbox.sqlite${end}`)))) {
    cpSync(join(theirs, `sandbox.sqlite${suffix}`), join(mixed, `sandbox.sqlite${suffix}`));
  }
});
afterAll(() => dirs.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

describe("the sandbox's file", () => {
  it('of this installation is compared', async () => {
    const { ok, checked, sandbox, notes } = await audit(mine);
    expect({ ok, received: checked.received, notes }).toEqual({ ok: true, received: 1, notes: [] });
    expect(sandbox).toMatchObject({ compared: true, messages_before: 0 });
  });

  it('of another installation is named and left out of the audit', async () => {
    const { ok, checked, sandbox, notes } = await audit(mixed);
    expect({ ok, received: checked.received }).toEqual({ ok: true, received: null });
    expect(sandbox).toMatchObject({ compared: false });
    expect(notes).toEqual([expect.stringMatching(/sandbox\.sqlite belongs to another installation \([0-9a-f-]{36}\)/)]);
  });

  it('of another installation is not served: the start says what to do, and a reset makes it ours', async () => {
    const dataDir = copyOf(mixed);
    const start = () => startKurir(readConfig(testEnv(dataDir)), { logger: pino({ level: 'silent' }) });
    await expect(start()).rejects.toThrow(
      /^The sandbox file .* belongs to another installation \(.*\): empty it with "kurir sandbox reset", or set KURIR_DATA_DIR/,
    );
    const operator = await TestOperator.open({ dataDir, clock: new AdvancingClock() });
    const refused = await operator.run(['sandbox', 'reset']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(
      /^This deletes 1 mail, 0 pending reports and 0 webhook requests in .*sandbox\.sqlite\.\nRun it again with --yes\.\n$/,
    );
    expect(await operator.ask('sandbox', 'reset', '--yes')).toMatchObject({ mails: 1, pending_reports: 0 });
    expect(await operator.ask('log', '--limit', '1')).toMatchObject({ data: [{ action: 'sandbox reset' }] });
    const kurir = await start();
    expect(kurir.sandbox?.total()).toBe(0);
    await kurir.stop();
    expect(await audit(dataDir)).toMatchObject({ ok: true, sandbox: { compared: true, messages_before: 1 } });
  });

  it('that was deleted starts over, and the mails it cannot know are no differences', async () => {
    const dataDir = copyOf(mine);
    removeSandbox(dataDir);
    const running = await Running.startOn(embeddedInstallation(dataDir));
    await running.untilStatus(await running.send('delivered+2@pelanggan.test'), 'delivered');
    await running.rest();
    const { ok, checked, sandbox, notes } = await audit(dataDir);
    expect({ ok, received: checked.received, before: sandbox?.messages_before }).toEqual({
      ok: true,
      received: 1,
      before: 1,
    });
    expect(notes).toEqual([expect.stringMatching(/starts at .*, so 1 message sent earlier could not be compared/)]);
  });

  it('emptied beside the running service leaves nothing to find; what is handed over later is compared again', async () => {
    const running = await Running.startOn(embeddedInstallation(copyOf(mine)));
    const { dataDir } = running;
    await running.untilStatus(await running.send('norecord@pelanggan.test'), 'sent_to_mta');
    const operator = await TestOperator.open({ dataDir });
    expect(await operator.ask('sandbox', 'reset', '--yes')).toMatchObject({ mails: 2 });
    expect(await audit(dataDir)).toMatchObject({ ok: true, sandbox: { messages_before: 2 }, checked: { received: 0 } });
    const id = await running.send('delivered+3@pelanggan.test');
    await running.untilStatus(id, 'delivered');
    await running.rest();
    expect(await audit(dataDir)).toMatchObject({ ok: true, sandbox: { messages_before: 2 }, checked: { received: 1 } });
    const db = new DatabaseSync(join(dataDir, 'sandbox.sqlite'));
    db.exec('DELETE FROM mails');
    db.close();
    const said = await operator.run(['audit', '--json']);
    expect(said.json).toMatchObject({ differences: 1, found: [{ rule: 'received', subject: id }] });
  });
});
