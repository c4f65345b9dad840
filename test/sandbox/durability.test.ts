import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from 'esbuild';
import { AdvancingClock } from '../../lib/advancing-clock';
import { HOUR } from '../../lib/clock';
import { AddressSearch } from '../../domain/addresses/address-search';
import { MailFile } from '../../sandbox/mail-file';
import { countContaining } from '../../sandbox/count-containing';
import { openReceivedMails } from '../../sandbox/received-mails';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox';
import { NewerSchemaError, UnavailableError } from '../../lib/errors';
import { Client, envelope, ReportCollector, simpleMail, temporaryDir } from './support';

const ROOT = resolve(__dirname, '../..');
const PROGRAM = `
import { createSandbox } from './sandbox/sandbox';
import { AdvancingClock } from './lib/advancing-clock';
const [file, reportPort] = process.argv.slice(2);
const reports = () => ({ host: '127.0.0.1', port: Number(reportPort) });
const sandbox = createSandbox({ file, clock: new AdvancingClock(), port: 0, reports, hostname: 'child.test' });
sandbox.listen().then(({ port }) => process.send(port));
`;

let dir: ReturnType<typeof temporaryDir>;
let file: string;
let collector: ReportCollector;
let program: string;

beforeAll(async () => {
  const built = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    packages: 'external',
    write: false,
  });
  program = built.outputFiles[0]!.text;
});
beforeEach(async () => {
  dir = temporaryDir();
  file = join(dir.path, 'sandbox.sqlite');
  collector = new ReportCollector();
  await collector.listen();
});
afterEach(async () => {
  await collector.close();
  dir.remove();
});

/** The sandbox in a process of its own. */
async function startChild(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['-', file, String(collector.port)], {
    cwd: ROOT,
    stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
  });
  child.stdin!.end(program);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Opens a file in this process, long after the child wrote it. */
const open = (path = file): Sandbox =>
  createSandbox({
    file: path,
    clock: new AdvancingClock(HOUR),
    port: 0,
    reports: () => ({ host: '127.0.0.1', port: collector.port }),
    hostname: 'sandbox.kurir.test',
  });

/** Opens the file and waits until nothing is owed. */
async function reopen(): Promise<Sandbox> {
  const sandbox = open();
  await sandbox.listen();
  await sandbox.idle();
  return sandbox;
}

describe('after kill -9', () => {
  test('every mail that got its 250 is there once, and every mail that is there gets its report', async () => {
    for (let round = 0; round < 3; round++) {
      const { child, port } = await startChild();
      const acknowledged: string[] = [];
      const enough = 40 + 60 * round;
      collector.answer = () => (acknowledged.length % 2 === 0 ? 250 : 451);
      const senders = await Promise.all(Array.from({ length: 8 }, () => Client.open(port)));
      const sending = senders.map(async (sender, k) => {
        for (let n = 0; ; n++) {
          const id = `${round}-${k}-${n}`;
          const from = `v${id}@a.example`;
          await sender.send({ ...envelope('a@b.example', { envid: id }), from }, simpleMail(id));
          if (acknowledged.push(id) === enough) child.kill('SIGKILL');
        }
      });
      await Promise.allSettled(sending);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');

      collector.answer = () => 250;
      const sandbox = await reopen();
      for (const id of acknowledged) expect(sandbox.countByMessage(id)).toBe(1);
      const kept = sandbox.list({ limit: 10_000 }).map(({ mailFrom }) => mailFrom);
      expect(new Set(collector.reports.map(({ to }) => to))).toEqual(new Set(kept));
      expect(kept.length).toBe(new Set(kept).size);
      await sandbox.close();
    }
  });

  test('the tries of softbounce are counted on, and the report that was owed goes out', async () => {
    collector.answer = () => 451;
    const soft = envelope('softbounce@b.example', { envid: 'S' });
    for (const expected of [
      '451 4.2.0 Soft bounce 1',
      '451 4.2.0 Soft bounce 2',
      '451 4.2.0 Soft bounce 3',
      '250 2.0.0',
    ]) {
      const { child, port } = await startChild();
      const client = await Client.open(port);
      expect(await client.send(soft, simpleMail('S'))).toContain(expected);
      await kill(child);
      client.close();
    }
    collector.answer = () => 250;
    const sandbox = await reopen();
    expect(await collector.actions()).toEqual(['delivered']);
    expect(sandbox.list({ limit: 1 })[0]!.reports).toMatchObject([{ state: 'sent' }]);
    await sandbox.close();
  });
});

describe('the file', () => {
  test('a file that a newer program wrote is refused and left alone', () => {
    new MailFile(file).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => open(file)).toThrow(NewerSchemaError);
  });

  test('a file that a version before the first release made is refused by all who open it', async () => {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 5; PRAGMA application_id = 0');
    db.close();
    const said = 'The sandbox file was made by a version before 0.1.0, which was never released: delete it';
    expect(() => open(file)).toThrow(said);
    expect(() => openReceivedMails(file)).toThrow(said);
    await expect(countContaining(file, new AddressSearch('siti@contoh.test'))).rejects.toThrow(said);
  });

  test('a file that cannot be used is a clear error', () => {
    expect(() => open(dir.path)).toThrow(UnavailableError);
  });
});
